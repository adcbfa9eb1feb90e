#pragma once

#include <array>

#include "espalier/spatial/inertia.h"

namespace espalier {

/// I = R diag(moments) R'.
struct PrincipalAxes {
  std::array<double, 3> moments;
  Mat3d R;  ///< columns are the axes, in those of I
};

/// Principal moments of inertia with their axes, in no order.
///   pre  finite
///   from cyclic Jacobi rotations
PrincipalAxes principalAxes(const Sym3<double>& inertia);

/// The moments alone, ascending.
std::array<double, 3> principalMoments(const Sym3<double>& inertia);

}  // namespace espalier
