#pragma once

// How far a point is from a solid, and which way is out.

#include "espalier/collision/geom.h"

namespace espalier::collision {

/// Signed, negative inside; n is its gradient, unit, in the solid's frame.
struct SolidDistance {
  double d;
  Vec3d n;
};

/// Of points in the solid's frame. Inside, the nearest face counts, the first of equals.
SolidDistance distanceFromBox(const Vec3d& p, const Vec3d& half);
SolidDistance distanceFromCylinder(const Vec3d& p, double radius, double half);
SolidDistance distanceFromCapsule(const Vec3d& p, double radius, double half);
/// Of the farthest face's plane: outside, no more than the distance.
SolidDistance distanceFromHull(const Vec3d& p, const Hull& hull);
/// Of any of these.
SolidDistance solidDistance(const Vec3d& p, const Geom& solid);

}  // namespace espalier::collision
