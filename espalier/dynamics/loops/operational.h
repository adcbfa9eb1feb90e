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

#include "espalier/dynamics/loops/cluster_factor.h"

namespace espalier {

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

/// Lambda^-1 of `count` rows: how f_k . A_b(k) answers to the wrench of row l.
///   pre  factorClusters()
///   uses z       [count][m.reduced.nv]
///   out  inverse [count][count], symmetric
///   cost O(count d + count^2 d), d the dofs on a way to the root
template <class T>
void inverseOperationalInertia(const Mechanism& m, const LoopWorkspace<T>& loops,
                               const ClusterWorkspace<T>& cw, const BodyWrench<T>* rows, int count,
                               T* z, T* inverse);

/// By how much one wrench changes the accelerations, whatever else acts.
///   pre  factorClusters()
///   out  ydot [m.reduced.nv], udot [nv] spanning;  cw.A [nb] of the bodies
///   out  return  f . A_b: of a unit force the acceleration of its point along it, 1 / inertia felt
///   uses cw.z;  no allocation
///   cost O(nb)
template <class T>
T testForce(const Mechanism& m, const LoopWorkspace<T>& loops, const BodyWrench<T>& force,
            ClusterWorkspace<T>& cw, T* ydot, T* udot);

}  // namespace espalier
