#include "espalier/io/mesh_file.h"
#include "espalier/io/problem.h"

#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <algorithm>
#include <array>
#include <assimp/Importer.hpp>
#include <cmath>
#include <exception>
#include <filesystem>
#include <map>
#include <system_error>

namespace espalier::io {
namespace {

bool isKnownFormat(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  for (char& c : extension) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return extension == ".stl" || extension == ".obj" || extension == ".dae";
}

/// Gathers the triangles of a scene, one vertex for each place.
class Gatherer {
 public:
  explicit Gatherer(const Vec3d& scale) : scale_(scale) {}

  /// False where a number is not finite or an index leads nowhere.
  bool add(const aiMesh& mesh, const aiMatrix4x4& pose) {
    std::vector<int> ids(mesh.mNumVertices);
    for (unsigned i = 0; i < mesh.mNumVertices; ++i) {
      const aiVector3D p = pose * mesh.mVertices[i];
      const Vec3d v{p.x * scale_.x, p.y * scale_.y, p.z * scale_.z};
      if (!std::isfinite(v.x) || !std::isfinite(v.y) || !std::isfinite(v.z)) return false;
      ids[i] = vertex(v);
    }
    const bool isMirrored = (pose.Determinant() < 0) != (scale_.x * scale_.y * scale_.z < 0);
    for (unsigned i = 0; i < mesh.mNumFaces; ++i) {
      const aiFace& face = mesh.mFaces[i];
      if (face.mNumIndices != 3) continue;  // points and lines
      std::array<int, 3> t;
      for (int k = 0; k < 3; ++k) {
        if (face.mIndices[k] >= mesh.mNumVertices) return false;
        t[k] = ids[face.mIndices[k]];
      }
      if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) continue;
      if (isMirrored) std::swap(t[1], t[2]);
      result_.triangles.push_back(t);
    }
    return true;
  }
  std::size_t triangles() const { return result_.triangles.size(); }
  TriangleMesh take() { return std::move(result_); }

 private:
  int vertex(const Vec3d& v) {
    // + 0.0 makes the two zeros one.
    const std::array<double, 3> key{v.x + 0.0, v.y + 0.0, v.z + 0.0};
    const auto [place, isNew] = ids_.emplace(key, static_cast<int>(result_.vertices.size()));
    if (isNew) result_.vertices.push_back({key[0], key[1], key[2]});
    return place->second;
  }

  Vec3d scale_;
  TriangleMesh result_;
  std::map<std::array<double, 3>, int> ids_;
};

/// Every mesh of the node and those below it.
bool gather(const aiScene& scene, const aiNode& node, const aiMatrix4x4& parent, int depth,
            Gatherer& out) {
  constexpr int deepest = 200;
  if (depth > deepest) return false;
  const aiMatrix4x4 pose = parent * node.mTransformation;
  for (unsigned i = 0; i < node.mNumMeshes; ++i) {
    if (node.mMeshes[i] >= scene.mNumMeshes) return false;
    if (!out.add(*scene.mMeshes[node.mMeshes[i]], pose)) return false;
    if (out.triangles() > most_triangles) return false;
  }
  for (unsigned i = 0; i < node.mNumChildren; ++i) {
    if (!gather(scene, *node.mChildren[i], pose, depth + 1, out)) return false;
  }
  return true;
}

Expected<TriangleMesh> read(const std::string& path, const Vec3d& scale) {
  Assimp::Importer importer;
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, true);
  // Only shapes are wanted; what else a file holds must not split its vertices.
  importer.SetPropertyInteger(AI_CONFIG_PP_RVC_FLAGS,
                              aiComponent_NORMALS | aiComponent_TANGENTS_AND_BITANGENTS |
                                  aiComponent_COLORS | aiComponent_TEXCOORDS |
                                  aiComponent_BONEWEIGHTS | aiComponent_ANIMATIONS |
                                  aiComponent_TEXTURES | aiComponent_LIGHTS | aiComponent_CAMERAS);
  const aiScene* scene = importer.ReadFile(path, aiProcess_RemoveComponent | aiProcess_Triangulate);
  if (scene == nullptr || scene->mRootNode == nullptr) {
    return problem(path, std::string("the mesh cannot be read: ") + importer.GetErrorString(),
                   "write it again as binary STL, OBJ or DAE");
  }
  Gatherer gatherer(scale);
  if (!gather(*scene, *scene->mRootNode, aiMatrix4x4(), 0, gatherer)) {
    return problem(
        path,
        "the mesh is broken or has more than " + std::to_string(most_triangles) + " triangles",
        "write it again with finite numbers and fewer triangles");
  }
  TriangleMesh mesh = gatherer.take();
  if (mesh.triangles.empty()) {
    return problem(path, "the mesh has no triangles", "write it again as a triangulated surface");
  }
  return mesh;
}

}  // namespace

Expected<TriangleMesh> readMeshFile(const std::string& path, const Vec3d& scale) {
  std::error_code code;
  if (!std::filesystem::is_regular_file(path, code)) {
    return problem(path, "there is no such mesh file", "check its path");
  }
  if (!isKnownFormat(path)) {
    return problem(path, "the mesh has an unknown format", "convert it to STL, OBJ or DAE");
  }
  const auto size = std::filesystem::file_size(path, code);
  if (code || size > largest_mesh_file) {
    return problem(path, "the mesh file is too large to be read",
                   "keep meshes below " + std::to_string(largest_mesh_file) + " bytes");
  }
  try {
    return read(path, scale);
  } catch (const std::exception& e) {
    return problem(path, std::string("the mesh cannot be read: ") + e.what(),
                   "write it again as binary STL, OBJ or DAE");
  }
}

}  // namespace espalier::io
