#pragma once

// Dense systems of a few hundred unknowns, in place, row by row, for solver 2.
//
//   factorSymmetric   A = U' U,  U above the diagonal        (Cholesky)
//   factorGeneral     P A = L U, partial pivoting
//
// Eliminations work on whole runs of a row, four pivots at a time, so that they are vectorised
// without reordering any sum: the same bits from every compiler.

#include <algorithm>
#include <cstddef>

#include "espalier/scalar/scalar.h"

namespace espalier::contact {

/// A square matrix in someone else's memory.
template <class T>
struct DenseView {
  T* data;
  std::size_t stride;
  int size;
  T* row(int i) const { return data + static_cast<std::size_t>(i) * stride; }
};

namespace dense_detail {

/// y += a x
template <class T>
inline void addRun(T* __restrict y, const T* __restrict x, T a, int n) {
  for (int j = 0; j < n; ++j) y[j] = fma(a, x[j], y[j]);
}
/// y -= sum of four a x
template <class T>
inline void subtractFour(T* __restrict y, const T* __restrict x0, const T* __restrict x1,
                         const T* __restrict x2, const T* __restrict x3, const T* a, int n) {
  const T a0 = a[0], a1 = a[1], a2 = a[2], a3 = a[3];
  for (int j = 0; j < n; ++j)
    y[j] = fnma(a3, x3[j], fnma(a2, x2[j], fnma(a1, x1[j], fnma(a0, x0[j], y[j]))));
}

}  // namespace dense_detail

/// x . y in a fixed order: eight partial sums, side by side.
template <class T>
inline T dotRun(const T* x, const T* y, int n) {
  T sum[8] = {};
  int j = 0;
  for (; j + 8 <= n; j += 8)
    for (int l = 0; l < 8; ++l) sum[l] = fma(x[j + l], y[j + l], sum[l]);
  for (; j < n; ++j) sum[0] = fma(x[j], y[j], sum[0]);
  return ((sum[0] + sum[4]) + (sum[1] + sum[5])) + ((sum[2] + sum[6]) + (sum[3] + sum[7]));
}

/// y = A x + y, A symmetric and stored whole: by rows of A as columns.
template <class T>
inline void addProduct(const DenseView<T>& a, const T* x, T* y) {
  int k = 0;
  for (; k + 4 <= a.size; k += 4) {
    const T minus[4] = {-x[k], -x[k + 1], -x[k + 2], -x[k + 3]};
    dense_detail::subtractFour(y, a.row(k), a.row(k + 1), a.row(k + 2), a.row(k + 3), minus,
                               a.size);
  }
  for (; k < a.size; ++k) dense_detail::addRun(y, a.row(k), x[k], a.size);
}

/// False where a pivot is not positive.
template <class T>
inline bool factorSymmetric(const DenseView<T>& a) {
  const int n = a.size;
  for (int first = 0; first < n; first += 4) {
    const int last = std::min(first + 4, n);
    for (int k = first; k < last; ++k) {
      for (int p = first; p < k; ++p)
        dense_detail::addRun(a.row(k) + k, a.row(p) + k, -a.row(p)[k], n - k);
      T* u = a.row(k);
      if (!(u[k] > T(0))) return false;
      const T inverse = T(1) / sqrt(u[k]);
      for (int j = k; j < n; ++j) u[j] *= inverse;
    }
    if (last - first < 4) break;
    for (int i = last; i < n; ++i) {
      const T l[4] = {a.row(first)[i], a.row(first + 1)[i], a.row(first + 2)[i],
                      a.row(first + 3)[i]};
      dense_detail::subtractFour(a.row(i) + i, a.row(first) + i, a.row(first + 1) + i,
                                 a.row(first + 2) + i, a.row(first + 3) + i, l, n - i);
    }
  }
  return true;
}

/// x = (U' U)^-1 x
template <class T>
inline void solveSymmetric(const DenseView<T>& u, T* x) {
  const int n = u.size;
  for (int k = 0; k < n; ++k) {
    x[k] = x[k] / u.row(k)[k];
    dense_detail::addRun(x + k + 1, u.row(k) + k + 1, -x[k], n - k - 1);
  }
  for (int k = n - 1; k >= 0; --k)
    x[k] = (x[k] - dotRun(u.row(k) + k + 1, x + k + 1, n - k - 1)) / u.row(k)[k];
}

/// L below the diagonal, U on and above it; pivot[k]: the row that came to k.
///   False where a column holds nothing but zeros.
template <class T>
inline bool factorGeneral(const DenseView<T>& a, int* pivot) {
  const int n = a.size;
  for (int first = 0; first < n; first += 4) {
    const int last = std::min(first + 4, n);
    // Four columns, then the rows beside them, then what is left in one go.
    for (int k = first; k < last; ++k) {
      int best = k;
      for (int i = k + 1; i < n; ++i)
        if (abs(a.row(i)[k]) > abs(a.row(best)[k])) best = i;
      pivot[k] = best;
      if (best != k) std::swap_ranges(a.row(k), a.row(k) + n, a.row(best));
      if (!(abs(a.row(k)[k]) > T(0))) return false;
      const T inverse = T(1) / a.row(k)[k];
      for (int i = k + 1; i < n; ++i) {
        const T l = a.row(i)[k] *= inverse;
        for (int j = k + 1; j < last; ++j) a.row(i)[j] = fnma(l, a.row(k)[j], a.row(i)[j]);
      }
    }
    if (last == n) break;
    for (int k = first + 1; k < last; ++k)
      for (int p = first; p < k; ++p)
        dense_detail::addRun(a.row(k) + last, a.row(p) + last, -a.row(k)[p], n - last);
    for (int i = last; i < n; ++i)
      dense_detail::subtractFour(a.row(i) + last, a.row(first) + last, a.row(first + 1) + last,
                                 a.row(first + 2) + last, a.row(first + 3) + last, a.row(i) + first,
                                 n - last);
  }
  return true;
}

/// x = A^-1 x
template <class T>
inline void solveGeneral(const DenseView<T>& a, const int* pivot, T* x) {
  const int n = a.size;
  for (int k = 0; k < n; ++k) std::swap(x[k], x[pivot[k]]);
  for (int k = 1; k < n; ++k) x[k] -= dotRun(a.row(k), x, k);
  for (int k = n - 1; k >= 0; --k)
    x[k] = (x[k] - dotRun(a.row(k) + k + 1, x + k + 1, n - k - 1)) / a.row(k)[k];
}

}  // namespace espalier::contact
