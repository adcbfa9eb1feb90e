#pragma once

// The definitions of dynamics/loops/operational.h, for the translation units that instantiate them.

#include "espalier/dynamics/loops/cluster_factor_impl.h"
#include "espalier/dynamics/loops/operational.h"

namespace espalier {

namespace operational_detail {

/// z of every cluster on the way from the wrench's body to the root.
///   out  z  [m.reduced.nv] written there only
template <class T>
void climb(const Mechanism& m, const LoopWorkspace<T>& loops, const ClusterWorkspace<T>& cw,
           const BodyWrench<T>& from, T* z) {
  using namespace cluster_detail;
  Force<T> f = from.f;
  T tied = T(value_t<T>(0));  // force on the joint of b
  for (int b = from.body; b >= 0;) {
    const Node& node = cw.tree.nodes[cw.tree.nodeOf[b]];
    const Motion<T>* s = reducedColumnsOf(m, loops, b);
    T* own = z + node.y;
    for (int i = 0; i < node.ny; ++i) own[i] = dot(s[i], f);
    if (const int dof = cw.tree.gearedDof[b]; dof >= 0) {
      const GRow<T> by = gRowOf(m, loops, b, dof);
      for (int i = 0; i < node.ny; ++i) own[i] = fma(tied, by.at(i), own[i]);
    }
    forward(node, cw, own);
    const Force<T> taken = reaction(node, cw, own);
    f = f - taken;
    tied = -reactionOfTies(node, cw, own);
    b = node.carrier;
  }
}

}  // namespace operational_detail

template <class T>
void inverseOperationalInertia(const Mechanism& m, const LoopWorkspace<T>& loops,
                               const ClusterWorkspace<T>& cw, const BodyWrench<T>* rows, int count,
                               T* z, T* inverse) {
  const ClusterTree& tree = cw.tree;
  const int n = m.reduced.nv;
  for (int k = 0; k < count; ++k) operational_detail::climb(m, loops, cw, rows[k], z + k * n);
  for (int k = 0; k < count; ++k)
    for (int l = 0; l <= k; ++l) {
      // The deepest cluster on both ways: carriers come first.
      int a = tree.nodeOf[rows[k].body], b = tree.nodeOf[rows[l].body];
      while (a != b) (a > b ? a : b) = tree.nodes[a > b ? a : b].parent;
      T sum = T(value_t<T>(0));
      for (; a >= 0; a = tree.nodes[a].parent)
        for (int y = tree.nodes[a].y; y < tree.nodes[a].y + tree.nodes[a].ny; ++y)
          sum = fma(z[k * n + y] * cw.inverse[y], z[l * n + y], sum);
      inverse[k * count + l] = inverse[l * count + k] = sum;
    }
}

template <class T>
T testForce(const Mechanism& m, const LoopWorkspace<T>& loops, const BodyWrench<T>& force,
            ClusterWorkspace<T>& cw, T* ydot, T* udot) {
  for (T& x : cw.z) x = T(value_t<T>(0));
  operational_detail::climb(m, loops, cw, force, cw.z.data());
  cluster_detail::accelerateClusters(m, loops, zeroMotion<T>(), cw.z.data(), cw, ydot,
                                     [](int) { return zeroMotion<T>(); });
  expand(m, loops, ydot, udot);
  return dot(cw.A[force.body], force.f);
}

}  // namespace espalier

/// For the translation units of every instruction-set level.
#define ESPALIER_INSTANTIATE_OPERATIONAL(T)                                                    \
  template void inverseOperationalInertia<T>(const Mechanism&, const LoopWorkspace<T>&,        \
                                             const ClusterWorkspace<T>&, const BodyWrench<T>*, \
                                             int, T*, T*);                                     \
  template T testForce<T>(const Mechanism&, const LoopWorkspace<T>&, const BodyWrench<T>&,     \
                          ClusterWorkspace<T>&, T*, T*);
