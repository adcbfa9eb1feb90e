#pragma once

#include "espalier/model/joint_kind.h"
#include "espalier/model/lowered.h"
#include "espalier/model/topology.h"

namespace espalier {

/// Whether a joint can move without moving any mass, so that M is singular: S' Ic S + armature is
/// not positive definite at the neutral q.
///   in   carried   inertia of the child and all it carries, about C's origin, in C
///   in   armature  on each dof
bool movesNothing(JointKind kind, const JointExtra<double>& extra,
                  const RigidInertia<double>& carried, double armature);

/// Inertia of each body and all that hangs on it at the neutral q, about C's origin, in C.
///   out  carried  [nb]; nothing is allocated where it has that size
void carriedInertias(const Topology& topology, const Lowered<double>& lowered,
                     std::vector<RigidInertia<double>>& carried);

}  // namespace espalier
