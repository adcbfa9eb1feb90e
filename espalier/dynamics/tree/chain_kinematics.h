#pragma once

#include "espalier/dynamics/tree/workspace.h"
#include "espalier/model/lowered.h"

namespace espalier {

/// kinematics() of some bodies, without inertias: poses, twists and columns in the common frame.
///   in   bodies  ascending; with each body those that carry it
///        q [nq], u [nv]
///   out  ws  origin; of these bodies R, x, V, c and S
///   cost O(bodies), no allocation
template <class T, class P = value_t<T>>
void chainKinematics(const Topology& t, const Lowered<P>& par, const std::vector<int>& bodies,
                     const T* q, const T* u, Workspace<T>& ws);

}  // namespace espalier
