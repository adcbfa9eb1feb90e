// Mass properties of meshes with holes.

#include <gtest/gtest.h>

#include "espalier/geometry/shape.h"

namespace espalier {
namespace {

/// A cube of side 1 whose lowest corner is at p; without its upper face where it is open.
MeshShape cubeAt(const Vec3d& p, bool isOpen) {
  auto mesh = std::make_shared<TriangleMesh>();
  for (int i = 0; i < 8; ++i)
    mesh->vertices.push_back(p + Vec3d{double(i / 4), double(i / 2 % 2), double(i % 2)});
  mesh->triangles = {{0, 1, 3}, {0, 3, 2}, {4, 6, 7}, {4, 7, 5}, {0, 4, 5},
                     {0, 5, 1}, {2, 3, 7}, {2, 7, 6}, {0, 2, 6}, {0, 6, 4}};
  if (!isOpen) mesh->triangles.insert(mesh->triangles.end(), {{1, 5, 7}, {1, 7, 3}});
  return {"", mesh};
}

void expectNear(const Vec3d& a, const Vec3d& b, double tolerance) {
  EXPECT_NEAR(a.x, b.x, tolerance);
  EXPECT_NEAR(a.y, b.y, tolerance);
  EXPECT_NEAR(a.z, b.z, tolerance);
}

TEST(OpenMesh, AClosedOneIsAsBefore) {
  const Shape cube = cubeAt({3, -2, 5}, false);
  EXPECT_NEAR(volume(cube), 1, 1e-12);
  const RigidInertia<double> b = inertia(cube, 2);
  expectNear(b.h * 0.5, {3.5, -1.5, 5.5}, 1e-12);
}

// The cone from the hole's edges goes to the centroid of the five faces, 0.4 above the floor: a
// pyramid of height 0.6 is missing.
TEST(OpenMesh, ItsVolumeDoesNotDependOnWhereItIs) {
  const Shape near = cubeAt({0, 0, 0}, true), far = cubeAt({100, -50, 30}, true);
  EXPECT_NEAR(volume(near), 0.8, 1e-12);
  EXPECT_NEAR(volume(far), 0.8, 1e-9);
  const RigidInertia<double> a = inertia(near, 1), b = inertia(far, 1);
  expectNear(b.h - a.h, {100, -50, 30}, 1e-9);
  // I_zz about the axis of symmetry, density 1: 1/6 of the cube less m a^2 / 10 of the pyramid.
  const double about = a.I.zz - (a.h.x * a.h.x + a.h.y * a.h.y);
  EXPECT_NEAR(about, (1.0 / 6 - 0.2 / 10) / 0.8, 1e-12);
  EXPECT_NEAR(b.I.zz - (b.h.x * b.h.x + b.h.y * b.h.y), about, 1e-8);
}

}  // namespace
}  // namespace espalier
