#pragma once

#include "espalier/dynamics/factor.h"

namespace espalier {

template <class T>
void factor(const Topology& t, Workspace<T>& ws) {
  for (int k = t.nv - 1; k >= 0; --k) {
    T* rowK = &ws.H[t.row[k]];
    const int depth = t.dofDepth[k];
    const T inverse = T(value_t<T>(1)) / rowK[depth];
    ws.Dinv[k] = inverse;
    int i = t.dofParent[k];
    for (int d = depth - 1; d >= 0; --d, i = t.dofParent[i]) {
      const T a = rowK[d] * inverse;
      T* rowI = &ws.H[t.row[i]];
      for (int j = 0; j <= d; ++j) rowI[j] = fnma(a, rowK[j], rowI[j]);
      rowK[d] = a;
    }
  }
}

template <class T>
void solveTransposed(const Topology& t, const Workspace<T>& ws, T* x) {
  for (int i = t.nv - 1; i >= 0; --i) {
    const T* row = &ws.H[t.row[i]];
    const T xi = x[i];
    int j = t.dofParent[i];
    for (int d = t.dofDepth[i] - 1; d >= 0; --d, j = t.dofParent[j]) x[j] = fnma(row[d], xi, x[j]);
  }
}

template <class T>
void solveForward(const Topology& t, const Workspace<T>& ws, T* x) {
  for (int i = 0; i < t.nv; ++i) {
    const T* row = &ws.H[t.row[i]];
    T xi = x[i] * ws.Dinv[i];
    int j = t.dofParent[i];
    for (int d = t.dofDepth[i] - 1; d >= 0; --d, j = t.dofParent[j]) xi = fnma(row[d], x[j], xi);
    x[i] = xi;
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
