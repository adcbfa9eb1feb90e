#pragma once

// The inverse operational-space inertia Lambda^-1 = J M^-1 J' of a mechanism, and its response to
// one test force from rest, without M_y. Both propagate a wrench from its body up to the root by
// the force propagators of the factored clusters:
//
//   z = L^-1 s_b' f          generalized force on the dofs of b's cluster, half-solved
//   f <- f - U Delta^-1 z    wrench propagated to its carrier
//
//   Lambda^-1_kl = sum over the clusters on both ways of z_k' Delta^-1 z_l
//
// J and M may be by any independent dofs: Lambda^-1 is the same.
// From Wensing, Featherstone, Orin 2012 (extended force propagators); Chignoli et al. 2025.

#include "tests/support/cluster_factor.h"

namespace espalier::testing {

/// A wrench on a body, about the common origin O, world axes: a row of a Jacobian, f . V_b.
template <class T>
struct BodyWrench {
  int body = 0;
  Force<T> f{};
};

/// A force at a point r from O.
template <class T>
ESPALIER_INLINE Force<T> forceAt(const Vec3<T>& r, const Vec3<T>& force) {
  return {cross(r, force), force};
}

namespace force_propagators_detail {

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

}  // namespace force_propagators_detail

/// Lambda^-1 of `count` rows: how f_k . A_b(k) answers to the wrench of row l.
///   pre  factorClusters()
///   uses z       [count][m.reduced.nv]
///   out  inverse [count][count], symmetric
///   cost O(count d + count^2 d), d the dofs on a way to the root
template <class T>
void inverseOperationalInertia(const Mechanism& m, const LoopWorkspace<T>& loops,
                               const ClusterWorkspace<T>& cw, const BodyWrench<T>* rows, int count,
                               T* z, T* inverse) {
  const ClusterTree& tree = cw.tree;
  const int n = m.reduced.nv;
  for (int k = 0; k < count; ++k) force_propagators_detail::climb(m, loops, cw, rows[k], z + k * n);
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

/// By how much one wrench changes the accelerations, whatever else acts.
///   pre  factorClusters()
///   out  ydot [m.reduced.nv], udot [nv] spanning;  cw.A [nb] of the bodies
///   out  return  f . A_b: of a unit force the acceleration of its point along it, 1 / inertia felt
///   uses cw.z;  no allocation
///   cost O(nb)
template <class T>
T testForce(const Mechanism& m, const LoopWorkspace<T>& loops, const BodyWrench<T>& force,
            ClusterWorkspace<T>& cw, T* ydot, T* udot) {
  for (T& x : cw.z) x = T(value_t<T>(0));
  force_propagators_detail::climb(m, loops, cw, force, cw.z.data());
  cluster_detail::accelerateClusters(m, loops, zeroMotion<T>(), cw.z.data(), cw, ydot,
                                     [](int) { return zeroMotion<T>(); });
  expand(m, loops, ydot, udot);
  return dot(cw.A[force.body], force.f);
}

}  // namespace espalier::testing
