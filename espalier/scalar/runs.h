#pragma once

// Loops over runs of plain numbers, four at a time and the rest one by one. f is written once:
//
//   forRun(0, n, [&]<class T>(int i) { store(y + i, load<T>(x + i) * T(2.0)); });

#include <cstring>

#include "espalier/scalar/lanes.h"
#include "espalier/scalar/scalar.h"

namespace espalier {

template <class T>
ESPALIER_INLINE T load(const double* from) {
  T x;
  std::memcpy(&x, from, sizeof(T));
  return x;
}
template <class T>
ESPALIER_INLINE void store(double* to, const T& x) {
  std::memcpy(to, &x, sizeof(T));
}

/// f<T>(i) for i from first to last, i of the first of T's numbers.
template <class F>
ESPALIER_INLINE void forRun(int first, int last, F&& f) {
  int i = first;
  for (; i + 4 <= last; i += 4) f.template operator()<Lanes<double, 4>>(i);
  for (; i < last; ++i) f.template operator()<double>(i);
}

}  // namespace espalier
