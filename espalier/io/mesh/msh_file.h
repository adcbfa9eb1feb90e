#pragma once

// Triangle meshes in MuJoCo's own binary format, MSH.

#include <string>
#include <string_view>

#include "espalier/core/diagnostic.h"
#include "espalier/geometry/shape.h"

namespace espalier::io {

/// The triangles of an MSH file's bytes: four whole numbers of 32 bits, the counts v of vertices, n of
/// normals, t of texture coordinates and f of faces; then 3 v, 3 n and 2 t numbers of single precision,
/// and 3 f indices of vertices. Normals and texture coordinates are not used.
///   in   path    its name in remarks
///   in   scale   along x, y, z; an odd number of negative ones mirrors the mesh
///   out  as readMeshFile (io/mesh/mesh_file.h); Errors tell the byte
Expected<TriangleMesh> readMsh(std::string_view bytes, const std::string& path,
                               const Vec3d& scale = {1, 1, 1});

}  // namespace espalier::io
