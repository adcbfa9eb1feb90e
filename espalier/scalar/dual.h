#pragma once

// Forward derivatives as scalars.
//   Dual<T>   x + x' e,  e^2 = 0:                      value and first derivative
//   Jet2<T>   x(t) + x'(t) dt + x''(t) dt^2 / 2:       value, first and second derivative along t
// Comparisons look at the value alone; select moves all parts.

#include "espalier/scalar/scalar.h"

namespace espalier {

template <class T>
struct Dual {
  T v, d;  // value, derivative

  Dual() = default;
  ESPALIER_INLINE Dual(T value, T derivative) : v(value), d(derivative) {}
  ESPALIER_INLINE explicit Dual(T value) : v(value), d(T(value_t<T>(0))) {}
  ESPALIER_INLINE explicit Dual(value_t<T> value) requires(!std::is_same_v<T, value_t<T>>)
      : v(T(value)), d(T(value_t<T>(0))) {}

  friend ESPALIER_INLINE Dual operator+(Dual a, Dual b) { return {a.v + b.v, a.d + b.d}; }
  friend ESPALIER_INLINE Dual operator-(Dual a, Dual b) { return {a.v - b.v, a.d - b.d}; }
  friend ESPALIER_INLINE Dual operator-(Dual a) { return {-a.v, -a.d}; }
  friend ESPALIER_INLINE Dual operator*(Dual a, Dual b) {
    return {a.v * b.v, fma(a.v, b.d, a.d * b.v)};
  }
  friend ESPALIER_INLINE Dual operator/(Dual a, Dual b) {
    const T q = a.v / b.v;
    return {q, fnma(q, b.d, a.d) / b.v};
  }
  ESPALIER_INLINE Dual& operator+=(Dual b) { return *this = *this + b; }
  ESPALIER_INLINE Dual& operator-=(Dual b) { return *this = *this - b; }
  ESPALIER_INLINE Dual& operator*=(Dual b) { return *this = *this * b; }

  friend ESPALIER_INLINE mask_t<T> operator<(Dual a, Dual b) { return a.v < b.v; }
  friend ESPALIER_INLINE mask_t<T> operator>(Dual a, Dual b) { return a.v > b.v; }
  friend ESPALIER_INLINE mask_t<T> operator<=(Dual a, Dual b) { return a.v <= b.v; }
  friend ESPALIER_INLINE mask_t<T> operator>=(Dual a, Dual b) { return a.v >= b.v; }

  friend ESPALIER_INLINE Dual fma(Dual a, Dual b, Dual c) {
    return {fma(a.v, b.v, c.v), fma(a.v, b.d, fma(a.d, b.v, c.d))};
  }
  friend ESPALIER_INLINE Dual fnma(Dual a, Dual b, Dual c) {
    return {fnma(a.v, b.v, c.v), fnma(a.v, b.d, fnma(a.d, b.v, c.d))};
  }
  friend ESPALIER_INLINE Dual sqrt(Dual a) {
    const T root = sqrt(a.v);
    return {root, a.d / (root + root)};
  }
  friend ESPALIER_INLINE Dual select(mask_t<T> m, Dual a, Dual b) {
    return {select(m, a.v, b.v), select(m, a.d, b.d)};
  }
  friend ESPALIER_INLINE Dual abs(Dual a) { return select(a.v < T(value_t<T>(0)), -a, a); }
  friend ESPALIER_INLINE Dual min(Dual a, Dual b) { return select(a.v < b.v, a, b); }
  friend ESPALIER_INLINE Dual max(Dual a, Dual b) { return select(a.v > b.v, a, b); }
};

template <class T>
struct Jet2 {
  T v, d, dd;  // value, first and second derivative along t

  Jet2() = default;
  ESPALIER_INLINE Jet2(T value, T first, T second) : v(value), d(first), dd(second) {}
  ESPALIER_INLINE explicit Jet2(T value) : v(value), d(T(value_t<T>(0))), dd(T(value_t<T>(0))) {}
  ESPALIER_INLINE explicit Jet2(value_t<T> value) requires(!std::is_same_v<T, value_t<T>>)
      : Jet2(T(value)) {}

  friend ESPALIER_INLINE Jet2 operator+(Jet2 a, Jet2 b) {
    return {a.v + b.v, a.d + b.d, a.dd + b.dd};
  }
  friend ESPALIER_INLINE Jet2 operator-(Jet2 a, Jet2 b) {
    return {a.v - b.v, a.d - b.d, a.dd - b.dd};
  }
  friend ESPALIER_INLINE Jet2 operator-(Jet2 a) { return {-a.v, -a.d, -a.dd}; }
  friend ESPALIER_INLINE Jet2 operator*(Jet2 a, Jet2 b) {  // (ab)'' = ab'' + 2a'b' + a''b
    const T cross = a.d * b.d;
    return {a.v * b.v, fma(a.v, b.d, a.d * b.v), fma(a.v, b.dd, fma(a.dd, b.v, cross + cross))};
  }
  friend ESPALIER_INLINE Jet2 operator/(Jet2 a, Jet2 b) {  // from a = qb, order by order
    const T q = a.v / b.v;
    const T qd = fnma(q, b.d, a.d) / b.v;
    return {q, qd, (fnma(q, b.dd, a.dd) - (qd * b.d + qd * b.d)) / b.v};
  }
  ESPALIER_INLINE Jet2& operator+=(Jet2 b) { return *this = *this + b; }
  ESPALIER_INLINE Jet2& operator-=(Jet2 b) { return *this = *this - b; }
  ESPALIER_INLINE Jet2& operator*=(Jet2 b) { return *this = *this * b; }

  friend ESPALIER_INLINE mask_t<T> operator<(Jet2 a, Jet2 b) { return a.v < b.v; }
  friend ESPALIER_INLINE mask_t<T> operator>(Jet2 a, Jet2 b) { return a.v > b.v; }
  friend ESPALIER_INLINE mask_t<T> operator<=(Jet2 a, Jet2 b) { return a.v <= b.v; }
  friend ESPALIER_INLINE mask_t<T> operator>=(Jet2 a, Jet2 b) { return a.v >= b.v; }

  friend ESPALIER_INLINE Jet2 fma(Jet2 a, Jet2 b, Jet2 c) { return a * b + c; }
  friend ESPALIER_INLINE Jet2 fnma(Jet2 a, Jet2 b, Jet2 c) { return c - a * b; }
  friend ESPALIER_INLINE Jet2 sqrt(Jet2 a) {  // from r^2 = a: 2rr' = a', 2rr'' + 2r'^2 = a''
    const T r = sqrt(a.v), twice = r + r, rd = a.d / twice;
    return {r, rd, (a.dd - (rd * rd + rd * rd)) / twice};
  }
  friend ESPALIER_INLINE Jet2 select(mask_t<T> m, Jet2 a, Jet2 b) {
    return {select(m, a.v, b.v), select(m, a.d, b.d), select(m, a.dd, b.dd)};
  }
  friend ESPALIER_INLINE Jet2 abs(Jet2 a) { return select(a.v < T(value_t<T>(0)), -a, a); }
  friend ESPALIER_INLINE Jet2 min(Jet2 a, Jet2 b) { return select(a.v < b.v, a, b); }
  friend ESPALIER_INLINE Jet2 max(Jet2 a, Jet2 b) { return select(a.v > b.v, a, b); }
};

template <class T>
struct ScalarTraits<Dual<T>> {
  using Value = value_t<T>;
  using Mask = mask_t<T>;
  static constexpr int lanes = lanes_v<T>;
};
template <class T>
struct ScalarTraits<Jet2<T>> {
  using Value = value_t<T>;
  using Mask = mask_t<T>;
  static constexpr int lanes = lanes_v<T>;
};

}  // namespace espalier
