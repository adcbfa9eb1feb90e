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

/// Rows of K dofs down from `last`.
template <int K, class T>
ESPALIER_INLINE void factorRows(const Topology& t, int last, Workspace<T>& ws) {
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
  for (int d = depth - K; d >= 0; --d, i = t.dofParent[i]) {
    T a[K];
    for (int c = 0; c < K; ++c) a[c] = row[c][d] * inverse[c];
    subtractRows<K, T>(&ws.H[t.row[i]], from, a, d + 1);
    for (int c = 0; c < K; ++c) row[c][d] = a[c];
  }
}

template <int K, class T>
ESPALIER_INLINE void solveRowsTransposed(const Topology& t, const Workspace<T>& ws, int last,
                                         T* x) {
  const int depth = t.dofDepth[last], top = last - K + 1;
  const T* row[K];
  T own[K];
  for (int c = 0; c < K; ++c) row[c] = &ws.H[t.row[last - c]];
  for (int c = 0; c < K; ++c) {
    own[c] = x[last - c];
    for (int g = c + 1; g < K; ++g) x[last - g] = fnma(own[c], row[c][depth - g], x[last - g]);
  }
  for (int r = t.firstRun[top]; r < t.firstRun[top + 1]; ++r) {
    const Topology::Run run = t.runs[r];
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
  for (int k = t.nv - 1; k >= 0;) {
    const int count = countUp(t, k);
    withCount(count, [&]<int K>() { factorRows<K>(t, k, ws); });
    k -= count;
  }
}

template <class T>
void solveTransposed(const Topology& t, const Workspace<T>& ws, T* x) {
  using namespace factor_detail;
  for (int k = t.nv - 1; k >= 0;) {
    const int count = countUp(t, k);
    withCount(count, [&]<int K>() { solveRowsTransposed<K>(t, ws, k, x); });
    k -= count;
  }
}

template <class T>
void solveForward(const Topology& t, const Workspace<T>& ws, T* x) {
  using namespace factor_detail;
  for (int k = 0; k < t.nv;) {
    const int count = countDown(t, k);
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
