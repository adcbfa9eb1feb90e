// Masses of MuJoCo's meshes and shells beside closed forms. Beside MuJoCo itself: tests/peers.

#include "espalier/io/mjcf/mjcf_solid.h"

#include <gtest/gtest.h>

#include <cmath>

namespace espalier::io {
namespace {

/// A box of edges s about c, two triangles a face.
TriangleMesh box(const Vec3d& s, const Vec3d& c) {
  TriangleMesh mesh;
  for (const double x : {-0.5, 0.5})
    for (const double y : {-0.5, 0.5})
      for (const double z : {-0.5, 0.5})
        mesh.vertices.push_back({c.x + x * s.x, c.y + y * s.y, c.z + z * s.z});
  mesh.triangles = {{0, 1, 3}, {0, 3, 2}, {4, 6, 7}, {4, 7, 5}, {0, 4, 5}, {0, 5, 1},
                    {2, 3, 7}, {2, 7, 6}, {0, 2, 6}, {0, 6, 4}, {1, 5, 7}, {1, 7, 3}};
  return mesh;
}

void expectSame(const RigidInertia<double>& a, const RigidInertia<double>& b) {
  EXPECT_NEAR(a.m, b.m, 1e-12);
  EXPECT_NEAR(norm(a.h - b.h), 0, 1e-12);
  EXPECT_NEAR(a.I.xx, b.I.xx, 1e-12);
  EXPECT_NEAR(a.I.xy, b.I.xy, 1e-12);
  EXPECT_NEAR(a.I.yy, b.I.yy, 1e-12);
  EXPECT_NEAR(a.I.zz, b.I.zz, 1e-12);
}

const Vec3d size{0.2, 0.4, 0.6}, centre{1, 2, 3};

TEST(MjcfSolid, AConvexMeshIsTheSameByAllRulesOfSolids) {
  const RigidInertia<double> expected =
      toParent(identity3<double>(), centre, inertia(BoxShape{size}, 1));
  for (const auto rule : {MjcfMeshMass::CONVEX, MjcfMeshMass::EXACT, MjcfMeshMass::LEGACY}) {
    const auto solid = mjcfMeshSolid(box(size, centre), rule);
    ASSERT_TRUE(solid);
    EXPECT_NEAR(solid->content, 0.048, 1e-15);
    expectSame(solid->unit, expected);
  }
}

TEST(MjcfSolid, MomentsAreKeptAsMujocoKeepsThem) {
  const Sym3<double> straight{3, 0, 0, 2, 0, 1};
  EXPECT_EQ(mjcfMoments(straight).xx, 3);
  EXPECT_EQ(mjcfMoments(straight).xy, 0);
  // The trace is that of any axes, and what is left out is below 1e-7 of the largest moment.
  const Sym3<double> full{3, 0.1, 0.2, 2, 0.3, 1.5}, kept = mjcfMoments(full);
  EXPECT_NEAR(kept.xx + kept.yy + kept.zz, 6.5, 1e-14);
  EXPECT_NEAR(kept.xy, full.xy, 3e-7);
  EXPECT_NEAR(kept.yz, full.yz, 3e-7);
  // Products below that are dropped, those above are kept, whatever the unit.
  for (const double unit : {1e-12, 1.0, 1e6}) {
    EXPECT_EQ(mjcfMoments({3 * unit, 2.9e-7 * unit, 0, 2 * unit, 0, unit}).xy, 0);
    EXPECT_NEAR(mjcfMoments({3 * unit, 3.1e-7 * unit, 0, 2 * unit, 0, unit}).xy / unit, 3.1e-7,
                1e-15);
  }
  EXPECT_EQ(mjcfMoments({0, 0, 0, 0, 0, 0}).xx, 0);
}

TEST(MjcfSolid, FacesThatLookInwardsHaveNoExactVolume) {
  TriangleMesh inside = box(size, centre);
  for (auto& t : inside.triangles) std::swap(t[0], t[1]);
  EXPECT_FALSE(mjcfMeshSolid(inside, MjcfMeshMass::EXACT));
  EXPECT_NEAR(mjcfMeshSolid(inside, MjcfMeshMass::LEGACY)->content, 0.048, 1e-15);
}

TEST(MjcfSolid, TheShellOfABoxIsThatOfItsMesh) {
  const auto mesh = mjcfMeshSolid(box(size, {0, 0, 0}), MjcfMeshMass::SHELL);
  const auto shape = mjcfShell(BoxShape{size});
  ASSERT_TRUE(mesh && shape);
  EXPECT_NEAR(shape->content, 2 * (0.08 + 0.24 + 0.12), 1e-15);
  EXPECT_NEAR(mesh->content, shape->content, 1e-15);
  expectSame(mesh->unit, shape->unit);
}

TEST(MjcfSolid, ShellsOfRoundShapes) {
  const auto sphere = mjcfShell(SphereShape{0.3}), capsule = mjcfShell(CapsuleShape{0.3, 0});
  expectSame(sphere->unit, capsule->unit);  // a capsule without a cylinder
  EXPECT_NEAR(sphere->unit.I.xx, 2.0 / 3 * 0.09, 1e-15);
  EXPECT_NEAR(sphere->content, capsule->content, 1e-15);
  const auto tube = mjcfShell(CylinderShape{1e-9, 2.0});
  EXPECT_NEAR(tube->unit.I.xx, 4.0 / 12, 1e-8);  // a thin rod
  EXPECT_FALSE(mjcfShell(Plane{}));
}

TEST(MjcfSolid, TheInertiaBoxOfABoxIsTheBox) {
  const auto solid = mjcfMeshSolid(box({0.6, 0.2, 0.4}, centre), MjcfMeshMass::EXACT);
  const MjcfInertiaBox found = mjcfInertiaBox(*solid);
  EXPECT_NEAR(found.half[0], 0.1, 1e-12);
  EXPECT_NEAR(found.half[1], 0.2, 1e-12);
  EXPECT_NEAR(found.half[2], 0.3, 1e-12);
  EXPECT_NEAR(norm(found.X_GB.p - centre), 0, 1e-12);
  EXPECT_NEAR(std::abs(mul(found.X_GB.R, Vec3d{0, 0, 1}).x), 1, 1e-9);  // the longest is e_x
  EXPECT_EQ(fittedSize("box", found.half), found.half);
  EXPECT_NEAR(fittedSize("sphere", found.half)[0], 0.2, 1e-12);
  EXPECT_NEAR(fittedSize("capsule", found.half)[1], 0.3 - 0.075, 1e-12);
  EXPECT_EQ(mjcfInertiaBox({}).half[2], 0);
}

}  // namespace
}  // namespace espalier::io
