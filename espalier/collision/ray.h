#pragma once

// A ray against one geom. A ray that starts inside a solid, or below a plane or a heightfield,
// does not see it; a static mesh has no inside and is seen from both sides.

#include "espalier/collision/geom.h"

namespace espalier::collision {

/// Where the ray, of unit direction, meets the geom first.
///   in/out  distance   m; the ray's length before, the distance of the hit after
///   out     normal     unit, of the surface, against the ray
///   out     return     false where nothing is met within distance; then nothing is set
bool meets(const Ray& ray, const Geom& geom, double& distance, Vec3d& normal);

/// In the heightfield's frame.
bool meetsHeightfield(const Ray& ray, const Field& field, double& distance, Vec3d& normal);
/// By ODE, in the world.
bool meetsMesh(const Ray& ray, const Geom& mesh, double& distance, Vec3d& normal);

}  // namespace espalier::collision
