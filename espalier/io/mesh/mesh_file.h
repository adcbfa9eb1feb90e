#pragma once

// Triangle meshes from files.

#include <string>

#include "espalier/core/diagnostic.h"
#include "espalier/geometry/shape.h"

namespace espalier::io {

/// Whether a file's name says that it is a mesh that can be read: .stl, .obj, .dae, .glb, .gltf, .ply or .msh.
bool hasMeshExtension(const std::string& path);

/// All triangles of a file as one mesh, in metres as the robot file means them.
///   in   path    hasMeshExtension(path), within default_limits (io/text/reading_budget.h)
///   in   scale   along x, y, z of the file; negative ones mirror, and the triangles are turned so
///                that their outside stays outside
///   out  vertices at the same place are one; triangles without area in them are gone. Or an Error:
///        no file, however broken, ends the process
/// STL, OBJ and MSH are read here; Collada, glTF and PLY by assimp in a child process
/// (io/mesh/mesh_formats.h): poses of nodes are applied and a Collada file's unit is honoured. The up axis of
/// Collada and glTF is ignored, as ROS, trimesh and SAPIEN do, so that numbers in the file and in the link's
/// frame are the same.
Expected<TriangleMesh> readMeshFile(const std::string& path, const Vec3d& scale = {1, 1, 1});

}  // namespace espalier::io
