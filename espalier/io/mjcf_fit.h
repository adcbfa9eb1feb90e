#pragma once

// Shapes near others: MuJoCo's primitives fitted to a mesh, and a mesh in place of an ellipsoid.

#include <array>
#include <memory>
#include <string>

#include "espalier/geometry/shape.h"

namespace espalier::io {

/// MuJoCo's size, m, of a primitive by the half sizes of its inertia box.
///   in   type  sphere, capsule, cylinder, box or ellipsoid
///   in   half  ascending, m
std::array<double, 3> fittedSize(const std::string& type, const std::array<double, 3>& half);

/// Points of the ellipsoid with these half axes, m, as a closed convex mesh of 1,280 faces. Between
/// its points it lies within 0.5 % of the largest half axis below the ellipsoid.
std::shared_ptr<const TriangleMesh> ellipsoidMesh(const Vec3d& half);

}  // namespace espalier::io
