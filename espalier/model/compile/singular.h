#pragma once

#include <optional>
#include <vector>

#include "espalier/model/joints/joint_kind.h"
#include "espalier/model/loops/mechanism.h"
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

/// Which joints can move without moving any mass, so that no motion of the system is determined.
class SingularJoints {
 public:
  ///   in    rotors     [nv] kg m^2 or kg
  ///   in    mechanism  null where there are no loops
  ///   uses  carried    [nb], overwritten; no allocation where it has that size
  ///   pre   all of them outlive this
  SingularJoints(const Topology& topology, const Lowered<double>& lowered,
                 const std::vector<double>& rotors, const Mechanism& mechanism,
                 std::vector<RigidInertia<double>>& carried);

  /// Whether a body's joint is one; allocates where it moves no mass of its own in a mechanism.
  bool contains(int body);

 private:
  const Topology& t_;
  const Lowered<double>& lowered_;
  const std::vector<double>& rotors_;
  const Mechanism& mechanism_;
  const std::vector<RigidInertia<double>>& carried_;
  std::optional<bool> isRegular_;  ///< of the whole mechanism, once it is asked
};

/// Whether every motion that the loops leave at q moves mass: M + K'K is positive definite, M of the
/// spanning tree with the rotors' inertia, K of the loops. The tree's M alone need not be: a massless
/// body may follow one that is not.
///   in   rotors  [nv] kg m^2 or kg
///   cost O(nv^3), allocates
bool isRegular(const Topology& topology, const Lowered<double>& lowered,
               const std::vector<double>& rotors, const Mechanism& mechanism, const double* q);

}  // namespace espalier
