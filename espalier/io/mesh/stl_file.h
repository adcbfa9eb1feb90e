#pragma once

// Triangle meshes as STL, binary and ASCII.

#include <string>
#include <string_view>

#include "espalier/core/diagnostic.h"
#include "espalier/geometry/shape.h"

namespace espalier::io {

/// The triangles of an STL file's bytes. Its normals and attributes are not used.
///   in   path    its name in remarks
///   in   scale   along x, y, z; an odd number of negative ones mirrors the mesh
///   out  as readMeshFile (io/mesh/mesh_file.h); Errors tell the line of ASCII, the byte of binary files
/// A file is binary if it has exactly the 84 + 50 n bytes that its number of triangles n asks for,
/// and ASCII if it is not binary and begins with "solid". Numbers are rounded to single precision.
Expected<TriangleMesh> readStl(std::string_view bytes, const std::string& path,
                               const Vec3d& scale = {1, 1, 1});

}  // namespace espalier::io
