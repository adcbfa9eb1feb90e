#pragma once

#include <cstring>

#include "espalier/scalar/lanes.h"
#include "espalier/spatial/vec3.h"

namespace espalier {

/// to[j] -= a from[j] over n numbers; short runs, as trees have them, are straight code.
template <int N, class T>
ESPALIER_INLINE void subtractFixed(T* __restrict to, const T* __restrict from, const T& a) {
#pragma GCC unroll 12
  for (int j = 0; j < N; ++j) to[j] = fnma(a, from[j], to[j]);
}
template <class T>
ESPALIER_INLINE void subtract(T* __restrict to, const T* __restrict from, const T& a, int n) {
  switch (n) {
    case 1: return subtractFixed<1>(to, from, a);
    case 2: return subtractFixed<2>(to, from, a);
    case 3: return subtractFixed<3>(to, from, a);
    case 4: return subtractFixed<4>(to, from, a);
    case 5: return subtractFixed<5>(to, from, a);
    case 6: return subtractFixed<6>(to, from, a);
    case 7: return subtractFixed<7>(to, from, a);
    case 8: return subtractFixed<8>(to, from, a);
    case 9: return subtractFixed<9>(to, from, a);
    case 10: return subtractFixed<10>(to, from, a);
    case 11: return subtractFixed<11>(to, from, a);
    case 12: return subtractFixed<12>(to, from, a);
    default:
      for (int j = 0; j < n; ++j) to[j] = fnma(a, from[j], to[j]);
  }
}

/// to[j] -= a[0] from[0][j], then a[1] from[1][j] and so on, over n numbers.
template <int K, class T>
ESPALIER_INLINE void subtractRows(T* __restrict to, const T* const (&from)[K], const T (&a)[K],
                                  int n) {
  constexpr int straight = 12;  // subtract() has code for them
  if constexpr (K == 1)
    if (n <= straight) return subtract(to, from[0], a[0], n);
  const auto some = [&]<class S>(int j) __attribute__((always_inline)) {
    S x;
    std::memcpy(&x, to + j, sizeof x);
    for (int c = 0; c < K; ++c) {
      S y;
      std::memcpy(&y, from[c] + j, sizeof y);
      x = fnma(S(a[c]), y, x);
    }
    std::memcpy(to + j, &x, sizeof x);
  };
  int j = 0;
  if constexpr (std::is_same_v<T, double>)
    for (; j + 4 <= n; j += 4) some.template operator()<Lanes<double, 4>>(j);
  for (; j < n; ++j) some.template operator()<T>(j);
}

}  // namespace espalier
