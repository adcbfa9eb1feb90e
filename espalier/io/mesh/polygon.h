#pragma once

// Polygons of mesh files as triangles.

#include <array>
#include <span>
#include <vector>

#include "espalier/spatial/vec3.h"

namespace espalier::io {

/// Corners of a polygon that is not convex, at most: ear clipping costs up to their cube.
inline constexpr std::size_t most_concave_corners = 256;

/// Appends the triangles of a polygon, as indices of its corners, in its sense of rotation: a fan
/// about corner 0 where the polygon is convex or has no area, else by ear clipping in the plane
/// of its vector area (Newell).
///   in   corners   3 or more, nearly in one plane
///   out  false where it is not convex and has more than most_concave_corners
bool triangulate(std::span<const Vec3d> corners, std::vector<std::array<int, 3>>& out);

}  // namespace espalier::io
