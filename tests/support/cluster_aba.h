#pragma once

// Forward dynamics of a mechanism in O(n), M_y never formed: the articulated-body recursion over
// clusters. Second opinion of dynamics/loops/reduction.h.
//
//   out   c_b: accelerations against the carrier at udot_y = 0
//   in    p_b = V_b x* I V_b + forces from the clusters and rotors that b carries
//         z = L^-1 (G'(tau - motors at g) - sum_b s_b'(IA_b c_b + p_b))
//         the carrier gets sum_b (IA_b c_b + p_b) + U Delta^-1 z
//   out   udot_y = L'^-1 Delta^-1 (z - U' A_carrier),  A_b = A_carrier + c_b + s_b udot_y
//
// and the terms of rotor couplings (cluster_factor.h) in the carrier's joint.

#include "tests/support/cluster_bias.h"

namespace espalier::testing {

/// Accelerations of the independent dofs and of all joints.
///   pre  kinematics(q, u), loopRates(q), loopAccelerations(), computeReducedColumns(); q closed, u
///   = G u_y
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
                LoopWorkspace<T>& loops, ClusterScratch<T>& cw, T* ydot, T* udot) {
  using namespace cluster_detail;
  factorClusters(t, par, m, ws, loops, cw);
  biasAccelerations(t, ws, loops, cw);

  for (int b = 0; b < t.nb; ++b) cw.p[b] = crossForce(ws.V[b], mul(ws.Ib[b], ws.V[b]));
  const auto isInside = [&](int b) {
    return t.bodies[b].parent != cw.tree.nodes[cw.tree.nodeOf[b]].carrier;
  };
  motorForces(t, par, m, loops.g.data(), ws, cw.c.data(), isInside, loops, cw.tau.data(),
              cw.p.data(), ydot);
  reduce(m, loops, tau, cw.z.data());
  for (int i = 0; i < m.reduced.nv; ++i) cw.z[i] -= ydot[i];
  for (int b = 0; b < t.nb; ++b) cw.rest[b] = T(value_t<T>(0));

  for (std::size_t n = cw.tree.nodes.size(); n-- > 0;) {
    const Node& node = cw.tree.nodes[n];
    T* z = cw.z.data() + node.y;
    Force<T> sum = zeroForce<T>();
    for (int k = node.begin; k < node.end; ++k) {
      const int b = cw.tree.bodies[k];
      const Motion<T>* s = reducedColumnsOf(m, loops, b);
      const Force<T> f = cw.p[b] + mul(cw.IA[b], cw.c[b]);
      for (int i = 0; i < node.ny; ++i) z[i] -= dot(s[i], f);
      sum += f;
      if (const int dof = cw.tree.gearedDof[b]; dof >= 0) {
        const T rest = cw.rest[b] + dot(cw.c[b], cw.couple[b]);
        const GRow<T> by = gRowOf(m, loops, b, dof);
        for (int i = 0; i < node.ny; ++i) z[i] = fnma(rest, by.at(i), z[i]);
      }
    }
    forward(node, cw, z);
    if (node.isCarried) cw.p[node.carrier] += sum + reaction(node, cw, z);
    if (tiedDof(cw.tree, node) >= 0) cw.rest[node.carrier] += reactionOfTies(node, cw, z);
  }

  const Motion<T> world{zero3<T>(), -gravity};
  accelerateClusters(m, loops, world, cw.z.data(), cw, ydot, [&](int b) { return cw.c[b]; });
  expand(m, loops, ydot, udot);
  for (int d = 0; d < t.nv; ++d) udot[d] += loops.g[d];
}

}  // namespace espalier::testing
