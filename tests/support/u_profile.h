#pragma once

// A mesh of the shape of a U and the three boxes that make it up: 0.6 m wide, 0.2 m deep, 0.4 m high,
// its walls and its bottom 0.1 m thick; the gap is open upwards.

#include <string>
#include <vector>

#include "espalier/geometry/shape.h"

namespace espalier {

/// A polygon in x, z, counter-clockwise seen against y, between y = -0.1 and y = 0.1.
///   in  caps  triangles of the polygon
inline TriangleMesh extruded(const std::vector<std::array<double, 2>>& polygon,
                             const std::vector<std::array<int, 3>>& caps) {
  TriangleMesh mesh;
  const int n = static_cast<int>(polygon.size());
  for (const double y : {-0.1, 0.1})
    for (const auto& p : polygon) mesh.vertices.push_back({p[0], y, p[1]});
  for (const auto& [i, j, k] : caps) {
    mesh.triangles.push_back({i, j, k});
    mesh.triangles.push_back({n + i, n + k, n + j});
  }
  for (int i = 0; i < n; ++i) {
    const int j = (i + 1) % n;
    mesh.triangles.push_back({i, n + i, n + j});
    mesh.triangles.push_back({i, n + j, j});
  }
  return mesh;
}

inline TriangleMesh uProfile() {
  return extruded({{-0.3, 0},
                   {0.3, 0},
                   {0.3, 0.4},
                   {0.2, 0.4},
                   {0.2, 0.1},
                   {-0.2, 0.1},
                   {-0.2, 0.4},
                   {-0.3, 0.4}},
                  {{0, 1, 4}, {0, 4, 5}, {1, 2, 3}, {1, 3, 4}, {0, 5, 6}, {0, 6, 7}});
}

inline std::vector<TriangleMesh> uHulls() {
  const auto box = [](double x0, double x1, double z0, double z1) {
    return extruded({{x0, z0}, {x1, z0}, {x1, z1}, {x0, z1}}, {{0, 1, 2}, {0, 2, 3}});
  };
  return {box(-0.3, 0.3, 0, 0.1), box(-0.3, -0.2, 0.1, 0.4), box(0.2, 0.3, 0.1, 0.4)};
}

inline std::string toObj(const TriangleMesh& mesh) {
  std::string text;
  for (const Vec3d& v : mesh.vertices)
    text +=
        "v " + std::to_string(v.x) + " " + std::to_string(v.y) + " " + std::to_string(v.z) + "\n";
  for (const auto& [i, j, k] : mesh.triangles)
    text += "f " + std::to_string(i + 1) + " " + std::to_string(j + 1) + " " +
            std::to_string(k + 1) + "\n";
  return text;
}

}  // namespace espalier
