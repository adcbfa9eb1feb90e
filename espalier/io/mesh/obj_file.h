#pragma once

// Triangle meshes as Wavefront OBJ.

#include <string>
#include <string_view>

#include "espalier/core/diagnostic.h"
#include "espalier/geometry/shape.h"

namespace espalier::io {

/// The faces of all objects and groups of an OBJ file's text, as triangles (io/mesh/polygon.h). Read are
///   v x y z [w]        a vertex, divided by w
///   v x y z r g b      a vertex; its colour is not used
///   f i j k ...        a face by vertices 1, 2, ... of the file, or -1, -2, ... backwards from the
///                      last one so far; i/t, i//n and i/t/n are i
///   mtllib a.mtl       a file of materials beside this one (io/mesh/mtl_file.h)
///   usemtl name        the material of the faces that follow
/// and every other statement is passed over; so is a material that is not there. A line that ends with \ goes on in the next.
///   in   path    its name in remarks
///   in   scale   along x, y, z; an odd number of negative ones mirrors the mesh
///   out  as readMeshFile (io/mesh/mesh_file.h); Errors tell the line
/// Numbers are rounded to single precision.
Expected<TriangleMesh> readObj(std::string_view text, const std::string& path,
                               const Vec3d& scale = {1, 1, 1});

}  // namespace espalier::io
