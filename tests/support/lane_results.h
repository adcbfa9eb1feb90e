#pragma once

// What an algorithm computed for several worlds at once, one by one. Compiled for wide registers,
// too: the type of the lanes stands in the function's name (scripts/check_isa.py).

#include "espalier/scalar/scalar.h"

namespace espalier::testing {

/// Writes all that all.forEachResult calls: results[w] gets the numbers of world w, in order.
/// Returns how many there are; with results = nullptr it only counts.
template <class T, class Algorithms>
int writeResults(const Algorithms& all, value_t<T>* const* results) {
  int n = 0;
  all.forEachResult([&](const T& x) {
    if (results)
      for (int w = 0; w < lanes_v<T>; ++w) results[w][n] = lane(x, w);
    ++n;
  });
  return n;
}

}  // namespace espalier::testing
