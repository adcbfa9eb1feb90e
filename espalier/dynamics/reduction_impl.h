#pragma once

// The definitions of dynamics/reduction.h, for the translation units that instantiate them.

#include "espalier/dynamics/closure_impl.h"
#include "espalier/dynamics/reduction.h"

namespace espalier {

template <class T>
void bodyScrews(const Topology& t, const Mechanism& m, const Workspace<T>& ws,
                LoopWorkspace<T>& loops) {
  using closure_detail::columnOf;
  for (int b = 0; b < t.nb; ++b) {
    const BodyTopology& body = t.bodies[b];
    Motion<T>* own = &loops.screw[m.firstScrew[b]];
    const int cluster = m.clusterOf[b];
    if (cluster < 0) {
      for (int k = 0; k < body.nv; ++k) own[k] = columnOf(t, ws, body.u + k);
      continue;
    }
    const Cluster& c = m.clusters[cluster];
    const int ny = c.ny();
    const bool isInside = body.parent >= 0 && m.clusterOf[body.parent] == cluster;
    for (int i = 0; i < ny; ++i)
      own[i] = isInside ? loops.screw[m.firstScrew[body.parent] + i] : zeroMotion<T>();
    const int place = m.placeOf[body.u];
    for (int k = 0; k < body.nv; ++k) {
      const Motion<T> S = columnOf(t, ws, body.u + k);
      const T* G = &loops.G[c.firstG + (place + k) * ny];
      for (int i = 0; i < ny; ++i) own[i] = madd(S, G[i], own[i]);
    }
  }
}

template <class T, class P>
void reducedMassMatrix(const Topology& t, const Lowered<P>& par, const Mechanism& m,
                       Workspace<T>& ws, LoopWorkspace<T>& loops, T* H) {
  const Topology& r = m.reduced;
  for (int i = 0; i < r.entries(); ++i) H[i] = bc<T>(0.0);
  for (int b = 0; b < t.nb; ++b) ws.Ic[b] = ws.Ib[b];
  // Rows of `count` dofs from `first` on, of wrenches F, along the ways above `carrier`.
  const auto climb = [&](int first, int count, int carrier, const Force<T>* F) {
    if (carrier < 0) return;
    const int begin = m.firstColumn[carrier], end = m.firstColumn[carrier + 1];
    for (int k = begin; k < end; ++k) {
      const Motion<T>& s = loops.screw[m.columnScrew[k]];
      for (int i = 0; i < count; ++i) H[r.row[first + i] + k - begin] = dot(s, F[i]);
    }
  };
  for (int b = t.nb - 1; b >= 0; --b) {
    const BodyTopology& body = t.bodies[b];
    const int cluster = m.clusterOf[b];
    const int carrier = cluster < 0 ? body.parent : m.clusters[cluster].carrier;
    const RigidInertia<T> Ic = ws.Ic[b];
    if (carrier >= 0) ws.Ic[carrier] += Ic;
    const Motion<T>* s = &loops.screw[m.firstScrew[b]];
    if (cluster < 0) {
      if (body.nv == 0) continue;
      const int first = m.firstY[b], depth = r.dofDepth[first];
      for (int i = 0; i < body.nv; ++i) loops.wrench[i] = mul(Ic, s[i]);
      for (int i = 0; i < body.nv; ++i)
        for (int j = 0; j <= i; ++j) H[r.row[first + i] + depth + j] = dot(s[j], loops.wrench[i]);
      climb(first, body.nv, carrier, loops.wrench.data());
      continue;
    }
    // Bodies come last to first: the first body of a cluster completes its sums.
    const Cluster& c = m.clusters[cluster];
    const int ny = c.ny();
    if (ny == 0) continue;
    Force<T>* sum = &loops.sum[c.y];
    if (b == c.bodies.back())
      for (int i = 0; i < ny; ++i) sum[i] = zeroForce<T>();
    const int depth = r.dofDepth[c.y];
    for (int i = 0; i < ny; ++i) {
      const Force<T> F = mul(Ic, s[i]);
      sum[i] += F;
      for (int j = 0; j <= i; ++j) H[r.row[c.y + i] + depth + j] += dot(s[j], F);
    }
    if (b == c.bodies.front()) climb(c.y, ny, carrier, sum);
  }
  const int first = t.floating ? 6 : 0;
  for (int d = 0; d < t.nv; ++d) loops.step[d] = d < first ? bc<T>(0.0) : bc<T>(par.armature[d]);
  addDiagonal(m, loops, loops.step.data(), H);
}

template <class T>
void addDiagonal(const Mechanism& m, const LoopWorkspace<T>& loops, const T* w, T* H) {
  const Topology& r = m.reduced;
  for (int y = 0; y < r.nv; ++y)
    if (m.isLone[y]) H[r.row[y] + r.dofDepth[y]] += w[loops.dofOfY[y]];
  for (const Cluster& c : m.clusters) {
    const int ny = c.ny();
    for (int i = 0; i < ny; ++i)
      for (int j = 0; j <= i; ++j) {
        T sum = bc<T>(0.0);
        for (std::size_t d = 0; d < c.dofs.size(); ++d) {
          const T* G = &loops.G[c.firstG + static_cast<int>(d) * ny];
          sum = fma(G[i] * w[c.dofs[d]], G[j], sum);
        }
        H[r.row[c.y + i] + r.dofDepth[c.y] + j] += sum;
      }
  }
}

template <class T>
void reduce(const Mechanism& m, const LoopWorkspace<T>& loops, const T* x, T* y) {
  for (int i = 0; i < m.reduced.nv; ++i)
    if (m.isLone[i]) y[i] = x[loops.dofOfY[i]];
  for (const Cluster& c : m.clusters) {
    const int ny = c.ny();
    for (int i = 0; i < ny; ++i) {
      T sum = bc<T>(0.0);
      for (std::size_t d = 0; d < c.dofs.size(); ++d)
        sum = fma(loops.G[c.firstG + static_cast<int>(d) * ny + i], x[c.dofs[d]], sum);
      y[c.y + i] = sum;
    }
  }
}

template <class T>
void expand(const Mechanism& m, const LoopWorkspace<T>& loops, const T* y, T* x) {
  for (int i = 0; i < m.reduced.nv; ++i) x[loops.dofOfY[i]] = y[i];
  dependentRates(m, loops, x);
}

}  // namespace espalier

/// For the translation units of every instruction-set level.
#define ESPALIER_INSTANTIATE_REDUCTION(T)                                                     \
  template void bodyScrews<T>(const Topology&, const Mechanism&, const Workspace<T>&,         \
                              LoopWorkspace<T>&);                                             \
  template void reducedMassMatrix<T>(const Topology&, const Lowered<value_t<T>>&,             \
                                     const Mechanism&, Workspace<T>&, LoopWorkspace<T>&, T*); \
  template void addDiagonal<T>(const Mechanism&, const LoopWorkspace<T>&, const T*, T*);      \
  template void reduce<T>(const Mechanism&, const LoopWorkspace<T>&, const T*, T*);           \
  template void expand<T>(const Mechanism&, const LoopWorkspace<T>&, const T*, T*);
