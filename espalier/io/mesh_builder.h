#pragma once

// Triangles of a mesh file gathered into one mesh, one vertex for each place.

#include <array>
#include <map>
#include <optional>

#include "espalier/geometry/shape.h"

namespace espalier::io {

class MeshBuilder {
 public:
  /// scale: along x, y, z of the file; an odd number of negative ones mirrors the mesh.
  explicit MeshBuilder(const Vec3d& scale) : scale_(scale) {}

  /// Index of the vertex at the scaled p; none where that is not finite.
  std::optional<int> vertex(const Vec3d& p);

  /// Appends a triangle unless two of its vertices are one.
  ///   in   isMirrored   by the caller's own transform, beside the scale
  void add(std::array<int, 3> triangle, bool isMirrored = false);

  std::size_t triangleCount() const { return mesh_.triangles.size(); }
  TriangleMesh take() { return std::move(mesh_); }

 private:
  Vec3d scale_;
  TriangleMesh mesh_;
  std::map<std::array<double, 3>, int> ids_;
};

}  // namespace espalier::io
