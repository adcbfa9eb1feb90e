#pragma once

// The components of a vector by the number of their axis.

#include "espalier/spatial/vec3.h"

namespace espalier::collision {

inline double& at(Vec3d& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }
inline double at(const Vec3d& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

}  // namespace espalier::collision
