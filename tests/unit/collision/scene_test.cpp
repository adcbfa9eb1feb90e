#include "espalier/collision/scene.h"

#include <gtest/gtest.h>

namespace espalier {
namespace {

Transformd at(double x, double y, double z) { return {identity3<double>(), {x, y, z}}; }

std::vector<ContactPoint> contacts(Scene& scene, double margin = 0) {
  std::vector<ContactPoint> out(256);
  bool overflow = true;
  out.resize(static_cast<std::size_t>(scene.collide(margin, out.data(), 256, overflow)));
  EXPECT_FALSE(overflow);
  return out;
}

TEST(Scene, SphereOnPlane) {
  Scene scene;
  const GeomId ground = scene.addGeom(Plane{}, {.isStatic = true});
  const GeomId ball = scene.addGeom(Sphere{0.5}, {.owner = 0});
  scene.setPose(ball, at(1, 2, 0.4));
  const auto c = contacts(scene);
  ASSERT_EQ(c.size(), 1u);
  EXPECT_EQ(c[0].a, ground);
  EXPECT_EQ(c[0].b, ball);
  EXPECT_DOUBLE_EQ(c[0].normal.z, -1);
  EXPECT_DOUBLE_EQ(c[0].depth, 0.1);
  EXPECT_DOUBLE_EQ(c[0].position.z, -0.1);
}

TEST(Scene, BoxOnBox) {
  Scene scene;
  const GeomId lower = scene.addGeom(Box{{1, 1, 1}}, {.owner = 0});
  const GeomId upper = scene.addGeom(Box{{1, 1, 1}}, {.owner = 1});
  scene.setPose(upper, at(0.1, 0, 1.01));
  EXPECT_TRUE(contacts(scene, 0.005).empty());
  const auto c = contacts(scene, 0.02);
  ASSERT_EQ(c.size(), 4u);
  for (const ContactPoint& p : c) {
    EXPECT_EQ(p.a, lower);
    EXPECT_NEAR(p.depth, -0.01, 1e-14);
    EXPECT_NEAR(p.normal.z, -1, 1e-14);
  }
}

}  // namespace
}  // namespace espalier
