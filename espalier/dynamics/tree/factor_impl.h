#pragma once

#include "espalier/dynamics/tree/factor.h"
#include "espalier/dynamics/tree/subtract.h"

namespace espalier {

// Up to four dofs that follow one another and hang on one another are taken together: a row above
// them, or a number, is read and written once for all. Each number sees the operations in the order of
// dofs taken one by one.

namespace factor_detail {

/// How many dofs up to `last` go together, the last of them given.
ESPALIER_INLINE int countUp(const Topology& t, int last) {
  int count = 1;
  while (count < 4 && last - count >= 0 && t.dofParent[last - count + 1] == last - count) ++count;
  return count;
}
/// The same from the first on.
ESPALIER_INLINE int countDown(const Topology& t, int first) {
  int count = 1;
  while (count < 4 && first + count < t.nv && t.dofParent[first + count] == first + count - 1)
    ++count;
  return count;
}

template <class F>
ESPALIER_INLINE void withCount(int count, F&& f) {
  switch (count) {
    case 1: return f.template operator()<1>();
    case 2: return f.template operator()<2>();
    case 3: return f.template operator()<3>();
    default: return f.template operator()<4>();
  }
}

/// Rows of K dofs down from `last`; columns before `first` stay to be eliminated.
template <int K, class T>
ESPALIER_INLINE void factorRows(const Topology& t, int last, int first, Workspace<T>& ws) {
  const int depth = t.dofDepth[last];
  T *row[K], inverse[K];
  const T* from[K];
  for (int c = 0; c < K; ++c) from[c] = row[c] = &ws.H[t.row[last - c]];
  for (int c = 0; c < K; ++c) {
    ws.Dinv[last - c] = inverse[c] = T(value_t<T>(1)) / row[c][depth - c];
    for (int g = c + 1; g < K; ++g) {
      const T a = row[c][depth - g] * inverse[c];
      subtractRows<1, T>(row[g], {row[c]}, {a}, depth - g + 1);
      row[c][depth - g] = a;
    }
  }
  int i = t.dofParent[last - K + 1];
  for (int d = depth - K; d >= first; --d, i = t.dofParent[i]) {
    T a[K];
    for (int c = 0; c < K; ++c) a[c] = row[c][d] * inverse[c];
    subtractRows<K, T>(&ws.H[t.row[i]], from, a, d + 1);
    for (int c = 0; c < K; ++c) row[c][d] = a[c];
  }
}

/// Numbers of a floating base's six dofs, in registers: rows 0 to 3, and 4 and 5 with two zeros.
struct BaseColumn {
  using Four = Lanes<double, 4>;
  Four low, high;

  static ESPALIER_INLINE BaseColumn at(const double* from) {
    BaseColumn x;
    std::memcpy(&x.low, from, sizeof x.low);
#if defined(__AVX__)
    x.high = Four(Four::Vector(_mm256_zextpd128_pd256(_mm_loadu_pd(from + 4))));
#else
    x.high = Four(Four::Vector{from[4], from[5], 0, 0});
#endif
    return x;
  }
  ESPALIER_INLINE void put(double* to) const {
    std::memcpy(to, &low, sizeof low);
    std::memcpy(to + 4, &high, 2 * sizeof(double));
  }
};

/// What all other dofs leave of a floating base's rows, last dof first, and then their own LTL.
///   pre  the others' columns of the base are not scaled yet
inline void factorBase(const Topology& t, Workspace<double>& ws) {
  using Four = BaseColumn::Four;
  double* H = ws.H.data();
  Four low[4], high[6];  // column j; what lies above row j is not used
  const auto at = [H](int i, int j) { return i < j ? 0 : H[i * (i + 1) / 2 + j]; };
  for (int j = 0; j < 6; ++j) {
    if (j < 4) low[j] = Four(Four::Vector{at(0, j), at(1, j), at(2, j), at(3, j)});
    high[j] = Four(Four::Vector{at(4, j), at(5, j), 0, 0});
  }
  for (int k = t.nv - 1; k >= 6; --k) {
    double* row = H + t.row[k];
    BaseColumn a = BaseColumn::at(row);
    const Four inverse(ws.Dinv[k]);
    a.low = a.low * inverse;
    a.high = a.high * inverse;
#pragma GCC unroll 6
    for (int j = 0; j < 6; ++j) {
      const Four x(row[j]);
      if (j < 4) low[j] = fnma(a.low, x, low[j]);
      high[j] = fnma(a.high, x, high[j]);
    }
    a.put(row);
  }
  double h[6][6];
#pragma GCC unroll 6
  for (int i = 0; i < 6; ++i)
#pragma GCC unroll 6
    for (int j = 0; j <= i; ++j)
      h[i][j] = i < 4 ? lane(low[j < 4 ? j : 0], i) : lane(high[j], i - 4);
#pragma GCC unroll 6
  for (int k = 5; k >= 0; --k) {
    const double inverse = 1 / h[k][k];
    ws.Dinv[k] = inverse;
#pragma GCC unroll 6
    for (int i = k - 1; i >= 0; --i) {
      const double a = h[k][i] * inverse;
#pragma GCC unroll 6
      for (int j = 0; j <= i; ++j) h[i][j] = fnma(a, h[k][j], h[i][j]);
      h[k][i] = a;
    }
  }
#pragma GCC unroll 6
  for (int i = 0; i < 6; ++i)
#pragma GCC unroll 6
    for (int j = 0; j <= i; ++j) H[i * (i + 1) / 2 + j] = h[i][j];
}

/// A floating base's part of L'^-1 x.   pre  the others' x
inline void solveBaseTransposed(const Topology& t, const Workspace<double>& ws, double* x) {
  BaseColumn sum = BaseColumn::at(x);
  for (int k = t.nv - 1; k >= 6; --k) {
    const BaseColumn row = BaseColumn::at(&ws.H[t.row[k]]);
    const BaseColumn::Four xk(x[k]);
    sum.low = fnma(xk, row.low, sum.low);
    sum.high = fnma(xk, row.high, sum.high);
  }
  double b[6];
  for (int i = 0; i < 6; ++i) b[i] = i < 4 ? lane(sum.low, i) : lane(sum.high, i - 4);
#pragma GCC unroll 6
  for (int i = 5; i > 0; --i)
    for (int j = 0; j < i; ++j) b[j] = fnma(b[i], ws.H[t.row[i] + j], b[j]);
  put(x, b[0], b[1], b[2], b[3], b[4], b[5]);
}

/// Whether a floating base's six dofs are taken together, after all others: of doubles.
template <class T>
ESPALIER_INLINE bool takesBaseLast(const Topology& t) {
  return std::is_same_v<T, double> && t.floating;
}

template <int K, class T>
ESPALIER_INLINE void solveRowsTransposed(const Topology& t, const Workspace<T>& ws, int last,
                                         bool withBase, T* x) {
  const int depth = t.dofDepth[last], top = last - K + 1;
  const T* row[K];
  T own[K];
  for (int c = 0; c < K; ++c) row[c] = &ws.H[t.row[last - c]];
  for (int c = 0; c < K; ++c) {
    own[c] = x[last - c];
    for (int g = c + 1; g < K; ++g) x[last - g] = fnma(own[c], row[c][depth - g], x[last - g]);
  }
  for (int r = t.firstRun[top]; r < t.firstRun[top + 1]; ++r) {
    Topology::Run run = t.runs[r];
    if (!withBase && run.dof < 6) {
      const int shared = 6 - run.dof;
      run = {run.dof + shared, run.depth + shared, run.count - shared};
    }
    const T* from[K];
    for (int c = 0; c < K; ++c) from[c] = row[c] + run.depth;
    subtractRows<K, T>(x + run.dof, from, own, run.count);
  }
}

template <int K, class T>
ESPALIER_INLINE void solveRowsForward(const Topology& t, const Workspace<T>& ws, int first, T* x) {
  const int depth = t.dofDepth[first];
  const T* row[K];
  T own[K];
  for (int c = 0; c < K; ++c) {
    row[c] = &ws.H[t.row[first + c]];
    own[c] = x[first + c] * ws.Dinv[first + c];
  }
  // From the root on: what was found last is needed last.
  for (int r = t.firstRun[first]; r < t.firstRun[first + 1]; ++r) {
    const Topology::Run run = t.runs[r];
    for (int k = 0; k < run.count; ++k) {
      const T known = x[run.dof + k];
      for (int c = 0; c < K; ++c) own[c] = fnma(row[c][run.depth + k], known, own[c]);
    }
  }
  for (int c = 0; c < K; ++c) {
    for (int g = 0; g < c; ++g) own[c] = fnma(row[c][depth + g], own[g], own[c]);
    x[first + c] = own[c];
  }
}

}  // namespace factor_detail

template <class T>
void factor(const Topology& t, Workspace<T>& ws) {
  using namespace factor_detail;
  const int first = takesBaseLast<T>(t) ? 6 : 0;
  for (int k = t.nv - 1; k >= first;) {
    const int count = std::min(countUp(t, k), k - first + 1);
    withCount(count, [&]<int K>() { factorRows<K>(t, k, first, ws); });
    k -= count;
  }
  if constexpr (std::is_same_v<T, double>)
    if (t.floating) factorBase(t, ws);
}

template <class T>
void solveTransposed(const Topology& t, const Workspace<T>& ws, T* x) {
  using namespace factor_detail;
  const int first = takesBaseLast<T>(t) ? 6 : 0;
  for (int k = t.nv - 1; k >= first;) {
    const int count = std::min(countUp(t, k), k - first + 1);
    withCount(count, [&]<int K>() { solveRowsTransposed<K>(t, ws, k, first == 0, x); });
    k -= count;
  }
  if constexpr (std::is_same_v<T, double>)
    if (t.floating) solveBaseTransposed(t, ws, x);
}

template <class T>
void solveForward(const Topology& t, const Workspace<T>& ws, T* x) {
  using namespace factor_detail;
  for (int k = 0; k < t.nv;) {
    int count = countDown(t, k);
    if (t.floating && k < 6)
      count = std::min(count, 6 - k);  // what hangs on the base goes together
    withCount(count, [&]<int K>() { solveRowsForward<K>(t, ws, k, x); });
    k += count;
  }
}

template <class T>
void solve(const Topology& t, const Workspace<T>& ws, T* x) {
  solveTransposed(t, ws, x);
  solveForward(t, ws, x);
}

template <class T>
void inverse(const Topology& t, const Workspace<T>& ws, T* dense) {
  const int n = t.nv;
  for (int i = 0; i < n * n; ++i) dense[i] = T(value_t<T>(0));
  for (int i = 0; i < n; ++i) {
    dense[i * n + i] = T(value_t<T>(1));
    solve(t, ws, dense + i * n);  // symmetric: row i is column i
  }
}

}  // namespace espalier

/// For the translation units of every instruction-set level.
#define ESPALIER_INSTANTIATE_FACTOR(T)                                        \
  template void factor<T>(const Topology&, Workspace<T>&);                    \
  template void solve<T>(const Topology&, const Workspace<T>&, T*);           \
  template void solveTransposed<T>(const Topology&, const Workspace<T>&, T*); \
  template void solveForward<T>(const Topology&, const Workspace<T>&, T*);    \
  template void inverse<T>(const Topology&, const Workspace<T>&, T*);
