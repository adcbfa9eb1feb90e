#pragma once

// The friction cone and how far a contact is from Coulomb's law.
//
//   K  = { x : |x_T| <= mu x_N },   impulses lambda = (t1, t2, n) in N s
//   Signorini and Coulomb, as one complementarity (De Saxce and Feng 1998):
//     K  contains lambda,  its dual contains w = v + mu |v_T| n,  lambda . w = 0
//   and as one equation, for any D > 0:  lambda = P_K(lambda - w / D)
//
// The gap in that equation, times D = tr(G_ii) / 3 (1/kg), is the residual, in m/s.

#include <limits>

#include "espalier/spatial/vec3.h"

namespace espalier::contact {

/// a where m, else b.
template <class T>
ESPALIER_INLINE Vec3<T> pick(const Same<mask_t<T>>& m, const Vec3<T>& a, const Vec3<T>& b) {
  return {select(m, a.x, b.x), select(m, a.y, b.y), select(m, a.z, b.z)};
}

/// Length of the tangential part.
template <class T>
ESPALIER_INLINE T tangentNorm(const Vec3<T>& a) {
  return sqrt(fma(a.y, a.y, a.x * a.x));
}

/// The nearest point of the cone. The polar cone is tested first, so that the apex gives zero.
template <class T>
ESPALIER_INLINE Vec3<T> projectOnCone(const Vec3<T>& a, const Same<T>& mu) {
  const T zero = bc<T>(0.0), one = bc<T>(1.0);
  const T smallest = bc<T>(std::numeric_limits<value_t<T>>::min());
  const T t = tangentNorm(a);
  const mask_t<T> polar = mu * t <= -a.z;
  const mask_t<T> inside = t <= mu * a.z;
  const T n = fma(mu, t, a.z) / fma(mu, mu, one);
  const T shrink = mu * n / max(t, smallest);
  const Vec3<T> surface = {a.x * shrink, a.y * shrink, n};
  return pick<T>(polar, {zero, zero, zero}, pick<T>(inside, a, surface));
}

/// Distance of one contact from the law, in m/s: D |lambda - P_K(lambda - (v + mu |v_T| n) / D)|.
///   in  v     velocity with lambda acting, bias included, m/s
///   in  d     D = tr(G_ii) / 3, and its inverse
///   NaN counts as the largest residual
template <class T>
ESPALIER_INLINE T residual(const Vec3<T>& lambda, const Vec3<T>& v, const Same<T>& mu,
                           const Same<T>& d, const Same<T>& inverseD) {
  const T zero = bc<T>(0.0);
  const Vec3<T> w = {v.x, v.y, fma(mu, tangentNorm(v), v.z)};
  const Vec3<T> x = nmadd(w, inverseD, lambda);
  const T t = tangentNorm(x);
  const mask_t<T> polar = mu * t <= -x.z, inside = t <= mu * x.z;
  // P_K(x) is 0 or x, but for contacts that slip.
  T square = select(polar, d * d * dot(lambda, lambda), dot(w, w));
  const mask_t<T> slips = !(polar | inside);
  if (any(slips)) {
    const Vec3<T> gap = lambda - projectOnCone(x, mu);
    square = select(slips, d * d * dot(gap, gap), square);
  }
  return select(square >= zero, sqrt(square), bc<T>(std::numeric_limits<value_t<T>>::max()));
}

}  // namespace espalier::contact
