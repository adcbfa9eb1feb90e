#include "espalier/io/mesh/mesh_formats.h"

#include "espalier/io/mesh/mesh_builder.h"
#include "espalier/io/text/reading_budget.h"
#include "espalier/io/text/text_file.h"

namespace espalier::io {
namespace {

constexpr std::size_t header_bytes = 16;

Diagnostics bad(const std::string& path, std::string what) {
  return problem(path, std::move(what), "write it again as binary STL or OBJ");
}

}  // namespace

Expected<TriangleMesh> readMsh(std::string_view bytes, const std::string& path,
                               const Vec3d& scale) {
  if (bytes.size() < header_bytes) return bad(path, "the mesh is no MSH: it has no counts");
  const std::size_t vertices = wordAt(bytes, 0), normals = wordAt(bytes, 4);
  const std::size_t textures = wordAt(bytes, 8), faces = wordAt(bytes, 12);
  const std::size_t firstFace = header_bytes + 12 * (vertices + normals) + 8 * textures;
  const std::size_t wanted = firstFace + 12 * faces;
  if (bytes.size() != wanted) {
    return bad(path, "the mesh is no MSH: it has " + std::to_string(bytes.size()) +
                         " bytes instead of the " + std::to_string(wanted) + " of its counts");
  }
  if (faces > default_limits.triangles) return tooManyTriangles(path);
  MeshBuilder builder(scale);
  for (std::size_t face = 0; face < faces; ++face) {
    std::array<int, 3> triangle;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t at = firstFace + 12 * face + 4 * k;
      const std::size_t index = wordAt(bytes, at);
      if (index >= vertices) {
        return bad(path, "a face of the mesh names a vertex that is not there, at byte " +
                             std::to_string(at));
      }
      const std::size_t place = header_bytes + 12 * index;
      const auto vertex = builder.vertex(
          {floatAt(bytes, place), floatAt(bytes, place + 4), floatAt(bytes, place + 8)});
      if (!vertex) return notFinite(path, place);
      triangle[k] = *vertex;
    }
    builder.add(triangle);
  }
  return builder.take();
}

}  // namespace espalier::io
