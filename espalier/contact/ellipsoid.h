#pragma once

// Rolling and spinning friction: a soft finger's couple, bounded by an ellipsoid that the normal
// impulse of a contact inflates.
//
//   rows (w_t1, w_t2, w_n),  lambda in N m s,  semi-axes (rolling, rolling, spinning) in m
//   | (l_t / rolling, l_n / spinning) | <= lambda_N,   maximum dissipation
//
// With s = length (rolling, rolling, spinning) / max(rolling, spinning), kappa = max / length,
//   x = lambda / s  (N s),  w = s v  (m/s):   |x| <= r = kappa lambda_N,  w = -c x,  c >= 0
// so that the ellipsoid is a ball and residuals are m/s. As one equation: x = P_ball(x - w / D).
// A semi-axis of zero leaves its row without impulse.

#include <limits>

#include "espalier/contact/cone.h"

namespace espalier::contact {

template <class T>
ESPALIER_INLINE Vec3<T> scaled(const Vec3<T>& a, const Vec3<T>& s) {
  return {a.x * s.x, a.y * s.y, a.z * s.z};
}
/// S G S
template <class T>
ESPALIER_INLINE Sym3<T> scaled(const Sym3<T>& g, const Vec3<T>& s) {
  return {g.xx * s.x * s.x, g.xy * s.x * s.y, g.xz * s.x * s.z,
          g.yy * s.y * s.y, g.yz * s.y * s.z, g.zz * s.z * s.z};
}
/// a / s, and a where s is zero.
template <class T>
ESPALIER_INLINE Vec3<T> unscaled(const Vec3<T>& a, const Vec3<T>& s) {
  const T zero = bc<T>(0.0), one = bc<T>(1.0);
  return {a.x / select(s.x > zero, s.x, one), a.y / select(s.y > zero, s.y, one),
          a.z / select(s.z > zero, s.z, one)};
}

/// The nearest point of a ball around zero, on the axes whose s is not zero.
template <class T>
ESPALIER_INLINE Vec3<T> projectOnBall(const Vec3<T>& a, const Vec3<T>& s,
                                      const Same<T>& frictionRadius) {
  const T zero = bc<T>(0.0);
  const Vec3<T> b = {select(s.x > zero, a.x, zero), select(s.y > zero, a.y, zero),
                     select(s.z > zero, a.z, zero)};
  const T length = norm(b);
  const mask_t<T> outside = length > frictionRadius;
  return pick<T>(outside, b * (max(frictionRadius, zero) / select(outside, length, bc<T>(1.0))), b);
}

/// Distance of a group from the law, m/s.
///   in  v      angular velocity with lambda acting, bias included
///   in  reach  r = kappa lambda_N
///   in  d      D = tr(S G S) / 3, and its inverse
///   NaN counts as the largest residual
template <class T>
ESPALIER_INLINE T residualTorsion(const Vec3<T>& lambda, const Vec3<T>& v, const Vec3<T>& s,
                                  const Same<T>& frictionRadius, const Same<T>& d,
                                  const Same<T>& inverseD) {
  const Vec3<T> x = unscaled(lambda, s);
  const T r = d * norm(x - projectOnBall(nmadd(scaled(v, s), inverseD, x), s, frictionRadius));
  return select(r >= bc<T>(0.0), r, bc<T>(std::numeric_limits<value_t<T>>::max()));
}

namespace ellipsoid_detail {

/// L D L' of G + c 1 and its solves.
template <class T>
struct Shifted {
  T ix, iy, iz, lyx, lzx, lzy;
  Shifted(const Sym3<T>& g, const T& c) {
    const T one = bc<T>(1.0), smallest = bc<T>(std::numeric_limits<value_t<T>>::min());
    const T xx = g.xx + c;
    ix = one / max(xx, smallest);
    lyx = g.xy * ix;
    lzx = g.xz * ix;
    const T dy = fnma(lyx, g.xy, g.yy + c), yz = fnma(lyx, g.xz, g.yz);
    iy = one / max(dy, smallest);
    lzy = yz * iy;
    iz = one / max(fnma(lzy, yz, fnma(lzx, g.xz, g.zz + c)), smallest);
  }
  Vec3<T> solve(Vec3<T> r) const {
    r.y = fnma(lyx, r.x, r.y);
    r.z = fnma(lzy, r.y, fnma(lzx, r.x, r.z)) * iz;
    r.y = fnma(lzy, r.z, r.y * iy);
    r.x = fnma(lyx, r.y, fnma(lzx, r.z, r.x * ix));
    return r;
  }
};

}  // namespace ellipsoid_detail

/// The couple of one contact alone: sticking, or on the ellipsoid against the rotation.
///   (G + c 1) x = -b,  |x(c)| = r: 1 / |x| is concave in c, so that Newton's method climbs from
///   the bound c >= |b| / r - tr G to the root without passing it (More and Sorensen 1983).
///   in  warm  an earlier impulse, v the velocity with it acting
template <class T>
inline Vec3<T> solveTorsion(const Sym3<T>& g, const Vec3<T>& s, const Same<T>& frictionRadius,
                            const Vec3<T>& warm, const Vec3<T>& v) {
  using S = value_t<T>;
  const T zero = bc<T>(0.0), one = bc<T>(1.0), smallest = bc<T>(std::numeric_limits<S>::min());
  Sym3<T> a = scaled(g, s);
  const T trace = max(a.xx + a.yy + a.zz, smallest);
  // Without a share of the trace singular G, and rows of zero, could not be solved for.
  const T shift = bc<T>(sizeof(S) == 8 ? S(1e-12) : S(1e-5)) * trace;
  const Vec3<T> x0 =
      scaled(unscaled(warm, s), {select(s.x > zero, one, zero), select(s.y > zero, one, zero),
                                 select(s.z > zero, one, zero)});
  const Vec3<T> w = scaled(v, s);
  a.xx += shift;
  a.yy += shift;
  a.zz += shift;
  const Vec3<T> stick = x0 - ellipsoid_detail::Shifted<T>(a, zero).solve(w);
  const T r = max(frictionRadius, zero);
  const mask_t<T> slips = !(norm(stick) <= r);
  Vec3<T> x = stick;
  mask_t<T> live = slips & (r > zero);
  if (any(live)) {
    const Vec3<T> b = w - mul(a, x0);
    const T inverseR = one / max(r, smallest);
    T c = max(fnma(bc<T>(1.0), trace + bc<T>(3.0) * shift, norm(b) * inverseR), zero);
    for (int k = 0; k < 40 && any(live); ++k) {
      const ellipsoid_detail::Shifted<T> f(a, c);
      const Vec3<T> at = -f.solve(b);
      const T square = dot(at, at), length = sqrt(square), curve = dot(at, f.solve(at));
      x = pick<T>(live, at, x);
      const T gap = length - r;
      live = live & (gap > bc<T>(4 * std::numeric_limits<S>::epsilon()) * r);
      c = select(live, fma(gap * inverseR, square / max(curve, smallest), c), c);
    }
  }
  const T length = norm(x);
  x = pick<T>(slips, x * (r / max(length, smallest)), x);
  return scaled(x, s);
}

}  // namespace espalier::contact
