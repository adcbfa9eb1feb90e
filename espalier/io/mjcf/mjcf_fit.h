#pragma once

// MuJoCo's primitives fitted to a mesh.

#include <array>
#include <string>

namespace espalier::io {

/// MuJoCo's size, m, of a primitive by the half sizes of its inertia box.
///   in   type  sphere, capsule, cylinder, box or ellipsoid
///   in   half  ascending, m
std::array<double, 3> fittedSize(const std::string& type, const std::array<double, 3>& half);

}  // namespace espalier::io
