#pragma once

// Forward dynamics of a mechanism in O(n), M_y never formed: the articulated-body recursion over
// clusters. Second opinion of reduction.h, and cheaper on long chains.

#include "espalier/dynamics/cluster_factor.h"

namespace espalier {

/// Accelerations of the independent dofs and of all joints.
///   pre  kinematics(q, u), loopRates(q), loopAccelerations(), bodyScrews(); q closed, u = G u_y
///   in   gravity  m/s^2, world
///   in   tau   [nv] spanning  N m or N
///   out  ydot  [m.reduced.nv] by loops.dofOfY;  udot [nv] spanning, G ydot + g
///   out  cw    factorClusters(); cw.A [nb] accelerations of the bodies, minus gravity
///   uses loops.step;  no allocation
///   pre  every cluster's D is positive definite, else udot is not finite
///   cost O(nb) for clusters of a bounded size
///   from Chignoli et al. 2025 (C-ABA), in the common frame
template <class T, class P = value_t<T>>
void clusterAba(const Topology& t, const Lowered<P>& par, const Mechanism& m,
                const Vec3<T>& gravity, const T* tau, const Workspace<T>& ws,
                LoopWorkspace<T>& loops, ClusterWorkspace<T>& cw, T* ydot, T* udot);

}  // namespace espalier
