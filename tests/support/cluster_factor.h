#pragma once

// The factored articulated inertias of a tree of clusters, shared by forward dynamics, the inverse
// operational-space inertia and test forces. All in world axes about the common origin, where
// articulated inertias add without transforms.
//
//   F_i  = sum_b IA_b s_b,i            over the bodies b of the cluster, i its independent dofs
//   D    = sum_b s_b' IA_b s_b + G' diag(armature) G  =  L Delta L'
//   U    = F L'^-1
//   Ia   = sum_b IA_b - U Delta^-1 U'  handed to the carrier
//
// Geared rotors (model/compile/gyrostats.h) add kappa z G to F and the matching terms to D. One that
// couples a dof d to c, the joint of the carrier, by a constant m also acts on c's rate:
//
//   t = L^-1 m G_d;   to the carrier:  couple -U Delta^-1 t by c's rate,  inertia -t' Delta^-1 t
//
// The inertias of one cluster's bodies do not couple: whatever hangs on them hangs on one of them.
// Featherstone 2008, ch. 7; Jain 2012; Chignoli et al. 2025.

#include "espalier/dynamics/loops/reduction_impl.h"
#include "tests/support/aba.h"
#include "tests/support/cluster_tree.h"

namespace espalier::testing {

/// Scratch and results of the recursions over clusters.
template <class T>
struct ClusterWorkspace {
  ClusterWorkspace(const Topology& t, const Mechanism& m)
      : tree(t, m),
        IA(t.nb),
        D(tree.entries),
        inverse(m.reduced.nv),
        U(m.reduced.nv),
        tie(m.reduced.nv),
        couple(t.nb),
        inertia(t.nb),
        A(t.nb),
        z(m.reduced.nv) {}

  ClusterTree tree;

  // factorClusters()
  AlignedArray<ArticulatedInertia<T>> IA;  ///< [nb] with all that hangs on the body
  AlignedArray<T> D;                       ///< L below the diagonal, Delta on it
  AlignedArray<T> inverse;                 ///< [reduced.nv] 1 / Delta
  AlignedArray<Force<T>> U;                ///< [reduced.nv]
  AlignedArray<T> tie;                     ///< [reduced.nv] t
  AlignedArray<Force<T>> couple;  ///< [nb] on the body by its joint's rate, from what it carries
  AlignedArray<T> inertia;        ///< [nb] of its joint's rate, likewise

  // the recursions
  AlignedArray<Motion<T>> A;  ///< [nb] acceleration
  AlignedArray<T> z;          ///< [reduced.nv]
};

namespace cluster_detail {

using Node = ClusterTree::Node;

template <class T>
ESPALIER_INLINE const Motion<T>* reducedColumnsOf(const Mechanism& m, const LoopWorkspace<T>& loops,
                                                  int body) {
  return loops.reducedColumn.data() + m.firstReduced[body];
}

/// F, D and t of the rotors on the joint of body b.
template <class T, class P>
void addRotors(const Topology& t, const Lowered<P>& par, const Mechanism& m, const Workspace<T>& ws,
               const LoopWorkspace<T>& loops, const Node& node, int b, ClusterWorkspace<T>& cw) {
  const BodyTopology& body = t.bodies[b];
  if (b == 0 || body.nv != 1) return;
  Force<T>* F = cw.U.data() + node.y;
  const auto D = [&](int i, int j) -> T& { return cw.D[node.row(i) + j]; };
  if (node.cluster < 0)
    F[0].n = madd(rotors::alongAxis(body.kind, ws.S[body.u]), bc<T>(par.spin[body.u]), F[0].n);
  else
    reduction_detail::addRotor(t, par, m, ws, loops, b, F, D);

  const GRow<T> own = gRowOf(m, loops, b, body.u);
  if (const int gear = t.gearOf[body.u]; gear >= 0) {
    const T inertia = bc<T>(par.geared[gear]);
    if (body.parent == node.carrier) {
      for (int i = 0; i < node.ny; ++i) cw.tie[node.y + i] += inertia * own.at(i);
    } else {
      const GRow<T> carrier = gRowOf(m, loops, body.parent, t.geared[gear].carrier);
      for (int i = 0; i < node.ny; ++i)
        for (int j = 0; j <= i; ++j)
          D(i, j) += inertia * fma(own.at(i), carrier.at(j), own.at(j) * carrier.at(i));
    }
  }
  if (cw.tree.gearedDof[b] < 0) return;
  const Motion<T>* s = reducedColumnsOf(m, loops, b);
  for (int i = 0; i < node.ny; ++i) {
    const T work = fma(cw.inertia[b], own.at(i), dot(s[i], cw.couple[b]));
    F[i] = madd(cw.couple[b], own.at(i), F[i]);
    for (int j = 0; j <= i; ++j)
      D(i, j) = fma(work, own.at(j), fma(own.at(i), dot(s[j], cw.couple[b]), D(i, j)));
  }
}

/// D += G' diag(armature) G
template <class T, class P>
void addArmature(const Topology& t, const Lowered<P>& par, const Mechanism& m,
                 const LoopWorkspace<T>& loops, const Node& node, T* D) {
  const int first = t.floating ? 6 : 0;  // a floating base has none
  if (node.cluster < 0) {
    for (int i = 0; i < node.ny; ++i)
      if (const int dof = loops.dofOfY[node.y + i]; dof >= first)
        D[node.row(i) + i] += bc<T>(par.armature[dof]);
    return;
  }
  const Cluster& c = m.clusters[node.cluster];
  for (std::size_t d = 0; d < c.dofs.size(); ++d) {
    if (c.dofs[d] < first) continue;
    const T* G = &loops.G[c.firstG + static_cast<int>(d) * node.ny];
    for (int i = 0; i < node.ny; ++i) {
      const T g = bc<T>(par.armature[c.dofs[d]]) * G[i];
      for (int j = 0; j <= i; ++j) D[node.row(i) + j] = fma(g, G[j], D[node.row(i) + j]);
    }
  }
}

/// D = L Delta L', U = F L'^-1, t = L^-1 t, in place; F stands in U.
template <class T>
void factorNode(const Node& node, ClusterWorkspace<T>& cw) {
  T* D = cw.D.data();
  Force<T>* U = cw.U.data() + node.y;
  for (int j = 0; j < node.ny; ++j) {
    const T inverse = T(value_t<T>(1)) / D[node.row(j) + j];
    cw.inverse[node.y + j] = inverse;
    for (int i = node.ny - 1; i > j; --i) {
      T* row = D + node.row(i);
      const T l = row[j] * inverse;
      // Rows come last to first: column j of those before is not scaled yet.
      for (int k = j + 1; k < i; ++k) row[k] = fnma(l, D[node.row(k) + j], row[k]);
      row[i] = fnma(l, row[j], row[i]);
      row[j] = l;
      U[i] = madd(U[j], -l, U[i]);
      cw.tie[node.y + i] = fnma(l, cw.tie[node.y + j], cw.tie[node.y + i]);
    }
  }
}

/// z <- L^-1 z
template <class T>
ESPALIER_INLINE void forward(const Node& node, const ClusterWorkspace<T>& cw, T* z) {
  for (int i = 1; i < node.ny; ++i)
    for (int j = 0; j < i; ++j) z[i] = fnma(cw.D[node.row(i) + j], z[j], z[i]);
}
/// x <- L'^-1 x
template <class T>
ESPALIER_INLINE void backward(const Node& node, const ClusterWorkspace<T>& cw, T* x) {
  for (int i = node.ny - 1; i > 0; --i)
    for (int j = 0; j < i; ++j) x[j] = fnma(cw.D[node.row(i) + j], x[i], x[j]);
}

/// The wrench that z = L^-1 (...) leaves on the carrier: U Delta^-1 z.
template <class T>
ESPALIER_INLINE Force<T> reaction(const Node& node, const ClusterWorkspace<T>& cw, const T* z) {
  Force<T> f = zeroForce<T>();
  for (int i = 0; i < node.ny; ++i) f = madd(cw.U[node.y + i], z[i] * cw.inverse[node.y + i], f);
  return f;
}

/// The force that it leaves on the joint of the carrier: t' Delta^-1 z.
template <class T>
ESPALIER_INLINE T reactionOfTies(const Node& node, const ClusterWorkspace<T>& cw, const T* z) {
  T f = T(value_t<T>(0));
  for (int i = 0; i < node.ny; ++i) f = fma(cw.tie[node.y + i], z[i] * cw.inverse[node.y + i], f);
  return f;
}
ESPALIER_INLINE int tiedDof(const ClusterTree& tree, const Node& node) {
  return node.carrier < 0 ? -1 : tree.gearedDof[node.carrier];
}

/// Out: udot_y = L'^-1 Delta^-1 (z - U' A_carrier - t c's rate) and the bodies' accelerations.
///   in   own(b)  acceleration of body b against the carrier at udot_y = 0
///   out  ydot [reduced.nv], cw.A
template <class T, class Own>
void accelerateClusters(const Mechanism& m, const LoopWorkspace<T>& loops, const Motion<T>& world,
                        const T* z, ClusterWorkspace<T>& cw, T* ydot, Own&& own) {
  for (const Node& node : cw.tree.nodes) {
    const Motion<T> carrier = node.carrier < 0 ? world : cw.A[node.carrier];
    T* x = ydot + node.y;
    for (int i = 0; i < node.ny; ++i) x[i] = z[node.y + i] - dot(carrier, cw.U[node.y + i]);
    if (const int dof = tiedDof(cw.tree, node); dof >= 0) {
      const GRow<T> by = gRowOf(m, loops, node.carrier, dof);
      T rate = T(value_t<T>(0));
      for (int i = 0; i < by.count; ++i) rate = fma(by.at(i), ydot[by.y + i], rate);
      for (int i = 0; i < node.ny; ++i) x[i] = fnma(cw.tie[node.y + i], rate, x[i]);
    }
    for (int i = 0; i < node.ny; ++i) x[i] *= cw.inverse[node.y + i];
    backward(node, cw, x);
    for (int k = node.begin; k < node.end; ++k) {
      const int b = cw.tree.bodies[k];
      const Motion<T>* s = reducedColumnsOf(m, loops, b);
      Motion<T> a = carrier + own(b);
      for (int i = 0; i < node.ny; ++i) a = madd(s[i], x[i], a);
      cw.A[b] = a;
    }
  }
}

/// F and D of a cluster's bodies, armatures and rotors.
template <class T, class P>
void sumNode(const Topology& t, const Lowered<P>& par, const Mechanism& m, const Workspace<T>& ws,
             const LoopWorkspace<T>& loops, const Node& node, ClusterWorkspace<T>& cw) {
  T* D = cw.D.data();
  Force<T>* F = cw.U.data() + node.y;
  for (int e = node.factor; e < node.row(node.ny); ++e) D[e] = T(value_t<T>(0));
  for (int i = 0; i < node.ny; ++i) F[i] = zeroForce<T>();
  for (int k = node.begin; k < node.end; ++k) {
    const int b = cw.tree.bodies[k];
    const ArticulatedInertia<T> I = cw.IA[b];
    const Motion<T>* s = reducedColumnsOf(m, loops, b);
    for (int i = 0; i < node.ny; ++i) {
      const Force<T> f = mul(I, s[i]);
      F[i] += f;
      for (int j = 0; j <= i; ++j) D[node.row(i) + j] += dot(s[j], f);
    }
  }
  addArmature(t, par, m, loops, node, D);
  if (!par.hasRotors) return;
  for (int k = node.begin; k < node.end; ++k)
    addRotors(t, par, m, ws, loops, node, cw.tree.bodies[k], cw);
}

/// The articulated inertia that the carrier feels, and what ties leave for its joint.
template <class T>
void deliverNode(const Node& node, ClusterWorkspace<T>& cw) {
  ArticulatedInertia<T> Ia = cw.IA[node.carrier];
  for (int k = node.begin; k < node.end; ++k) Ia += cw.IA[cw.tree.bodies[k]];
  for (int i = 0; i < node.ny; ++i) {
    const Force<T>& U = cw.U[node.y + i];
    const T& inverse = cw.inverse[node.y + i];
    Ia = aba_detail::minusOuter(Ia, Force<T>{U.n * inverse, U.f * inverse}, U);
  }
  cw.IA[node.carrier] = Ia;
  if (tiedDof(cw.tree, node) < 0) return;
  for (int i = 0; i < node.ny; ++i) {
    const T scaled = cw.tie[node.y + i] * cw.inverse[node.y + i];
    cw.couple[node.carrier] = madd(cw.U[node.y + i], -scaled, cw.couple[node.carrier]);
    cw.inertia[node.carrier] = fnma(scaled, cw.tie[node.y + i], cw.inertia[node.carrier]);
  }
}

}  // namespace cluster_detail

/// Articulated inertias and factors of all clusters at q.
///   pre  kinematics(q, anything), loopRates(q), computeReducedColumns()
///   pre  every D is positive definite, else `inverse` is not finite and positive
///   out  cw.IA, D, inverse, U
///   cost O(nb) for clusters of a bounded size
template <class T, class P = value_t<T>>
void factorClusters(const Topology& t, const Lowered<P>& par, const Mechanism& m,
                    const Workspace<T>& ws, const LoopWorkspace<T>& loops,
                    ClusterWorkspace<T>& cw) {
  using namespace cluster_detail;
  for (int b = 0; b < t.nb; ++b) cw.IA[b] = articulated(ws.Ib[b]);
  for (int b = 0; b < t.nb; ++b) cw.couple[b] = zeroForce<T>();
  for (int b = 0; b < t.nb; ++b) cw.inertia[b] = T(value_t<T>(0));
  for (int y = 0; y < m.reduced.nv; ++y) cw.tie[y] = T(value_t<T>(0));
  for (std::size_t n = cw.tree.nodes.size(); n-- > 0;) {
    const Node& node = cw.tree.nodes[n];
    sumNode(t, par, m, ws, loops, node, cw);
    factorNode(node, cw);
    if (node.isCarried) deliverNode(node, cw);
  }
}

}  // namespace espalier::testing
