#pragma once

// THE closed list of scalars. An algorithm is declared in `foo.h`, defined in `foo_impl.h`, and
// instantiated by thin translation units:
//   foo.cpp       double, float, and the lanes of the base level
//   foo_v4.cpp    the lanes of x86-64-v4, reached only after a run-time check
// Dual and Jet2 are instantiated where a derivative is asked for.

#include "espalier/scalar/dual.h"
#include "espalier/scalar/lanes.h"

namespace espalier {

/// Worlds in one register at this level: Lanes<double, 4> and Lanes<float, 8> on v3,
/// Lanes<double, 8> and Lanes<float, 16> on v4.
using DoubleLanes = Lanes<double, register_bytes / 8>;
using FloatLanes = Lanes<float, register_bytes / 4>;

}  // namespace espalier

/// X(T) for every scalar compiled at the base level of the library.
#define ESPALIER_FOR_BASE_SCALARS(X) \
  X(double)                          \
  X(float)                           \
  X(::espalier::DoubleLanes)         \
  X(::espalier::FloatLanes)          \
  X(::espalier::Dual<double>)

/// X(T) for the wide lanes (only in files named *_v4.cpp).
#define ESPALIER_FOR_WIDE_SCALARS(X) \
  X(::espalier::DoubleLanes)         \
  X(::espalier::FloatLanes)
