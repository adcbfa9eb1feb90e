#pragma once

// Flush boxes. What slides over one box onto the next, or along their sides, is apart from the next one
// along its way and touches the face that it slides on without overlap. The edge between the two faces has no
// height there: a contact across it would stop what passes. So such a pair has none until it overlaps along one
// of the two.

#include "espalier/collision/geom.h"

namespace espalier::collision {

/// m; less overlap is rounding, or what a load presses in. Above what pairs take for equal gaps.
inline double touchingOf(const Geom& a, const Geom& b) {
  return 4e-6 * min(a.radius, b.radius) + 2e-6 * (a.radius + b.radius);
}

/// Whether a solid touches the plane of one face of a box and lies beyond that of another, or touches it too; what
/// lies beyond three touches a corner.
///   in  x, y, z  gaps along the box's axes, m
inline bool areFlush(double x, double y, double z, double touching) {
  const int beyond = (x >= -touching) + (y >= -touching) + (z >= -touching);
  return beyond == 2 && (abs(x) <= touching || abs(y) <= touching || abs(z) <= touching);
}

}  // namespace espalier::collision
