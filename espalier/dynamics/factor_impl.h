#pragma once

#include "espalier/dynamics/factor.h"
#include "espalier/dynamics/subtract.h"

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
      subtract(&ws.H[t.row[i]], rowK, a, d + 1);
      rowK[d] = a;
    }
  }
}

template <class T>
void solveTransposed(const Topology& t, const Workspace<T>& ws, T* x) {
  for (int i = t.nv - 1; i >= 0; --i) {
    const T* row = &ws.H[t.row[i]];
    const T xi = x[i];
    for (int r = t.firstRun[i]; r < t.firstRun[i + 1]; ++r) {
      const Topology::Run run = t.runs[r];
      subtract(x + run.dof, row + run.depth, xi, run.count);
    }
  }
}

template <class T>
void solveForward(const Topology& t, const Workspace<T>& ws, T* x) {
  for (int i = 0; i < t.nv; ++i) {
    const T* row = &ws.H[t.row[i]];
    T xi = x[i] * ws.Dinv[i];
    // From the root on: what was found last is needed last.
    for (int r = t.firstRun[i]; r < t.firstRun[i + 1]; ++r) {
      const Topology::Run run = t.runs[r];
      for (int k = 0; k < run.count; ++k) xi = fnma(row[run.depth + k], x[run.dof + k], xi);
    }
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

/// For the translation units of every instruction-set level.
#define ESPALIER_INSTANTIATE_FACTOR(T)                                        \
  template void factor<T>(const Topology&, Workspace<T>&);                    \
  template void solve<T>(const Topology&, const Workspace<T>&, T*);           \
  template void solveTransposed<T>(const Topology&, const Workspace<T>&, T*); \
  template void solveForward<T>(const Topology&, const Workspace<T>&, T*);    \
  template void inverse<T>(const Topology&, const Workspace<T>&, T*);
