#pragma once

// How far the two frames of a loop are from where it is closed, and the frame that closes it.

#include <string>

#include "espalier/model/loops/mechanism.h"
#include "espalier/model/lowered.h"

namespace espalier {

/// Where frames A and B of a loop are, in one common frame.
struct LoopEnds {
  Transformd A, B;
};
LoopEnds endsOf(const Topology& t, const Lowered<double>& par, const Closure& loop,
                const double* q);

/// Residual of the equations of a loop: the length of its point rows and, of its turn rows, the
/// angle by which axes are apart.
struct LoopGap {
  double distance = 0;  ///< m
  double angle = 0;     ///< rad
};
LoopGap gapOf(const Closure& loop, const LoopEnds& ends);

/// Largest residual explained by the digits of a file: rad, and m for each metre of a loop.
inline constexpr double by_rounding = 3e-3;
inline bool isRounding(const LoopGap& gap, double size) {
  return gap.distance <= by_rounding * size && gap.angle <= by_rounding;
}

/// "0.00012 m and 0.001 rad"; a part that is rounding of double is left out.
std::string printed(const LoopGap& gap);

/// B moved by as little as closes the loop: its origin along the axes of A that the loop holds, its
/// axes onto those of A.
///   io  loop  axis2 of a universal joint, which is turned instead of B
Transformd closedEnd(Closure& loop, const LoopEnds& ends);

/// The largest distance between the loop's anchor and the bodies that it ties, m.
double sizeOf(const Topology& t, const Lowered<double>& par, const Closure& loop, const double* q);

/// The same loop in the link frames of its two ends, `a` and `b` not set.
Closure closureOf(const LoopSpec& loop);

}  // namespace espalier
