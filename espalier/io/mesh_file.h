#pragma once

// Triangle meshes from STL, OBJ and DAE files.

#include <string>

#include "espalier/core/diagnostic.h"
#include "espalier/geometry/shape.h"

namespace espalier::io {

/// All triangles of a file as one mesh, in metres as the robot file means them.
///   in   path    .stl, .obj or .dae, at most largest_mesh_file bytes
///   in   scale   along x, y, z of the file; negative ones mirror, and the triangles are turned so
///                that their outside stays outside
///   out  vertices at the same place are one; triangles without area in them are gone
/// Collada: poses of nodes are applied and the file's unit is honoured; its up axis is ignored, as
/// ROS does, so that numbers in the file and in the link's frame are the same.
Expected<TriangleMesh> readMeshFile(const std::string& path, const Vec3d& scale = {1, 1, 1});

inline constexpr std::size_t largest_mesh_file = std::size_t{256} << 20;
inline constexpr std::size_t most_triangles = std::size_t{4} << 20;

}  // namespace espalier::io
