#pragma once

// The result of a collision query.

#include "espalier/core/id.h"
#include "espalier/spatial/vec3.h"

namespace espalier {

/// One point at which geom a touches, or is about to touch, geom b; always a < b.
///   normal    unit, world axes, from b to a: the direction in which the contact pushes a
///   depth     m; > 0 how far a must move along the normal to be free, < 0 minus the gap
///   position  world axes:
///               sphere against anything but a sphere or capsule   on the sphere's surface
///               anything against a plane or a heightfield         on the surface of the other
///               all other pairs                                   midway between both surfaces
///   feature   which corner, end or face this is: stable while the same features touch, and
///             different for all points of one pair, so that (a, b, feature) finds the point
///             again in the next step
struct ContactPoint {
  GeomId a, b;
  Vec3d position;
  Vec3d normal;
  double depth;
  int feature;
};

/// Where a ray first meets a surface.
struct RayHit {
  GeomId geom;
  Vec3d position;       ///< world axes
  Vec3d normal;         ///< unit, world axes, against the ray
  double distance = 0;  ///< m along the ray
};

}  // namespace espalier
