#pragma once

// Vectors of the library as Eigen's, and back.

#include <Eigen/Core>

#include "espalier/spatial/vec3.h"

namespace espalier::testing {

inline Eigen::Vector3d toEigen(const Vec3d& v) { return {v.x, v.y, v.z}; }
inline Vec3d fromEigen(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }

}  // namespace espalier::testing
