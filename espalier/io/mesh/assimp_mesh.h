#pragma once

// Triangle meshes of the formats that assimp reads, which it does in a child process: its readers
// are large and broken files can make them crash or take all memory.

#include <string>

#include "espalier/core/diagnostic.h"
#include "espalier/geometry/shape.h"

namespace espalier::io {

/// The triangles of a mesh file, read by assimp in a process of its own (runInChild() in
/// io/text/child_process.h: what it asks of programs with threads stands there). Errors where the child
/// crashes, or needs more than 60 s or 1 GiB and 16 times the file's size.
///   in   path, scale   as readMeshFile (io/mesh/mesh_file.h)
///   out  bit for bit the result of readByAssimpHere()
Expected<TriangleMesh> readByAssimp(const std::string& path, const Vec3d& scale = {1, 1, 1});

/// The same in this process; throws std::bad_alloc where memory ends. For tests and the child: a
/// broken file may end the process.
Expected<TriangleMesh> readByAssimpHere(const std::string& path, const Vec3d& scale = {1, 1, 1});

}  // namespace espalier::io
