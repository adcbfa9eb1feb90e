// assimp's scene to one mesh, in whatever process it is called.

#include <assimp/config.h>
#include <assimp/material.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <array>
#include <assimp/Importer.hpp>
#include <exception>
#include <new>
#include <string_view>

#include "espalier/io/mesh/mesh_builder.h"
#include "espalier/io/mesh/mesh_formats.h"
#include "espalier/io/text/reading_budget.h"
#include "espalier/io/text/text_file.h"

namespace espalier::io {
namespace {

/// False where a number is not finite or an index leads nowhere.
bool add(const aiMesh& mesh, const aiMatrix4x4& pose, MeshBuilder& out) {
  std::vector<int> ids(mesh.mNumVertices);
  for (unsigned i = 0; i < mesh.mNumVertices; ++i) {
    const aiVector3D p = pose * mesh.mVertices[i];
    const auto id =
        out.vertex({static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)});
    if (!id) return false;
    ids[i] = *id;
  }
  const bool isMirrored = pose.Determinant() < 0;
  for (unsigned i = 0; i < mesh.mNumFaces; ++i) {
    const aiFace& face = mesh.mFaces[i];
    if (face.mNumIndices != 3) continue;  // points and lines
    std::array<int, 3> t;
    for (unsigned k = 0; k < 3; ++k) {
      if (face.mIndices[k] >= mesh.mNumVertices) return false;
      t[k] = ids[face.mIndices[k]];
    }
    out.add(t, isMirrored);
  }
  return true;
}

/// None where the file gives the mesh no material. Opacity is left out: Collada's writers do not
/// agree on which end of its scale is opaque.
std::optional<Rgba8> colorOf(const aiScene& scene, const aiMesh& mesh) {
  if (mesh.mMaterialIndex >= scene.mNumMaterials) return std::nullopt;
  const aiMaterial& material = *scene.mMaterials[mesh.mMaterialIndex];
  aiString name;
  aiColor4D c;
  if (material.Get(AI_MATKEY_NAME, name) == AI_SUCCESS &&
      std::string_view(name.C_Str()) == AI_DEFAULT_MATERIAL_NAME)
    return std::nullopt;
  if (material.Get(AI_MATKEY_COLOR_DIFFUSE, c) != AI_SUCCESS) return std::nullopt;
  return rgba8({static_cast<double>(c.r), static_cast<double>(c.g), static_cast<double>(c.b), 1});
}

/// Every mesh of the node and those below it.
bool add(const aiScene& scene, const aiNode& node, const aiMatrix4x4& parent, int depth,
         MeshBuilder& out) {
  constexpr int deepest = 200;
  if (depth > deepest) return false;
  const aiMatrix4x4 pose = parent * node.mTransformation;
  for (unsigned i = 0; i < node.mNumMeshes; ++i) {
    if (node.mMeshes[i] >= scene.mNumMeshes) return false;
    const aiMesh& mesh = *scene.mMeshes[node.mMeshes[i]];
    out.setColor(colorOf(scene, mesh));
    if (!add(mesh, pose, out)) return false;
    if (out.triangleCount() > default_limits.triangles) return false;
  }
  for (unsigned i = 0; i < node.mNumChildren; ++i)
    if (!add(scene, *node.mChildren[i], pose, depth + 1, out)) return false;
  return true;
}

Expected<TriangleMesh> read(const std::string& path, const Vec3d& scale) {
  Assimp::Importer importer;
  importer.SetPropertyBool(AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, true);
  // Only shapes are wanted; other data of a file must not split its vertices.
  importer.SetPropertyInteger(AI_CONFIG_PP_RVC_FLAGS,
                              aiComponent_NORMALS | aiComponent_TANGENTS_AND_BITANGENTS |
                                  aiComponent_COLORS | aiComponent_TEXCOORDS |
                                  aiComponent_BONEWEIGHTS | aiComponent_ANIMATIONS |
                                  aiComponent_TEXTURES | aiComponent_LIGHTS | aiComponent_CAMERAS);
  const aiScene* scene = importer.ReadFile(path, aiProcess_RemoveComponent | aiProcess_Triangulate);
  if (scene == nullptr || scene->mRootNode == nullptr) {
    if (std::string_view(importer.GetErrorString()).find("bad_alloc") != std::string_view::npos)
      throw std::bad_alloc();
    return problem(path, std::string("the mesh cannot be read: ") + importer.GetErrorString(),
                   "write it again as binary STL, OBJ or DAE");
  }
  MeshBuilder builder(scale);
  if (!add(*scene, *scene->mRootNode, aiMatrix4x4(), 0, builder)) {
    return problem(path,
                   "the mesh is broken or has more than " +
                       std::to_string(default_limits.triangles) + " triangles",
                   "write it again with finite numbers and fewer triangles; check its scale, too");
  }
  return builder.take();
}

}  // namespace

Expected<TriangleMesh> readByAssimpHere(const std::string& path, const Vec3d& scale) {
  try {
    return read(path, scale);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& e) {
    return problem(path, std::string("the mesh cannot be read: ") + e.what(),
                   "write it again as binary STL, OBJ or DAE");
  }
}

}  // namespace espalier::io
