#pragma once

// What the tests' recursions over clusters share.

#include "espalier/dynamics/tree/inverse_dynamics_impl.h"
#include "tests/support/cluster_factor.h"

namespace espalier::testing {

using cluster_detail::Node;

/// ClusterWorkspace, and what these recursions need besides.
template <class T>
struct ClusterScratch : ClusterWorkspace<T> {
  ClusterScratch(const Topology& t, const Mechanism& m)
      : ClusterWorkspace<T>(t, m), c(t.nb), p(t.nb), rest(t.nb), tau(t.nv) {}

  AlignedArray<Motion<T>> c;  ///< [nb] acceleration against the carrier at udot_y = 0
  AlignedArray<Force<T>> p;   ///< [nb] wrench on the body, with all that hangs on it
  AlignedArray<T> rest;       ///< [nb] force that ties leave on the body's joint
  AlignedArray<T> tau;        ///< [nv] spanning, of motors
};

/// cw.c: every body's acceleration relative to its cluster's carrier at udot_y = 0,
///   c_b = c_parent + dS/dt u + S g        the parent's where it is of the same cluster
template <class T>
void biasAccelerations(const Topology& t, const Workspace<T>& ws, const LoopWorkspace<T>& loops,
                       ClusterScratch<T>& cw) {
  for (const ClusterTree::Node& node : cw.tree.nodes)
    for (int k = node.begin; k < node.end; ++k) {
      const int b = cw.tree.bodies[k];
      const BodyTopology& body = t.bodies[b];
      Motion<T> c = ws.c[b];
      if (node.cluster >= 0) {
        for (int d = body.u; d < body.u + body.nv; ++d) c = madd(column(t, ws, d), loops.g[d], c);
        if (body.parent != node.carrier) c += cw.c[body.parent];
      }
      cw.c[b] = c;
    }
}

/// tau of armatures and rotors alone, in y, and the rotors' couples on their carriers. At
/// accelerations A of the bodies, against one that stands still for those that `isKnown`:
///   G' (diag(armature) a + M0 a + kappa z . alpha_P),   p_P.n += kappa (z udot + w_P x z u)
///   in    a    [nv] spanning
///   uses  tau  [nv]
template <class T, class P, class Known>
void motorForces(const Topology& t, const Lowered<P>& par, const Mechanism& m, const T* a,
                 const Workspace<T>& ws, const Motion<T>* A, Known&& isKnown,
                 const LoopWorkspace<T>& loops, T* tau, Force<T>* p, T* y) {
  const int first = t.floating ? 6 : 0;  // a floating base has none
  for (int d = 0; d < t.nv; ++d)
    tau[d] = d < first ? T(value_t<T>(0)) : bc<T>(par.armature[d]) * a[d];
  if (par.hasRotors) {
    rotors::addGeared(t, par, a, tau);
    for (int b = 1; b < t.nb; ++b) {
      const BodyTopology& body = t.bodies[b];
      if (body.nv != 1) continue;
      const Motion<T> carrier = isKnown(b) ? A[body.parent] : zeroMotion<T>();
      inverse_dynamics_detail::spinRotorInWorld(body.kind, ws.S[body.u], bc<T>(par.spin[body.u]),
                                                carrier, A[b] - carrier, p[body.parent].n,
                                                tau[body.u]);
    }
  }
  reduce(m, loops, tau, y);
}

}  // namespace espalier::testing
