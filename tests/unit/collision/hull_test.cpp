#include "espalier/geometry/hull.h"

#include <cmath>

#include "scene_fixture.h"

namespace espalier {
namespace {

void expectSound(const Hull& hull, const std::vector<Vec3d>& points, double extent) {
  const double tolerance = 1e-6 * extent;
  for (const Hull::Face& f : hull.faces) {
    EXPECT_NEAR(norm(f.normal), 1, 1e-12);
    ASSERT_GE(f.end - f.begin, 3);
    for (const Vec3d& p : points) EXPECT_LE(dot(f.normal, p) - f.offset, tolerance);
    Vec3d turn = zero3<double>();
    const Vec3d first = hull.vertices[hull.corners[f.begin]];
    for (int i = f.begin; i < f.end; ++i) {
      const Vec3d p = hull.vertices[hull.corners[i]];
      const int j = i + 1 == f.end ? f.begin : i + 1;
      const Vec3d q = hull.vertices[hull.corners[j]];
      EXPECT_NEAR(dot(f.normal, p), f.offset, tolerance);
      turn += cross(p - first, q - first);
    }
    EXPECT_GT(dot(turn, f.normal), 0);  // counter-clockwise from outside
  }
  // Euler: every edge belongs to two faces.
  EXPECT_EQ(hull.vertices.size() + hull.faces.size(), hull.corners.size() / 2 + 2);
}

TEST(Hull, OfABoxHasSixFaces) {
  const MeshShape box = boxMesh({0.2, 0.3, 0.4});
  const auto hull = convexHull(*box.data);
  ASSERT_TRUE(hull);
  EXPECT_EQ(hull->vertices.size(), 8u);
  EXPECT_EQ(hull->faces.size(), 6u);
  expectSound(*hull, box.data->vertices, 0.5);
}

TEST(Hull, DropsPointsWithinFacesAndEdges) {
  TriangleMesh mesh;
  for (int i = 0; i <= 6; ++i) {
    for (int j = 0; j <= 6; ++j) {
      for (int k = 0; k <= 6; ++k) mesh.vertices.push_back({i * 0.1, j * 0.1, k * 0.1});
    }
  }
  mesh.triangles.push_back({0, 1, 2});
  const auto hull = convexHull(mesh);
  ASSERT_TRUE(hull);
  EXPECT_EQ(hull->faces.size(), 6u);
  EXPECT_EQ(hull->vertices.size(), 8u);
}

TEST(Hull, OfRandomPointsHoldsThemAll) {
  std::mt19937 random(4);
  std::normal_distribution<double> g;
  for (const int n : {4, 5, 8, 30, 400}) {
    for (int trial = 0; trial < 5; ++trial) {
      TriangleMesh mesh;
      for (int i = 0; i < n; ++i) {
        Vec3d p{g(random), g(random), g(random)};
        if (trial % 2 == 0) p = p * (1 / norm(p));  // on a ball: every point is a corner
        mesh.vertices.push_back(p);
      }
      mesh.triangles.push_back({0, 1, 2});
      const auto hull = convexHull(mesh);
      ASSERT_TRUE(hull);
      if (trial % 2 == 0) {
        EXPECT_EQ(hull->vertices.size(), static_cast<std::size_t>(n));
      }
      expectSound(*hull, mesh.vertices, 4);
    }
  }
}

TEST(Hull, SinglePrecisionPointsOfACylinder) {
  TriangleMesh mesh;
  for (int i = 0; i < 64; ++i) {
    const double t = 2 * M_PI * i / 64;
    for (const double z : {-0.1, 0.0, 0.1}) {
      mesh.vertices.push_back({static_cast<float>(0.05 * std::cos(t)),
                               static_cast<float>(0.05 * std::sin(t)), static_cast<float>(z)});
    }
  }
  mesh.triangles.push_back({0, 1, 2});
  const auto hull = convexHull(mesh);
  ASSERT_TRUE(hull);
  EXPECT_LE(hull->faces.size(), 70u);
  expectSound(*hull, mesh.vertices, 0.2);
}

TEST(Hull, FlatIsNone) {
  TriangleMesh mesh;
  mesh.vertices = {{0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}, {0.5, 0.5, 1}};
  mesh.triangles.push_back({0, 1, 2});
  EXPECT_FALSE(convexHull(mesh));
  mesh.vertices.resize(3);
  EXPECT_FALSE(convexHull(mesh));
  mesh.vertices = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}};
  EXPECT_FALSE(convexHull(mesh));
  mesh.vertices.assign(5, {1, 2, 3});
  EXPECT_FALSE(convexHull(mesh));
}

}  // namespace
}  // namespace espalier
