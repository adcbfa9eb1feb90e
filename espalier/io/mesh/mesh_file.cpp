#include "espalier/io/mesh/mesh_file.h"

#include <exception>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "espalier/io/mesh/mesh_formats.h"
#include "espalier/io/text/numbers.h"
#include "espalier/io/text/reading_budget.h"
#include "espalier/io/text/text_file.h"

namespace espalier::io {
namespace {

constexpr std::string_view by_assimp[] = {".dae", ".glb", ".gltf", ".ply"};
constexpr std::string_view by_us[] = {".stl", ".obj", ".msh"};

Expected<TriangleMesh> read(const std::string& path, const Vec3d& scale) {
  const std::string extension = extensionOf(path);
  if (isOneOf(extension, by_assimp)) return readByAssimp(path, scale);
  const Expected<std::string> bytes = readFileBytes(path, default_limits.meshFileBytes);
  if (!bytes) return bytes.diagnostics();
  if (extension == ".stl") return readStl(*bytes, path, scale);
  return extension == ".msh" ? readMsh(*bytes, path, scale) : readObj(*bytes, path, scale);
}

}  // namespace

bool hasMeshExtension(const std::string& path) {
  const std::string extension = extensionOf(path);
  return isOneOf(extension, by_us) || isOneOf(extension, by_assimp);
}

Expected<TriangleMesh> readMeshFile(const std::string& path, const Vec3d& scale) {
  std::error_code code;
  if (!std::filesystem::is_regular_file(path, code))
    return problem(path, "there is no such mesh file", "check its path");
  if (!hasMeshExtension(path)) {
    return problem(path, "the mesh has an unknown format",
                   "convert it to STL, OBJ, DAE, GLB, GLTF or PLY; MuJoCo's MSH is read, too");
  }
  const auto size = std::filesystem::file_size(path, code);
  if (code || size > default_limits.meshFileBytes) {
    return problem(path, "the mesh file is too large to be read",
                   "keep meshes below " + std::to_string(default_limits.meshFileBytes) + " bytes");
  }
  try {
    Expected<TriangleMesh> mesh = read(path, scale);
    if (!mesh || !mesh->triangles.empty()) return mesh;
    return problem(path, "the mesh has no triangles", "write it again as a triangulated surface");
  } catch (const std::exception& e) {
    return problem(path, std::string("the mesh cannot be read: ") + e.what(),
                   "write it again as binary STL, OBJ or DAE");
  }
}

}  // namespace espalier::io
