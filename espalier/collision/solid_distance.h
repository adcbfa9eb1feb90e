#pragma once

// How far a point is from a solid, and which way is out.

#include "espalier/collision/geom.h"

namespace espalier::collision {

/// Of points in the solid's frame.
/// Of the farthest face's plane: outside, no more than the distance.
SolidDistance distanceFromHull(const Vec3d& p, const Hull& hull);
/// Of any convex solid; inside, the nearest face counts, the first of equals.
SolidDistance solidDistance(const Vec3d& p, const Geom& solid);

}  // namespace espalier::collision
