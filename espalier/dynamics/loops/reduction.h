#pragma once

// The dynamics of a mechanism in its independent rates y. Its recursions run over clusters, so that
// the cost is linear in the bodies; a joint outside of loops is a cluster of one.
//
//   reduced columns   s_b,i = s_parent(b),i + sum_d S_d G_di     twist of body b per y_i of its
//   cluster (J
//   G)
//   M_y      composite inertias at cluster level: F_i = sum_b Ic_b s_b,i, then s'F along the path
//   to the root
//   h_y      G' (h + H g): Newton-Euler at udot = g, then G'
//
// Jain 2012 ("Multibody graph transformations and analysis"); Chignoli et al. 2025.

#include "espalier/dynamics/loops/closure.h"

namespace espalier {

/// Screws of every body.
///   pre  kinematics(q, anything), loopRates(q)
template <class T>
void computeReducedColumns(const Topology& t, const Mechanism& m, const Workspace<T>& ws,
                           LoopWorkspace<T>& loops);

/// M_y in packed rows of m.reduced, armature included.
///   pre  kinematics(q, anything), computeReducedColumns()
///   out  H  [m.reduced.entries()]; ws.Ic composite inertias at cluster level
template <class T, class P = value_t<T>>
void reducedMassMatrix(const Topology& t, const Lowered<P>& par, const Mechanism& m,
                       Workspace<T>& ws, LoopWorkspace<T>& loops, T* H);

/// H += G' diag(w) G.
///   in  w  [nv] spanning
template <class T>
void addDiagonal(const Mechanism& m, const LoopWorkspace<T>& loops, const T* w, T* H);

/// y = G' x.
///   in  x  [nv] spanning;  out  y  [m.reduced.nv]
template <class T>
void reduce(const Mechanism& m, const LoopWorkspace<T>& loops, const T* x, T* y);

/// x = G y.
///   in  y  [m.reduced.nv];  out  x  [nv] spanning
template <class T>
void expand(const Mechanism& m, const LoopWorkspace<T>& loops, const T* y, T* x);

/// Row of G: u_dof = sum of at(i) u_y[y + i], i < count.
template <class T>
struct GRow {
  int y = 0, count = 1;
  const T* G = nullptr;  ///< null: 1
  T at(int i) const { return G ? G[i] : T(value_t<T>(1)); }
};
///   in  index  of the dof among those of its body's joint
template <class T>
ESPALIER_INLINE GRow<T> gRowOf(const Mechanism& m, const LoopWorkspace<T>& loops, int body, int dof,
                               int index = 0) {
  const int cluster = m.clusterOf[body];
  if (cluster < 0) return {m.firstY[body] + index, 1, nullptr};
  const Cluster& c = m.clusters[cluster];
  return {c.y, c.ny(), &loops.G[c.firstG + m.placeOf[dof] * c.ny()]};
}
template <class T>
ESPALIER_INLINE GRow<T> gRowOf(const Topology& t, const Mechanism& m, const LoopWorkspace<T>& loops,
                               int dof) {
  const int body = t.dofBody[dof];
  return gRowOf(m, loops, body, dof, dof - t.bodies[body].u);
}

}  // namespace espalier
