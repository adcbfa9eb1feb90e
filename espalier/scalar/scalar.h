#pragma once

// The Scalar concept: the operations that an algorithm may apply to a number.
//
// Algorithms are templates on one parameter T, which is double, float, Lanes<double, W>,
// Lanes<float, W>, Dual<T> or Jet2<T>. They see only this vocabulary:
//
//   value_t<T>  mask_t<T>  lanes_v<T>     the plain number inside, comparisons' result, width
//   T(x), bc<T>(x)                        broadcast a plain number, explicit
//   + - * / unary -, += -= *=             between T and T
//   < > <= >=                             -> mask_t<T>;  masks: & | !
//   fma(a, b, c) = ab + c                 fused; the small algebra uses only these, so that
//   fnma(a, b, c) = c - ab                scalar and lanes give the same bits
//   select(mask, a, b), any(mask), all(mask), min, max, abs, sqrt, sincos(x, s, c)
//   lane(x, i), setLane(x, i, v)          loading, storing and tests only
//
// A Mask of lanes does not convert to bool, so code that branches on a scalar does not compile
// for lanes. `if (any(m))` is allowed as an early-out that cannot change a result.

#include <type_traits>

#define ESPALIER_INLINE inline __attribute__((always_inline))

namespace espalier {

template <class T>
struct ScalarTraits {
  static_assert(std::is_floating_point_v<T>, "not a scalar of the closed list");
  using Value = T;
  using Mask = bool;
  static constexpr int lanes = 1;
};

template <class T>
using value_t = typename ScalarTraits<T>::Value;
template <class T>
using mask_t = typename ScalarTraits<T>::Mask;
template <class T>
inline constexpr int lanes_v = ScalarTraits<T>::lanes;

template <class T>
concept Scalar = requires {
  typename ScalarTraits<T>::Value;
};

/// Broadcast of a plain number (shared parameters) to T; the identity where P already is T.
template <class T, class P>
ESPALIER_INLINE T bc(const P& p) {
  if constexpr (std::is_same_v<T, P>) {
    return p;
  } else if constexpr (std::is_arithmetic_v<P>) {
    return T(static_cast<value_t<T>>(p));
  } else {
    return T(p);
  }
}

#define ESPALIER_PLAIN_SCALAR(S, SUFFIX)                                            \
  ESPALIER_INLINE S fma(S a, S b, S c) { return __builtin_fma##SUFFIX(a, b, c); }   \
  ESPALIER_INLINE S fnma(S a, S b, S c) { return __builtin_fma##SUFFIX(-a, b, c); } \
  ESPALIER_INLINE S sqrt(S a) { return __builtin_sqrt##SUFFIX(a); }                 \
  ESPALIER_INLINE S abs(S a) { return __builtin_fabs##SUFFIX(a); }                  \
  ESPALIER_INLINE S min(S a, S b) { return a < b ? a : b; }                         \
  ESPALIER_INLINE S max(S a, S b) { return a > b ? a : b; }                         \
  ESPALIER_INLINE S select(bool m, S a, S b) { return m ? a : b; }                  \
  ESPALIER_INLINE S lane(S a, int) { return a; }                                    \
  ESPALIER_INLINE void setLane(S& a, int, S x) { a = x; }
ESPALIER_PLAIN_SCALAR(double, )
ESPALIER_PLAIN_SCALAR(float, f)
#undef ESPALIER_PLAIN_SCALAR

ESPALIER_INLINE bool any(bool m) { return m; }
ESPALIER_INLINE bool all(bool m) { return m; }

}  // namespace espalier
