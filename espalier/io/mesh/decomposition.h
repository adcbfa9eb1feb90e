#pragma once

// Convex decompositions: concave meshes taken apart into convex hulls, kept in a file beside the
// mesh. `espalier convert` writes it; where it is there, every reader of robots and worlds lets the
// mesh collide as these hulls. Mass and drawing stay with the mesh.
//
// The file of MESH is MESH.hulls.obj, an OBJ of one object a hull, in the axes and the unit in which
// readMeshFile() gives the mesh, unscaled. Faces name their vertices backwards, so that each object
// stands by itself. A comment at its head holds a hash of the bytes of MESH: a decomposition of
// other content is not used.

#include <array>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "espalier/core/diagnostic.h"
#include "espalier/io/text/reading_budget.h"
#include "espalier/model/spec/spec.h"

namespace espalier::io {

/// MESH.hulls.obj
std::string decompositionPath(const std::string& mesh);
/// MESH of MESH.hulls.obj.
std::string decomposedMesh(const std::string& decomposition);

/// The objects of an OBJ whose faces name their vertices backwards.
///   in   path   its name in remarks
Expected<std::vector<TriangleMesh>> readHulls(std::string_view text, const std::string& path,
                                              const Vec3d& scale = {1, 1, 1});

/// Writes the hulls of a mesh beside it.
///   in   note  of one line, how they were made
///   out  an Error where the file cannot be written
Diagnostics writeDecomposition(const std::string& mesh, const std::vector<TriangleMesh>& hulls,
                               const std::string& note);

/// Puts hulls in place of meshes, those of one reading. Each file is read once for each scale.
class Decompositions {
 public:
  /// A Note tells of each mesh that is taken apart, a Warning of each decomposition that is of other
  /// content or cannot be read, and is not used.
  Decompositions(ReadingBudget& budget, Diagnostics& diagnostics)
      : budget_(budget), diagnostics_(diagnostics) {}

  void apply(SystemSpec& system);
  /// Static bodies whose meshes collide by their triangles stay as they are.
  void apply(BodySpec& body);

 private:
  using Hulls = std::vector<std::shared_ptr<const TriangleMesh>>;
  using Key = std::pair<std::string, std::array<double, 3>>;

  void apply(std::vector<CollisionSpec>& collisions);
  const Hulls& hullsOf(const std::string& mesh, const Vec3d& scale);
  Expected<Hulls> read(const std::string& mesh, const Vec3d& scale) const;
  void remark(Diagnostic diagnostic);

  ReadingBudget& budget_;
  Diagnostics& diagnostics_;
  std::map<Key, Hulls> known_;  ///< empty: no decomposition
};

// UrdfOptions::hullVertices and WorldOptions::hullVertices.

/// Sets maxHullVertices of all meshes among the shapes.
///   in   most   0: they stay as they are
inline void setHullVertices(std::vector<CollisionSpec>& collisions, int most) {
  if (most == 0) return;
  for (CollisionSpec& c : collisions)
    if (auto* mesh = std::get_if<MeshShape>(&c.shape)) mesh->maxHullVertices = most;
}
inline void setHullVertices(SystemSpec& system, int most) {
  for (LinkSpec& link : system.links) setHullVertices(link.collisions, most);
}

}  // namespace espalier::io
