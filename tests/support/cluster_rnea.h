#pragma once

// Inverse dynamics of a mechanism over clusters:
//
//   out   A_b = A_carrier + c_b + s_b udot_y
//   in    F_b = I A_b + V_b x* I V_b + forces from the clusters that b carries
//         tau_y = sum_b s_b' F_b + G'(motors at G udot_y + g)

#include "tests/support/cluster_bias.h"

namespace espalier::testing {

/// tau_y = M_y udot_y + h_y, body by body: no joint but the leading ones is asked.
///   pre  kinematics(q, u), loopRates(q), loopAccelerations(), computeReducedColumns(); q closed, u
///   = G u_y
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
                 LoopWorkspace<T>& loops, ClusterScratch<T>& cw, T* tau) {
  using namespace cluster_detail;
  biasAccelerations(t, ws, loops, cw);
  const Motion<T> world{zero3<T>(), -gravity};
  for (const ClusterTree::Node& node : cw.tree.nodes) {
    const Motion<T> carrier = node.carrier < 0 ? world : cw.A[node.carrier];
    for (int k = node.begin; k < node.end; ++k) {
      const int b = cw.tree.bodies[k];
      const Motion<T>* s = loops.reducedColumn.data() + m.firstReduced[b];
      Motion<T> a = carrier + cw.c[b];
      for (int i = 0; i < node.ny; ++i) a = madd(s[i], ydot[node.y + i], a);
      cw.A[b] = a;
      cw.p[b] = inverse_dynamics_detail::wrench(ws.Ib[b], ws.V[b], a);
    }
  }

  T* udot = loops.step.data();
  expand(m, loops, ydot, udot);
  for (int d = 0; d < t.nv; ++d) udot[d] += loops.g[d];
  const auto isAlways = [](int) { return true; };
  motorForces(t, par, m, udot, ws, cw.A.data(), isAlways, loops, cw.tau.data(), cw.p.data(), tau);

  for (std::size_t n = cw.tree.nodes.size(); n-- > 0;) {
    const ClusterTree::Node& node = cw.tree.nodes[n];
    Force<T> sum = zeroForce<T>();
    for (int k = node.begin; k < node.end; ++k) {
      const int b = cw.tree.bodies[k];
      const Motion<T>* s = loops.reducedColumn.data() + m.firstReduced[b];
      for (int i = 0; i < node.ny; ++i) tau[node.y + i] += dot(s[i], cw.p[b]);
      sum += cw.p[b];
    }
    if (node.carrier >= 0) cw.p[node.carrier] += sum;
  }
}

}  // namespace espalier::testing
