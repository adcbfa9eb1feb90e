#pragma once

// The angle of a point in the plane, one implementation for every scalar, as in sincos.h.
//
//   t = min / max of |x|, |y|;  beyond tan(pi / 8)  atan t = pi/4 + atan((t - 1) / (t + 1))
//   atan t by a minimax polynomial (the coefficients of fdlibm for double, of Cephes for float),
//   then select brings it to its octant
//
// Error: 5.3e-16 absolute for double, 2.9e-7 for float. 0 at the origin, where it has no derivative;
// -0 counts as 0.

#include "espalier/scalar/dual.h"
#include "espalier/scalar/scalar.h"

namespace espalier {

namespace atan2_detail {

template <class S>
struct Constants;

template <>
struct Constants<double> {
  static constexpr double quarter[2] = {7.85398163397448278999e-01, 3.06161699786838301793e-17};
  static constexpr double eighth = 4.14213562373095048802e-01;  // tan of pi / 8
  static constexpr int terms = 11;
  static constexpr double arctangent[11] = {
      1.62858201153657823623e-02,  -3.65315727442169155270e-02, 4.97687799461593236017e-02,
      -5.83357013379057348645e-02, 6.66107313738753120669e-02,  -7.69187620504482999495e-02,
      9.09088713343650656196e-02,  -1.11111104054623557880e-01, 1.42857142725034663711e-01,
      -1.99999999998764832476e-01, 3.33333333333329318027e-01};
};

template <>
struct Constants<float> {
  static constexpr float quarter[2] = {7.85398163e-01f, -2.18556941e-08f};
  static constexpr float eighth = 4.14213562e-01f;
  static constexpr int terms = 4;
  static constexpr float arctangent[4] = {-8.05374449538e-2f, 1.38776856032e-1f, -1.99777106478e-1f,
                                          3.33329491539e-1f};
};

}  // namespace atan2_detail

/// rad
template <class T>
ESPALIER_INLINE T atan2(const T& y, const T& x) {
  using K = atan2_detail::Constants<value_t<T>>;
  const auto number = [](value_t<T> value) __attribute__((always_inline)) { return T(value); };
  const T zero = number(0), one = number(1);
  const T ax = abs(x), ay = abs(y), small = min(ax, ay), large = max(ax, ay);

  const mask_t<T> isFar = small > large * number(K::eighth);
  const T over = select(isFar, small - large, small), under = select(isFar, small + large, large);
  const T t = over / select(under > zero, under, one);
  const T z = t * t;
  T p = number(K::arctangent[0]);
  for (int i = 1; i < K::terms; ++i) p = fma(p, z, number(K::arctangent[i]));
  const T series = fnma(t, z * p, t);
  const T near = select(isFar, number(K::quarter[0]) + (series + number(K::quarter[1])), series);

  // Multiples of pi/4 in two parts.
  const auto from = [&](value_t<T> quarters, const T& angle) __attribute__((always_inline)) {
    return number(quarters * K::quarter[0]) - (angle - number(quarters * K::quarter[1]));
  };
  const T right = select(ay > ax, from(2, near), near);
  const T upper = select(x < zero, from(4, right), right);
  const T angle = select(y < zero, -upper, upper), both = x + y;
  return select((x <= x) & (y <= y), angle, both);  // NaN stays NaN
}

/// (x y' - y x') / (x^2 + y^2)
template <class T>
ESPALIER_INLINE Dual<T> atan2(const Dual<T>& y, const Dual<T>& x) {
  return {atan2(y.v, x.v), fnma(y.v, x.d, x.v * y.d) / fma(x.v, x.v, y.v * y.v)};
}

/// a' as above;  a'' = (x y'' - y x'' - 2 a' (x x' + y y')) / (x^2 + y^2)
template <class T>
ESPALIER_INLINE Jet2<T> atan2(const Jet2<T>& y, const Jet2<T>& x) {
  const T r2 = fma(x.v, x.v, y.v * y.v), rate = fnma(y.v, x.d, x.v * y.d) / r2;
  const T grows = fma(x.v, x.d, y.v * y.d);
  return {atan2(y.v, x.v), rate, fnma(rate, grows + grows, fnma(y.v, x.dd, x.v * y.dd)) / r2};
}

}  // namespace espalier
