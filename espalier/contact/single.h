#pragma once

// One contact alone, solved exactly:  v = G lambda + c  under Signorini's and Coulomb's laws.
//
//   open    c_N >= 0:                              lambda = 0
//   stick   lambda = -G^-1 c lies in the cone:     v = 0
//   slip    v_N = 0, |lambda_T| = mu lambda_N, v_T = -s lambda_T with s > 0
//
// Slip, with lambda_N eliminated by v_N = 0:
//   g = G_TN,  A = G_TT - g g' / G_NN,  b = c_T - g c_N / G_NN
//   (A + s 1) lambda_T = -b,   N(s) = mu lambda_N = -(mu / G_NN) (c_N + g . lambda_T)
//   F(s) = N / |lambda_T| - 1 = 0
// F < 0 at s = 0 where sticking failed, and F >= 0 at s = |b| (G_NN + mu |g|) / (mu |c_N|) - a_min,
// so there is a root. 1 / |lambda_T| is almost a straight line in s (the secular equation of
// trust-region methods), so Newton's method inside that bracket takes five or six steps.
// Where the normal and the tangent are coupled strongly there can be three roots: the start is
// then the s of the warm start, or, without one, just below the smallest root.
//
// A singular G (loops, one row only) is regularised: G + eps tr(G) 1. The caller takes
// c = v - (G + eps tr(G) 1) lambda_old, a proximal step, whose fixed points are those of G itself.

#include <limits>

#include "espalier/contact/cone.h"

namespace espalier::contact {

/// Terms of a contact's solution that depend on G_ii and mu alone, computed once.
template <class T>
struct SingleFactor {
  Sym3<T> inverse;    // of G + shift 1
  T shift;            // eps tr(G) where G is nearly singular, else 0
  T gN, inverseN;     // G_NN + shift
  T cosine, sine;     // the first principal axis of A in the tangent plane
  T a1, a2;           // eigenvalues of A, a1 >= a2 > 0
  T g1, g2;           // G_TN along the principal axes
  T gLength;          // |G_TN|
  mask_t<T> several;  // F may have more than one root
};

namespace single_detail {

template <class S>
struct Limits;
template <>
struct Limits<double> {
  // Rounding leaves 1e-16 tr(G) of uncertainty in an eigenvalue: from 1e-13 tr(G) it can be used.
  static constexpr double singular = 1e-13;
  // eps of the regularisation: its inverse times rounding is 1e-9.
  static constexpr double shift = 1e-7;
  static constexpr double root = 1e-11;     // |F| from which one more Newton step is exact
  static constexpr double farthest = 1e14;  // largest s / a1 looked at
  static constexpr int steps = 64;
};
template <>
struct Limits<float> {
  static constexpr float singular = 1e-5f;
  static constexpr float shift = 1e-3f;
  static constexpr float root = 2e-5f;
  static constexpr float farthest = 1e6f;
  static constexpr int steps = 40;
};

/// The slip candidate of one s, in principal axes, and the derivatives along s.
template <class T>
struct Slip {
  T x, y, t, t2;  // lambda_T, its length and square
  T n;            // mu lambda_N
  T dn;           // dN/ds
  T m;            // lambda_T' (A + s)^-1 lambda_T = -t dt/ds
  T rising;       // the part of dN/ds that is positive
};

template <class T>
ESPALIER_INLINE Slip<T> slipAt(const SingleFactor<T>& f, const T& b1, const T& b2, const T& cN,
                               const T& q, const T& s) {
  const T zero = bc<T>(0.0), one = bc<T>(1.0);
  const T i1 = one / (f.a1 + s), i2 = one / (f.a2 + s);
  Slip<T> r;
  r.x = -(b1 * i1);
  r.y = -(b2 * i2);
  r.t2 = max(fma(r.y, r.y, r.x * r.x), bc<T>(std::numeric_limits<value_t<T>>::min()));
  r.t = sqrt(r.t2);
  r.n = -(q * fma(f.g2, r.y, fma(f.g1, r.x, cN)));
  const T p1 = f.g1 * r.x * i1, p2 = f.g2 * r.y * i2;
  r.dn = q * (p1 + p2);
  r.rising = q * (max(p1, zero) + max(p2, zero));
  r.m = fma(r.y * i2, r.y, r.x * i1 * r.x);
  return r;
}

/// Climbs from s = 0 towards the smallest root and never past it: |lambda_T| is convex in s and
/// lies above its tangent; a falling part of N lies below its value, a rising one below its tangent.
template <class T>
ESPALIER_INLINE T belowSmallestRoot(const SingleFactor<T>& f, const T& b1, const T& b2, const T& cN,
                                    const T& q, mask_t<T> wanted) {
  T s = bc<T>(0.0);
  for (int k = 0; k < 40 && any(wanted); ++k) {
    const Slip<T> at = slipAt(f, b1, b2, cN, q, s);
    const T step = max(at.t - at.n, bc<T>(0.0)) * at.t / fma(at.rising, at.t, at.m);
    s = select(wanted, s + step, s);
    wanted = wanted & (step > bc<T>(1e-3) * (f.a2 + s));
  }
  return s;
}

/// lambda of a slipping contact in lanes `wanted`; the others hold finite rubbish.
template <class T>
inline Vec3<T> solveSlip(const SingleFactor<T>& f, const Vec3<T>& c, const T& mu,
                         const Vec3<T>& warm, mask_t<T> wanted, int steps) {
  using L = Limits<value_t<T>>;
  const T zero = bc<T>(0.0), smallest = bc<T>(std::numeric_limits<value_t<T>>::min());
  const T c1 = fma(f.sine, c.y, f.cosine * c.x), c2 = fnma(f.sine, c.x, f.cosine * c.y);
  const T ratio = c.z * f.inverseN;
  const T b1 = fnma(f.g1, ratio, c1), b2 = fnma(f.g2, ratio, c2);
  const T q = mu * f.inverseN;
  mask_t<T> live = wanted & (mu > zero);

  T s = zero;
  if (any(live)) {
    const T length = sqrt(fma(b2, b2, b1 * b1));
    const T push = max(-(mu * c.z), smallest), farthest = bc<T>(L::farthest) * f.a1;
    T low = zero;
    T high = length * fma(mu, f.gLength, f.gN) / push - f.a2;
    high = max(min(high * bc<T>(1 + 8 * std::numeric_limits<value_t<T>>::epsilon()), farthest),
               smallest);

    // The warm start's s = |A lambda_T + b| / |lambda_T|; cold, the s of an isotropic A.
    const T w1 = fma(f.sine, warm.y, f.cosine * warm.x);
    const T w2 = fnma(f.sine, warm.x, f.cosine * warm.y);
    const T warmLength = sqrt(fma(w2, w2, w1 * w1));
    const mask_t<T> cold = warmLength <= smallest;
    const T r1 = fma(f.a1, w1, b1), r2 = fma(f.a2, w2, b2);
    const T warmS = sqrt(fma(r2, r2, r1 * r1)) / max(warmLength, smallest);
    const T isotropic = length * f.gN / push - bc<T>(0.5) * (f.a1 + f.a2);
    s = select(live, max(min(select(cold, isotropic, warmS), high), zero), zero);
    const mask_t<T> climb = live & cold & f.several;
    if (any(climb)) {
      const T below = min(belowSmallestRoot(f, b1, b2, c.z, q, climb), high);
      low = select(climb, below, low);
      s = select(climb, below, s);
    }

    for (int k = 0; k < steps && any(live); ++k) {
      const Slip<T> at = slipAt(f, b1, b2, c.z, q, s);
      const T gap = at.n - at.t;
      const mask_t<T> below = gap < zero;
      low = select(live & below, s, low);
      high = select(below | !live, high, s);
      const T slope = fma(at.dn, at.t2, at.n * at.m);  // of F, times t^3
      const T newton = s - gap * at.t2 / select(slope > zero, slope, smallest);
      const mask_t<T> inside = (slope > zero) & (newton >= low) & (newton <= high);
      // Halve the bracket on a logarithmic scale of a2 + s.
      const T middle = sqrt((low + f.a2) * (high + f.a2)) - f.a2;
      const T half = bc<T>(0.5) * (low + high);
      const T halved = select((middle > low) & (middle < high), middle, half);
      const T width = bc<T>(4 * std::numeric_limits<value_t<T>>::epsilon()) * (f.a2 + high);
      const mask_t<T> found = abs(gap) <= bc<T>(L::root) * at.t;
      const mask_t<T> done = found | (high - low <= width);
      s = select(live, select(inside, newton, select(done, s, halved)), s);
      live = live & !done;
    }
  }

  // The direction is that of s; on it v_N = 0 and the cone hold to the last bit.
  const Slip<T> at = slipAt(f, b1, b2, c.z, q, s);
  const T d1 = at.x / at.t, d2 = at.y / at.t;
  const T den = fma(mu, fma(f.g2, d2, f.g1 * d1), f.gN);
  const mask_t<T> steep = den <= bc<T>(1e-3) * f.gN;
  const T n = select(steep, at.t / max(mu, smallest), -c.z / select(steep, f.gN, den));
  const T t = mu * n;
  return {t * fnma(f.sine, d2, f.cosine * d1), t * fma(f.sine, d1, f.cosine * d2), n};
}

}  // namespace single_detail

/// Factors of G_ii = `g` for friction `mu`.
template <class T>
inline SingleFactor<T> factorSingle(const Sym3<T>& g, const Same<T>& mu) {
  using L = single_detail::Limits<value_t<T>>;
  const T zero = bc<T>(0.0), one = bc<T>(1.0), half = bc<T>(0.5);
  const T smallest = bc<T>(std::numeric_limits<value_t<T>>::min());
  SingleFactor<T> f;
  // G is nearly singular where G_NN or the smaller eigenvalue of A is small against the trace.
  const T trace = g.xx + g.yy + g.zz, third = trace * bc<T>(1.0 / 3.0);
  const auto schur = [&](T xx, T xy, T yy, T zz, T& a, T& b, T& c) {
    f.gN = zz;
    f.inverseN = one / max(zz, smallest);
    const T h1 = g.xz * f.inverseN, h2 = g.yz * f.inverseN;
    a = fnma(h1, g.xz, xx);
    b = fnma(h1, g.yz, xy);
    c = fnma(h2, g.yz, yy);
  };
  T axx, axy, ayy;
  schur(g.xx, g.xy, g.yy, g.zz, axx, axy, ayy);
  const T det = fnma(axy, axy, axx * ayy);
  const T least = bc<T>(L::singular) * third;
  const mask_t<T> regular =
      (g.zz > least) & (axx > zero) & (ayy > zero) & (det > least * (axx + ayy));
  f.shift = select(regular, zero, max(bc<T>(L::shift) * trace, smallest));
  schur(g.xx + f.shift, g.xy, g.yy + f.shift, g.zz + f.shift, axx, axy, ayy);

  // Eigenvalues of A = [axx axy; axy ayy] and the rotation to its axes by half angles.
  const T mean = half * (axx + ayy), difference = half * (axx - ayy);
  const T radius = sqrt(fma(difference, difference, axy * axy));
  const mask_t<T> round = radius <= bc<T>(std::numeric_limits<value_t<T>>::epsilon()) * mean;
  const T inverseRadius = one / select(round, one, radius);
  const T cos2 = select(round, one, difference * inverseRadius);
  const T sin2 = select(round, zero, axy * inverseRadius);
  const T large = sqrt(fma(half, abs(cos2), half));
  const T other = half * sin2 / large;
  const mask_t<T> first = cos2 >= zero;
  const T sign = select(sin2 < zero, -one, one);
  f.cosine = select(first, large, abs(other));
  f.sine = select(first, other, sign * large);
  f.a1 = mean + radius;
  const T detA = fnma(axy, axy, axx * ayy);
  f.a2 = max(detA / max(f.a1, smallest), max(half * f.shift, smallest));
  f.g1 = fma(f.sine, g.yz, f.cosine * g.xz);
  f.g2 = fnma(f.sine, g.xz, f.cosine * g.yz);
  const T gg = fma(g.yz, g.yz, g.xz * g.xz);
  f.gLength = sqrt(gg);
  // One root only if (mu |g| / G_NN) (a1 + a2) / (2 sqrt(a1 a2)) < 1 (Kantorovich's inequality).
  const T sum = f.a1 + f.a2;
  f.several = mu * mu * gg * sum * sum >= bc<T>(4.0) * f.gN * f.gN * f.a1 * f.a2;

  // G^-1 by blocks, from the eigenvalues, so that stick and slip meet at s = 0.
  const T i1 = one / f.a1, i2 = one / f.a2;
  const T cc = f.cosine * f.cosine, ss = f.sine * f.sine, cs = f.cosine * f.sine;
  f.inverse.xx = fma(ss, i2, cc * i1);
  f.inverse.xy = cs * (i1 - i2);
  f.inverse.yy = fma(cc, i2, ss * i1);
  const T k1 = f.g1 * i1 * f.inverseN, k2 = f.g2 * i2 * f.inverseN;
  f.inverse.xz = fma(f.sine, k2, -(f.cosine * k1));
  f.inverse.yz = -fma(f.cosine, k2, f.sine * k1);
  f.inverse.zz = fma(fma(k2, f.g2, k1 * f.g1), f.inverseN, f.inverseN);
  return f;
}

/// The impulse of one contact, from an earlier one.
///   in  warm  that impulse, N s (zero: none); it also chooses among several slip solutions
///   in  v     velocity with `warm` acting, m/s
///   in  c     v - (G + shift 1) warm
///   in  steps  at most so many of Newton; fewer leave the direction of sliding less exact
/// Sticking is computed as a change of `warm`: exact to rounding where v already is, however badly
/// G is conditioned.
template <class T>
ESPALIER_INLINE Vec3<T> solveSingle(const SingleFactor<T>& f, const Same<T>& mu,
                                    const Vec3<T>& warm, const Vec3<T>& v, const Vec3<T>& c,
                                    int steps = single_detail::Limits<value_t<T>>::steps) {
  const T zero = bc<T>(0.0);
  const mask_t<T> open = c.z >= zero;
  const Vec3<T> stick = warm - mul(f.inverse, v);
  const T frictionRadius = mu * stick.z;
  const mask_t<T> sticks = (stick.z >= zero) & (fma(stick.y, stick.y, stick.x * stick.x) <=
                                                frictionRadius * frictionRadius);
  Vec3<T> lambda = pick<T>(open, {zero, zero, zero}, stick);
  const mask_t<T> slips = !(open | sticks);
  if (any(slips)) {
    lambda = pick<T>(slips, single_detail::solveSlip(f, c, mu, warm, slips, steps), lambda);
  }
  return lambda;
}

/// The same without an earlier impulse: v = G lambda + c.
template <class T>
ESPALIER_INLINE Vec3<T> solveSingle(const SingleFactor<T>& f, const Same<T>& mu, const Vec3<T>& c) {
  return solveSingle(f, mu, zero3<T>(), c, c);
}

}  // namespace espalier::contact
