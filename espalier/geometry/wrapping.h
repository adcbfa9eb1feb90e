#pragma once

// A taut string between two points that is led round a sphere or a cylinder: where it meets and
// leaves the surface, and how long it is. All points are in the surface's frame.

#include <optional>

#include "espalier/scalar/dual.h"
#include "espalier/spatial/vec3.h"

namespace espalier {

/// A sphere about the origin, or a cylinder without ends along z.
struct WrapSurface {
  double radius = 0;  ///< m
  bool isCylinder = false;
};

/// LEFT and RIGHT: round the outside, counter-clockwise or clockwise about the normal, which is the
/// cylinder's z, or a x b. INSIDE: from a to one point of the surface and on to b, the shortest way.
enum class WrapWay { STRAIGHT, LEFT, RIGHT, INSIDE };

struct Wrapping {
  WrapWay way = WrapWay::STRAIGHT;
  /// Where the string meets and leaves the surface; STRAIGHT: its own middle, twice.
  Vec3d first{0, 0, 0}, second{0, 0, 0};
  double arc = 0;  ///< m, of the way on the surface
};

/// How a string runs from a to b.
///   in  side  the string is led round as the way from a by this point to b is, and straight where that
///             does the same; inside the sphere of the radius: INSIDE. None: the shorter way round, where
///             the straight one is barred
/// Straight where a or b lies in the surface.
Wrapping wrap(const WrapSurface& surface, const Vec3d& a, const Vec3d& b,
              const std::optional<Vec3d>& side);

/// Length of the string whose ends move, with its first and second derivative.
///   in  way  as wrap() finds it
Jet2<double> wrappedLength(const WrapSurface& surface, WrapWay way, const Vec3<Jet2<double>>& a,
                           const Vec3<Jet2<double>>& b);

}  // namespace espalier
