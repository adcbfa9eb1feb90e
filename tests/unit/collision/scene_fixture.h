#pragma once

// What the collision tests share: short poses, and the answer of a scene as a vector.

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "espalier/collision/scene.h"
#include "espalier/spatial/rotation.h"

namespace espalier {

inline Transformd at(double x, double y, double z) { return {identity3<double>(), {x, y, z}}; }

/// Turned by the rotation vector r.
inline Transformd at(double x, double y, double z, const Vec3d& r) {
  return {rotation(expQuat(r)), {x, y, z}};
}

inline std::vector<ContactPoint> contacts(Scene& scene, double margin = 0) {
  std::vector<ContactPoint> out(4096);
  bool overflow = true;
  const int n = scene.collide(margin, out.data(), static_cast<int>(out.size()), overflow);
  EXPECT_FALSE(overflow);
  out.resize(static_cast<std::size_t>(n));
  return out;
}

inline double deepest(const std::vector<ContactPoint>& points) {
  double depth = -1e9;
  for (const ContactPoint& p : points) depth = std::max(depth, p.depth);
  return depth;
}

/// A box as a closed mesh.
inline MeshShape boxMesh(const Vec3d& size) {
  auto data = std::make_shared<TriangleMesh>();
  for (int i = 0; i < 8; ++i) {
    data->vertices.push_back({(i & 1 ? 0.5 : -0.5) * size.x, (i & 2 ? 0.5 : -0.5) * size.y,
                              (i & 4 ? 0.5 : -0.5) * size.z});
  }
  data->triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                     {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return {"box.obj", data};
}

template <class Height>
Heightfield terrain(int nx, int ny, double sx, double sy, Height height) {
  auto data = std::make_shared<HeightfieldData>();
  data->xSamples = nx;
  data->ySamples = ny;
  data->xSize = sx;
  data->ySize = sy;
  for (int j = 0; j < ny; ++j) {
    for (int i = 0; i < nx; ++i) {
      data->heights.push_back(height(-sx / 2 + sx * i / (nx - 1), -sy / 2 + sy * j / (ny - 1)));
    }
  }
  return {data};
}

}  // namespace espalier
