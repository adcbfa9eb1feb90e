#pragma once

// The definitions of dynamics/loops/reduction.h, for the translation units that instantiate them.

#include <algorithm>

#include "espalier/dynamics/loops/closure_impl.h"
#include "espalier/dynamics/loops/reduction.h"
#include "espalier/dynamics/tree/mass_matrix_impl.h"

namespace espalier {

template <class T>
void computeReducedColumns(const Topology& t, const Mechanism& m, const Workspace<T>& ws,
                           LoopWorkspace<T>& loops) {
  for (int b = 0; b < t.nb; ++b) {
    const BodyTopology& body = t.bodies[b];
    Motion<T>* own = &loops.reducedColumn[m.firstReduced[b]];
    const int cluster = m.clusterOf[b];
    if (cluster < 0) {
      for (int k = 0; k < body.nv; ++k) own[k] = column(t, ws, body.u + k);
      continue;
    }
    const Cluster& c = m.clusters[cluster];
    const int ny = c.ny();
    const bool isInside = body.parent >= 0 && m.clusterOf[body.parent] == cluster;
    // References: a copy's wide loads would wait for the narrow stores before them.
    const Motion<T> none = zeroMotion<T>();
    const Motion<T>* carried =
        isInside ? &loops.reducedColumn[m.firstReduced[body.parent]] : nullptr;
    const T* G = &loops.G[c.firstG + m.placeOf[body.u] * ny];
    const bool isFree = t.floating && b == 0;  // its columns are implied
    for (int k = 0; k < body.nv; ++k, G += ny) {
      const Motion<T> implied = isFree ? column(t, ws, k) : none;
      const Motion<T>& S = isFree ? implied : ws.S[body.u + k];
      for (int i = 0; i < ny; ++i)
        own[i] = madd(S, G[i], k > 0 ? own[i] : (carried ? carried[i] : none));
    }
  }
}

namespace reduction_detail {

/// Adds the rotors of the joint of body b, inside its cluster, to F and to the cluster's own block,
/// entry(i, j) for j <= i:
///   F_i.n += kappa z G_i,   M_ij += kappa (G_i z . w_j + G_j z . w_i)     w of the body before
template <class T, class P, class Entry>
ESPALIER_INLINE void addRotor(const Topology& t, const Lowered<P>& par, const Mechanism& m,
                              const Workspace<T>& ws, const LoopWorkspace<T>& loops, int b,
                              Force<T>* F, Entry&& entry) {
  const BodyTopology& body = t.bodies[b];
  const Cluster& c = m.clusters[m.clusterOf[b]];
  const int ny = c.ny();
  const T* G = &loops.G[c.firstG + m.placeOf[body.u] * ny];
  const Vec3<T> z = rotors::alongAxis(body.kind, ws.S[body.u]) * bc<T>(par.spin[body.u]);
  for (int i = 0; i < ny; ++i) F[i].n = madd(z, G[i], F[i].n);
  if (body.parent == c.carrier) return;
  const Motion<T>* s = &loops.reducedColumn[m.firstReduced[body.parent]];
  for (int i = 0; i < ny; ++i) {
    const T zi = dot(z, s[i].w);
    for (int j = 0; j <= i; ++j)
      entry(i, j) = fma(G[i], dot(z, s[j].w), fma(G[j], zi, entry(i, j)));
  }
}

/// H += G' M0 G of the pairs of dofs that rotors tie.
template <class T, class P>
void addGeared(const Topology& t, const Lowered<P>& par, const Mechanism& m,
               const LoopWorkspace<T>& loops, T* H) {
  const Topology& r = m.reduced;
  for (std::size_t k = 0; k < t.geared.size(); ++k) {
    const GRow<T> a = gRowOf(t, m, loops, t.geared[k].dof),
                  b = gRowOf(t, m, loops, t.geared[k].carrier);
    const T inertia = bc<T>(par.geared[k]);
    for (int i = 0; i < a.count; ++i)
      for (int j = 0; j < b.count; ++j) {
        const int row = std::max(a.y + i, b.y + j), column = std::min(a.y + i, b.y + j);
        const T x = inertia * a.at(i) * b.at(j);
        // Of one y both halves of M0 meet on the diagonal.
        H[r.row[row] + r.dofDepth[column]] += row == column ? x + x : x;
      }
  }
}

/// The rows of M_y, body by body from the last.
template <class T, class P>
struct MassMatrixRows {
  const Topology& t;
  const Lowered<P>& par;
  const Mechanism& m;
  const Workspace<T>& ws;
  LoopWorkspace<T>& loops;
  T* H;

  /// The rows of the joint of a body that is in no cluster.
  ESPALIER_INLINE void addLone(int b, const RigidInertia<T>& Ic) const {
    const BodyTopology& body = t.bodies[b];
    if (body.nv == 0) return;
    const Motion<T>* s = &loops.reducedColumn[m.firstReduced[b]];
    const int first = m.firstY[b], depth = m.reduced.dofDepth[first];
    for (int i = 0; i < body.nv; ++i) loops.wrench[i] = mul(Ic, s[i]);
    for (int i = 0; i < body.nv; ++i)
      for (int j = 0; j <= i; ++j)
        H[m.reduced.row[first + i] + depth + j] = dot(s[j], loops.wrench[i]);
    if (par.hasRotors && body.nv == 1)
      loops.wrench[0].n =
          madd(rotors::alongAxis(body.kind, s[0]), bc<T>(par.spin[body.u]), loops.wrench[0].n);
    climb(first, body.nv, body.parent, loops.wrench.data());
  }

  /// A body's part of the rows of its cluster. Bodies come last to first: the first body of a
  /// cluster completes its sums.
  ESPALIER_INLINE void addInCluster(const Cluster& c, int b, const RigidInertia<T>& Ic) const {
    const int ny = c.ny();
    if (ny == 0) return;
    const Topology& r = m.reduced;
    const Motion<T>* s = &loops.reducedColumn[m.firstReduced[b]];
    Force<T>* sum = &loops.sum[c.y];
    const bool isFirst = b == c.bodies.back();
    const int depth = r.dofDepth[c.y];
    for (int i = 0; i < ny; ++i) {
      const Force<T> F = mul(Ic, s[i]);
      if (isFirst)
        sum[i] = F;
      else
        sum[i] += F;
      for (int j = 0; j <= i; ++j) H[r.row[c.y + i] + depth + j] += dot(s[j], F);
    }
    if (par.hasRotors && t.bodies[b].nv == 1)
      addRotor(t, par, m, ws, loops, b, sum,
               [&](int i, int j) -> T& { return H[r.row[c.y + i] + depth + j]; });
    if (b == c.bodies.front()) climb(c.y, ny, c.carrier, sum);
  }

  /// Rows of `count` dofs from `first` on, of wrenches F, along the ways above `carrier`.
  ESPALIER_INLINE void climb(int first, int count, int carrier, const Force<T>* F) const {
    if (carrier < 0) return;
    const Topology& r = m.reduced;
    const int begin = m.firstColumn[carrier], end = m.firstColumn[carrier + 1];
    // A floating base's columns, which come first, are those of the identity.
    const int own = r.floating ? 6 : 0;
    for (int i = 0; i < count && own > 0; ++i)
      put(&H[r.row[first + i]], F[i].f.x, F[i].f.y, F[i].f.z, F[i].n.x, F[i].n.y, F[i].n.z);
    for (int k = begin + own; k < end; ++k) {
      const Motion<T>& s = loops.reducedColumn[m.columnReduced[k]];
      for (int i = 0; i < count; ++i) H[r.row[first + i] + k - begin] = dot(s, F[i]);
    }
  }
};

}  // namespace reduction_detail

template <class T, class P>
void reducedMassMatrix(const Topology& t, const Lowered<P>& par, const Mechanism& m,
                       Workspace<T>& ws, LoopWorkspace<T>& loops, T* H) {
  const Topology& r = m.reduced;
  for (int i = 0; i < r.entries(); ++i) H[i] = bc<T>(0.0);
  for (int b = 0; b < t.nb; ++b) ws.Ic[b] = ws.Ib[b];
  const reduction_detail::MassMatrixRows<T, P> rows{t, par, m, ws, loops, H};
  for (int b = t.nb - 1, last = r.floating ? 1 : 0; b >= last; --b) {
    const int cluster = m.clusterOf[b];
    const int carrier = cluster < 0 ? t.bodies[b].parent : m.clusters[cluster].carrier;
    const RigidInertia<T> Ic = ws.Ic[b];
    if (carrier >= 0) ws.Ic[carrier] += Ic;
    if (cluster < 0)
      rows.addLone(b, Ic);
    else
      rows.addInCluster(m.clusters[cluster], b, Ic);
  }
  if (r.floating) mass_matrix_detail::baseRows(ws.Ic[0], H);
  const int first = t.floating ? 6 : 0;
  for (int d = 0; d < t.nv; ++d) loops.step[d] = d < first ? bc<T>(0.0) : bc<T>(par.armature[d]);
  addDiagonal(m, loops, loops.step.data(), H);
  if (par.hasRotors) reduction_detail::addGeared(t, par, m, loops, H);
}

template <class T>
void addDiagonal(const Mechanism& m, const LoopWorkspace<T>& loops, const T* w, T* H) {
  const Topology& r = m.reduced;
  for (const LoneDof& d : m.lone) H[d.diagonal] += w[d.dof];
  for (const Cluster& c : m.clusters)
    for (int i = 0; i < c.ny(); ++i)
      closure_detail::fewByFew(i + 1, [&]<int C>(int first) {
        T sum[C];
        for (T& x : sum) x = bc<T>(0.0);
        const T* G = &loops.G[c.firstG];
        for (const int d : c.dofs) {
          const T scaled = G[i] * w[d];
          for (int j = 0; j < C; ++j) sum[j] = fma(scaled, G[first + j], sum[j]);
          G += c.ny();
        }
        T* row = &H[r.row[c.y + i] + r.dofDepth[c.y] + first];
        for (int j = 0; j < C; ++j) row[j] += sum[j];
      });
}

template <class T>
void reduce(const Mechanism& m, const LoopWorkspace<T>& loops, const T* x, T* y) {
  for (const LoneDof& d : m.lone) y[d.y] = x[d.dof];
  for (const Cluster& c : m.clusters)
    closure_detail::fewByFew(c.ny(), [&]<int C>(int first) {
      T sum[C];
      for (T& s : sum) s = bc<T>(0.0);
      const T* G = &loops.G[c.firstG] + first;
      for (const int d : c.dofs) {
        for (int i = 0; i < C; ++i) sum[i] = fma(G[i], x[d], sum[i]);
        G += c.ny();
      }
      for (int i = 0; i < C; ++i) y[c.y + first + i] = sum[i];
    });
}

template <class T>
void expand(const Mechanism& m, const LoopWorkspace<T>& loops, const T* y, T* x) {
  for (int i = 0; i < m.reduced.nv; ++i) x[loops.dofOfY[i]] = y[i];
  dependentRates(m, loops, x);
}

}  // namespace espalier

/// For the translation units of every instruction-set level.
#define ESPALIER_INSTANTIATE_REDUCTION(T)                                                        \
  template void computeReducedColumns<T>(const Topology&, const Mechanism&, const Workspace<T>&, \
                                         LoopWorkspace<T>&);                                     \
  template void reducedMassMatrix<T>(const Topology&, const Lowered<value_t<T>>&,                \
                                     const Mechanism&, Workspace<T>&, LoopWorkspace<T>&, T*);    \
  template void addDiagonal<T>(const Mechanism&, const LoopWorkspace<T>&, const T*, T*);         \
  template void reduce<T>(const Mechanism&, const LoopWorkspace<T>&, const T*, T*);              \
  template void expand<T>(const Mechanism&, const LoopWorkspace<T>&, const T*, T*);
