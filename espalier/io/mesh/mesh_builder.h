#pragma once

// Triangles of a mesh file gathered into one mesh, one vertex for each place.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "espalier/core/diagnostic.h"
#include "espalier/geometry/shape.h"

namespace espalier::io {

class MeshBuilder {
 public:
  /// scale: along x, y, z of the file; an odd number of negative ones mirrors the mesh.
  explicit MeshBuilder(const Vec3d& scale) : scale_(scale) {}

  /// Makes room for about so many, so that nothing is moved while they come.
  void reserve(std::size_t vertices, std::size_t triangles);

  /// Index of the vertex at the scaled p; none where that is not finite.
  std::optional<int> vertex(const Vec3d& p);

  /// Appends a triangle unless two of its vertices are one.
  ///   in   isMirrored   by the caller's own transform, beside the scale
  void add(std::array<int, 3> triangle, bool isMirrored = false);

  /// Of the triangles that come; none: triangles without a colour are light grey beside coloured
  /// ones.
  void setColor(const std::optional<Rgba8>& color);

  std::size_t triangleCount() const { return mesh_.triangles.size(); }
  TriangleMesh take();

 private:
  static constexpr Rgba8 uncolored{179, 179, 179, 255};

  std::size_t slotOf(const Vec3d& v) const;
  void setTableSize(std::size_t size);

  Vec3d scale_;
  Rgba8 color_ = uncolored;
  bool isColored_ = false;  // some triangle has a colour of its own
  TriangleMesh mesh_;
  std::vector<int> table_;  // hash table with linear probing: ids of vertices, -1 where free; 2^k
};

/// Of numbers in [0, 1]; those outside, or not a number, count as the nearer end, or 0.
Rgba8 rgba8(const std::array<double, 4>& color);

/// Of a mesh with more triangles than default_limits allows.
Diagnostics tooManyTriangles(const std::string& path);
/// Of a vertex that is not finite.   in  at  its first byte
Diagnostics notFinite(const std::string& path, std::size_t at);

}  // namespace espalier::io
