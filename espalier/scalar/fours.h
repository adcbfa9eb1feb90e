#pragma once

// Loops over arrays of structs of one scalar T (Vec3<T>, Motion<T>, ...), of doubles four places at a
// time. f is written once, for a place or for four:
//
//   forPlaces<T>(0, n, [&](const auto& at) {
//     at.store(y.data(), mul(at.load(a.data()), at.load(x.data())));
//   });
//
// In lanes the structs of four places lie crosswise: each lane is computed as it would be alone.

#include <algorithm>

#include "espalier/scalar/lanes.h"

namespace espalier {

// Rows of numbers, one a lane, against lanes side by side: rows[l][k] <-> lanes[k] lane l. Four at a
// time they are a transposed square.
template <int W>
ESPALIER_INLINE void someFromRows(const double* const* rows, int count, Lanes<double, W>* lanes,
                                  int k) {
  for (int i = k; i < k + count; ++i)
    for (int l = 0; l < W; ++l) setLane(lanes[i], l, rows[l][i]);
}
template <int W>
ESPALIER_INLINE void someToRows(const Lanes<double, W>* lanes, int count, double* const* rows,
                                int k) {
  for (int i = k; i < k + count; ++i)
    for (int l = 0; l < W; ++l) rows[l][i] = lane(lanes[i], l);
}

#if defined(__AVX__)
/// Numbers i and i + 1 of rows l and l + 2.
ESPALIER_INLINE __m256d pairOf(const double* const* rows, int l, int i) {
  return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(rows[l] + i)),
                              _mm_loadu_pd(rows[l + 2] + i), 1);
}
#endif

template <int W>
ESPALIER_INLINE void fourFromRows(const double* const* rows, Lanes<double, W>* lanes, int k) {
#if defined(__AVX__)
  if constexpr (W == 4) {
    const __m256d a = pairOf(rows, 0, k), b = pairOf(rows, 1, k);
    const __m256d c = pairOf(rows, 0, k + 2), d = pairOf(rows, 1, k + 2);
    lanes[k].v = _mm256_unpacklo_pd(a, b);
    lanes[k + 1].v = _mm256_unpackhi_pd(a, b);
    lanes[k + 2].v = _mm256_unpacklo_pd(c, d);
    lanes[k + 3].v = _mm256_unpackhi_pd(c, d);
    return;
  }
#endif
  someFromRows(rows, 4, lanes, k);
}
template <int W>
ESPALIER_INLINE void fourToRows(const Lanes<double, W>* lanes, double* const* rows, int k) {
#if defined(__AVX__)
  if constexpr (W == 4) {
    const __m256d x = lanes[k].v, y = lanes[k + 1].v, z = lanes[k + 2].v, w = lanes[k + 3].v;
    const __m256d a = _mm256_unpacklo_pd(x, y), b = _mm256_unpackhi_pd(x, y);
    const __m256d c = _mm256_unpacklo_pd(z, w), d = _mm256_unpackhi_pd(z, w);
    _mm256_storeu_pd(rows[0] + k, _mm256_permute2f128_pd(a, c, 0x20));
    _mm256_storeu_pd(rows[1] + k, _mm256_permute2f128_pd(b, d, 0x20));
    _mm256_storeu_pd(rows[2] + k, _mm256_permute2f128_pd(a, c, 0x31));
    _mm256_storeu_pd(rows[3] + k, _mm256_permute2f128_pd(b, d, 0x31));
    return;
  }
#endif
  someToRows(lanes, 4, rows, k);
}

template <int W>
ESPALIER_INLINE void twoFromRows(const double* const* rows, Lanes<double, W>* lanes, int k) {
#if defined(__AVX__)
  if constexpr (W == 4) {
    const __m256d a = pairOf(rows, 0, k), b = pairOf(rows, 1, k);
    lanes[k].v = _mm256_unpacklo_pd(a, b);
    lanes[k + 1].v = _mm256_unpackhi_pd(a, b);
    return;
  }
#endif
  someFromRows(rows, 2, lanes, k);
}
template <int W>
ESPALIER_INLINE void twoToRows(const Lanes<double, W>* lanes, double* const* rows, int k) {
#if defined(__AVX__)
  if constexpr (W == 4) {
    const __m256d a = _mm256_unpacklo_pd(lanes[k].v, lanes[k + 1].v);
    const __m256d b = _mm256_unpackhi_pd(lanes[k].v, lanes[k + 1].v);
    _mm_storeu_pd(rows[0] + k, _mm256_castpd256_pd128(a));
    _mm_storeu_pd(rows[1] + k, _mm256_castpd256_pd128(b));
    _mm_storeu_pd(rows[2] + k, _mm256_extractf128_pd(a, 1));
    _mm_storeu_pd(rows[3] + k, _mm256_extractf128_pd(b, 1));
    return;
  }
#endif
  someToRows(lanes, 2, rows, k);
}

// All of them.
template <int W>
ESPALIER_INLINE void fromRows(const double* const* rows, int count, Lanes<double, W>* lanes) {
  int k = 0;
  for (; k + 4 <= count; k += 4) fourFromRows(rows, lanes, k);
  if (k + 2 <= count) {
    twoFromRows(rows, lanes, k);
    k += 2;
  }
  someFromRows(rows, count - k, lanes, k);
}
template <int W>
ESPALIER_INLINE void toRows(const Lanes<double, W>* lanes, int count, double* const* rows) {
  int k = 0;
  for (; k + 4 <= count; k += 4) fourToRows(lanes, rows, k);
  if (k + 2 <= count) {
    twoToRows(lanes, rows, k);
    k += 2;
  }
  someToRows(lanes, count - k, rows, k);
}

/// One place.
template <class T>
struct OnePlace {
  int i;

  template <template <class> class S>
  ESPALIER_INLINE const S<T>& load(const S<T>* from) const {
    return from[i];
  }
  /// Of parameters: of(i).
  template <template <class> class S, class Of>
  ESPALIER_INLINE S<T> loadOf(Of&& of) const {
    return bc<T>(of(i));
  }
  template <template <class> class S>
  ESPALIER_INLINE void store(S<T>* to, const S<T>& x) const {
    to[i] = x;
  }
};

/// Four places, of which some may be the same.
struct FourPlaces {
  using Four = Lanes<double, 4>;
  int i[4];

  template <template <class> class S, class Of>
  ESPALIER_INLINE S<Four> loadOf(Of&& of) const {
    constexpr int count = sizeof(S<double>) / sizeof(double);
    static_assert(sizeof(S<Four>) == count * sizeof(Four));
    const double* rows[4];
    for (int l = 0; l < 4; ++l) rows[l] = reinterpret_cast<const double*>(&of(i[l]));
    S<Four> x;
    fromRows(rows, count, reinterpret_cast<Four*>(&x));
    return x;
  }
  template <template <class> class S>
  ESPALIER_INLINE S<Four> load(const S<double>* from) const {
    return loadOf<S>([from](int k) -> const S<double>& { return from[k]; });
  }
  template <template <class> class S>
  ESPALIER_INLINE void store(S<double>* to, const S<Four>& x) const {
    constexpr int count = sizeof(S<double>) / sizeof(double);
    double* rows[4];
    for (int l = 0; l < 4; ++l) rows[l] = reinterpret_cast<double*>(&to[i[l]]);
    toRows(reinterpret_cast<const Four*>(&x), count, rows);
  }
};

/// f(at) for the places from first to last; of the last four some may come twice.
template <class T, class F>
ESPALIER_INLINE void forPlaces(int first, int last, F&& f) {
  constexpr int worthFour = 3;  // fewer are done sooner one by one
  if constexpr (std::is_same_v<T, double>) {
    if (last - first >= worthFour) {
      const int end = last - 1;
      for (int i = first; i < last; i += 4)
        f(FourPlaces{{i, std::min(i + 1, end), std::min(i + 2, end), std::min(i + 3, end)}});
      return;
    }
  }
  for (int i = first; i < last; ++i) f(OnePlace<T>{i});
}

}  // namespace espalier
