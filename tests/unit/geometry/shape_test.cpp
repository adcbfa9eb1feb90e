// Mass properties of shapes against sums over many small cells, and of meshes against the closed
// forms of what they enclose.

#include "espalier/geometry/shape.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <stdexcept>

#include "tests/support/compare.h"

namespace espalier::testing {
namespace {

struct Solid {
  double volume;
  RigidInertia<double> inertia;  ///< of mass 3
};

/// By the midpoint rule on n^3 cells of the cube of half edge `half`.
Solid integrated(double half, const std::function<bool(const Vec3d&)>& inside) {
  constexpr int n = 160;
  const double h = 2 * half / n;
  RigidInertia<double> sum{0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        const Vec3d p{(i + 0.5) * h - half, (j + 0.5) * h - half, (k + 0.5) * h - half};
        if (!inside(p)) continue;
        const double cell = h * h / 6;  // its own moment about its centre
        sum += RigidInertia<double>{
            1,
            p,
            {p.y * p.y + p.z * p.z + cell, -p.x * p.y, -p.x * p.z, p.x * p.x + p.z * p.z + cell,
             -p.y * p.z, p.x * p.x + p.y * p.y + cell}};
      }
  const double volume = sum.m * h * h * h, k = 3 / sum.m;
  const Sym3<double>& I = sum.I;
  return {volume, {3, sum.h * k, {I.xx * k, I.xy * k, I.xz * k, I.yy * k, I.yz * k, I.zz * k}}};
}

void expectSolid(const Shape& shape, double half, const std::function<bool(const Vec3d&)>& inside) {
  SCOPED_TRACE(shapeName(shape));
  const Solid s = integrated(half, inside);
  EXPECT_NEAR(volume(shape), s.volume, 4e-3 * s.volume);
  const std::vector<double> ours = numbers(inertia(shape, 3)), theirs = numbers(s.inertia);
  for (std::size_t i = 0; i < ours.size(); ++i) EXPECT_NEAR(ours[i], theirs[i], 4e-3) << i;
}

TEST(Shape, InertiasAreIntegrals) {
  expectSolid(SphereShape{0.9}, 0.9, [](const Vec3d& p) { return norm(p) <= 0.9; });
  expectSolid(BoxShape{{1.2, 1.6, 2}}, 1, [](const Vec3d& p) {
    return std::abs(p.x) <= 0.6 && std::abs(p.y) <= 0.8 && std::abs(p.z) <= 1;
  });
  expectSolid(CylinderShape{0.6, 1.8}, 0.9,
              [](const Vec3d& p) { return std::hypot(p.x, p.y) <= 0.6 && std::abs(p.z) <= 0.9; });
  // Height is the distance of the sphere centres.
  expectSolid(CapsuleShape{0.4, 1}, 0.9, [](const Vec3d& p) {
    const double z = std::max(0.0, std::abs(p.z) - 0.5);
    return std::hypot(p.x, p.y, z) <= 0.4;
  });
  expectSolid(EllipsoidShape{{0.9, 0.5, 0.7}}, 0.9,
              [](const Vec3d& p) { return std::hypot(p.x / 0.9, p.y / 0.5, p.z / 0.7) <= 1; });
}

TEST(Shape, ACapsuleWithoutHeightIsASphere) {
  EXPECT_LT(relativeDifference(inertia(CapsuleShape{0.3, 0}, 2), inertia(SphereShape{0.3}, 2)),
            1e-15);
  EXPECT_NEAR(volume(CapsuleShape{0.3, 0}), volume(SphereShape{0.3}), 1e-16);
}

/// A box as twelve triangles, shifted by p.
MeshShape boxMesh(const Vec3d& size, const Vec3d& p) {
  TriangleMesh m;
  for (int i = 0; i < 8; ++i)
    m.vertices.push_back(p + Vec3d{(i & 1 ? 0.5 : -0.5) * size.x, (i & 2 ? 0.5 : -0.5) * size.y,
                                   (i & 4 ? 0.5 : -0.5) * size.z});
  const int quads[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                           {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  for (const auto& q : quads) {
    m.triangles.push_back({q[0], q[1], q[2]});
    m.triangles.push_back({q[0], q[2], q[3]});
  }
  return {"box", std::make_shared<const TriangleMesh>(std::move(m))};
}

TEST(Shape, AMeshOfABoxIsTheBox) {
  const Vec3d size{0.3, 0.5, 0.7}, p{0.4, -0.2, 0.9};
  const RigidInertia<double> box = inertia(BoxShape{size}, 2);
  EXPECT_LT(relativeDifference(inertia(boxMesh(size, {0, 0, 0}), 2), box), 1e-15);
  EXPECT_NEAR(volume(boxMesh(size, p)), volume(BoxShape{size}), 1e-15);
  const RigidInertia<double> moved = toParent(identity3<double>(), p, box);
  EXPECT_LT(relativeDifference(inertia(boxMesh(size, p), 2), moved), 1e-14);
}

TEST(Shape, WithoutVolumeThereIsNoInertia) {
  EXPECT_THROW((void)inertia(Plane{}, 1), std::invalid_argument);
  EXPECT_THROW((void)inertia(Heightfield{}, 1), std::invalid_argument);
  EXPECT_THROW((void)inertia(MeshShape{"missing.stl", nullptr}, 1), std::invalid_argument);
  EXPECT_EQ(volume(Plane{}), 0);
  EXPECT_EQ(volume(MeshShape{"missing.stl", nullptr}), 0);
  // Triangles turned inside out enclose a negative volume.
  TriangleMesh inside = *boxMesh({1, 1, 1}, {0, 0, 0}).data;
  for (auto& t : inside.triangles) std::swap(t[1], t[2]);
  EXPECT_THROW((void)inertia(MeshShape{"", std::make_shared<const TriangleMesh>(inside)}, 1),
               std::invalid_argument);
}

TEST(Shape, Names) {
  EXPECT_STREQ(shapeName(SphereShape{}), "sphere");
  EXPECT_STREQ(shapeName(CapsuleShape{}), "capsule");
  EXPECT_STREQ(shapeName(Plane{}), "plane");
  EXPECT_STREQ(shapeName(MeshShape{}), "mesh");
  EXPECT_STREQ(shapeName(Heightfield{}), "heightfield");
}

}  // namespace
}  // namespace espalier::testing
