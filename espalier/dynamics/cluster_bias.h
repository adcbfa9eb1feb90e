#pragma once

#include "espalier/dynamics/closure_impl.h"
#include "espalier/dynamics/cluster_factor.h"

namespace espalier::cluster_detail {

/// cw.c: what every body's acceleration against its cluster's carrier is at udot_y = 0,
///   c_b = c_parent + dS/dt u + S g        the parent's where it is of the same cluster
template <class T>
void biasAccelerations(const Topology& t, const Workspace<T>& ws, const LoopWorkspace<T>& loops,
                       ClusterWorkspace<T>& cw) {
  for (const ClusterTree::Node& node : cw.tree.nodes)
    for (int k = node.begin; k < node.end; ++k) {
      const int b = cw.tree.bodies[k];
      const BodyTopology& body = t.bodies[b];
      Motion<T> c = ws.c[b];
      if (node.cluster >= 0) {
        for (int d = body.u; d < body.u + body.nv; ++d)
          c = madd(closure_detail::columnOf(t, ws, d), loops.g[d], c);
        if (body.parent != node.carrier) c += cw.c[body.parent];
      }
      cw.c[b] = c;
    }
}

/// tau of the armature alone, in y: G' diag(armature) a.
///   in  a  [nv] spanning;  uses loops.step
template <class T, class P>
void armatureForces(const Topology& t, const Lowered<P>& par, const Mechanism& m, const T* a,
                    LoopWorkspace<T>& loops, T* y) {
  const int first = t.floating ? 6 : 0;  // a floating base has none
  for (int d = 0; d < t.nv; ++d)
    loops.step[d] = d < first ? T(value_t<T>(0)) : bc<T>(par.armature[d]) * a[d];
  reduce(m, loops, loops.step.data(), y);
}

}  // namespace espalier::cluster_detail
