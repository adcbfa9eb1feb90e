#pragma once

#include "espalier/dynamics/cluster_factor.h"

namespace espalier {

/// tau_y = M_y udot_y + h_y, body by body: no joint but the leading ones is asked.
///   pre  kinematics(q, u), loopRates(q), loopAccelerations(), bodyScrews(); q closed, u = G u_y
///   in   gravity  m/s^2, world
///   in   ydot  [m.reduced.nv] by loops.dofOfY
///   out  tau   [m.reduced.nv]  N m or N
///   out  cw.A  [nb] accelerations of the bodies, minus gravity
///   out  cw.p  [nb] wrench that moves the body and all that clusters on it carry, about O
///   uses loops.step;  no allocation
///   cost O(nb) for clusters of a bounded size
///   from Featherstone 2008, 5.3, over clusters
template <class T, class P = value_t<T>>
void clusterRnea(const Topology& t, const Lowered<P>& par, const Mechanism& m,
                 const Vec3<T>& gravity, const T* ydot, const Workspace<T>& ws,
                 LoopWorkspace<T>& loops, ClusterWorkspace<T>& cw, T* tau);

}  // namespace espalier
