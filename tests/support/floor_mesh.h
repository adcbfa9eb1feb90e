#pragma once

// Floors of triangles.

#include <memory>

#include "espalier/geometry/shape.h"

namespace espalier::testing {

/// n x n squares of two triangles each over [-size / 2, size / 2]^2, as a sheet.
///   in  height(x, y)  m
template <class Height>
MeshShape floorMesh(int n, double size, Height height) {
  auto data = std::make_shared<TriangleMesh>();
  for (int j = 0; j <= n; ++j) {
    for (int i = 0; i <= n; ++i) {
      const double x = size * (double(i) / n - 0.5), y = size * (double(j) / n - 0.5);
      data->vertices.push_back({x, y, height(x, y)});
    }
  }
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      const int a = j * (n + 1) + i, b = a + 1, c = a + n + 1, d = c + 1;
      data->triangles.push_back({a, b, d});
      data->triangles.push_back({a, d, c});
    }
  }
  return {"floor.obj", data};
}

inline MeshShape floorMesh(int n, double size) {
  return floorMesh(n, size, [](double, double) { return 0.0; });
}

}  // namespace espalier::testing
