#pragma once

// THE closed list of scalars. An algorithm is declared in `foo.h`, defined in `foo_impl.h`, and
// instantiated by thin translation units:
//   foo.cpp       double and, in dynamics, dual numbers: all that a World by itself needs
//   foo_v3.cpp    float, and the lanes of the base level (x86-64-v3, or any other processor)
//   foo_v4.cpp    the lanes of x86-64-v4, reached only after a run-time check
// Of a module with the latter two they are a library of their own (espalier_module's LANES).
// Dual and Jet2 are instantiated where a derivative is asked for.

#include "espalier/scalar/dual.h"
#include "espalier/scalar/lanes.h"

namespace espalier {

/// Worlds in one register at this level: Lanes<double, 4> and Lanes<float, 8> on v3,
/// Lanes<double, 8> and Lanes<float, 16> on v4.
using DoubleLanes = Lanes<double, register_bytes / 8>;
using FloatLanes = Lanes<float, register_bytes / 4>;

}  // namespace espalier

/// X(T) for the scalars of one world and its derivatives.
#define ESPALIER_FOR_WORLD_SCALARS(X) \
  X(double)                           \
  X(::espalier::Dual<double>)

/// X(T) for the lanes of a level (only in files named *_v3.cpp and *_v4.cpp).
#define ESPALIER_FOR_LANES(X) \
  X(::espalier::DoubleLanes)  \
  X(::espalier::FloatLanes)
