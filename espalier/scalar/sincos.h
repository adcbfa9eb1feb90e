#pragma once

// sin and cos together, one implementation for every scalar, so that a world in a lane sees the
// same bits as a world alone (libm would not grant that).
//
//   k = round(2x / pi), r = x - k pi/2 in three parts (Cody and Waite 1980), |r| <= pi/4
//   sin r, cos r by minimax polynomials (the coefficients of fdlibm for double, of Cephes for
//   float), then the quadrant k mod 4 swaps and negates by select
//
// Rounding adds and subtracts 1.5 * 2^52 (2^23 for float): correct only without -ffast-math.
// Error: 2.1e-16 absolute for double, 9.5e-8 for float, while |x| stays below about 1e5.

#include "espalier/scalar/dual.h"
#include "espalier/scalar/scalar.h"

namespace espalier {

namespace sincos_detail {

template <class S>
struct Constants;

template <>
struct Constants<double> {
  static constexpr double round = 6755399441055744.0;
  static constexpr double two_over_pi = 0.63661977236758134308;
  static constexpr double half_pi[3] = {1.57079632673412561417e+00, 6.07710050630396597660e-11,
                                        2.02226624879595063154e-21};
  static constexpr int terms = 6;
  static constexpr double sine[6] = {1.58969099521155010221e-10, -2.50507602534068634195e-08,
                                     2.75573137070700676789e-06, -1.98412698298579493134e-04,
                                     8.33333333332248946124e-03, -1.66666666666666324348e-01};
  static constexpr double cosine[6] = {-1.13596475577881948265e-11, 2.08757232129817482790e-09,
                                       -2.75573143513906633035e-07, 2.48015872894767294178e-05,
                                       -1.38888888888741095749e-03, 4.16666666666666019037e-02};
};

template <>
struct Constants<float> {
  static constexpr float round = 12582912.0f;
  static constexpr float two_over_pi = 0.636619772f;
  static constexpr float half_pi[3] = {1.5703125f, 4.837512969970703125e-4f, 7.549789948768648e-8f};
  static constexpr int terms = 3;
  static constexpr float sine[3] = {-1.9515295891e-4f, 8.3321608736e-3f, -1.6666654611e-1f};
  static constexpr float cosine[3] = {2.443315711809948e-5f, -1.388731625493765e-3f,
                                      4.166664568298827e-2f};
};

}  // namespace sincos_detail

/// s = sin x, c = cos x.
template <class T>
ESPALIER_INLINE void sincos(const T& x, T& s, T& c) {
  using K = sincos_detail::Constants<value_t<T>>;
  const auto number = [](value_t<T> value) __attribute__((always_inline)) { return T(value); };
  const T round = number(K::round), one = number(1);

  const T k = fma(x, number(K::two_over_pi), round) - round;
  T r = fnma(k, number(K::half_pi[0]), x);
  r = fnma(k, number(K::half_pi[1]), r);
  r = fnma(k, number(K::half_pi[2]), r);

  const T z = r * r;
  T ps = number(K::sine[0]), pc = number(K::cosine[0]);
  for (int i = 1; i < K::terms; ++i) {
    ps = fma(ps, z, number(K::sine[i]));
    pc = fma(pc, z, number(K::cosine[i]));
  }
  const T sinR = fma(ps * z, r, r);
  const T cosR = fma(pc * z, z, fnma(number(value_t<T>(0.5)), z, one));

  // m = k mod 4 as one of -2, -1, 0, 1, 2.
  const T turns = fma(k, number(value_t<T>(0.25)), round) - round;
  const T m = fnma(number(4), turns, k);
  const T size = abs(m), half = number(value_t<T>(0.5));
  const mask_t<T> odd = abs(size - one) < half;
  const T sine = select(odd, cosR, sinR), cosine = select(odd, sinR, cosR);
  const mask_t<T> sineNegative = (m < -half) | (m > one + half);
  const mask_t<T> cosineNegative = (size > one + half) | (abs(m - one) < half);
  s = select(sineNegative, -sine, sine);
  c = select(cosineNegative, -cosine, cosine);
}

template <class T>
ESPALIER_INLINE void sincos(const Dual<T>& x, Dual<T>& s, Dual<T>& c) {
  T sv, cv;
  sincos(x.v, sv, cv);
  s = {sv, cv * x.d};
  c = {cv, -(sv * x.d)};
}

template <class T>
ESPALIER_INLINE void sincos(const Jet2<T>& x, Jet2<T>& s, Jet2<T>& c) {
  T sv, cv;
  sincos(x.v, sv, cv);
  const T d2 = x.d * x.d;
  s = {sv, cv * x.d, fnma(sv, d2, cv * x.dd)};
  c = {cv, -(sv * x.d), -fma(cv, d2, sv * x.dd)};
}

}  // namespace espalier
