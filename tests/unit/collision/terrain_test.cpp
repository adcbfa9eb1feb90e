// Heightfields and static meshes.

#include <cmath>

#include "espalier/collision/heightfield.h"
#include "scene_fixture.h"

namespace espalier {
namespace {

double hills(double x, double y) { return 0.3 * std::sin(2 * x) * std::cos(3 * y) + 0.1 * x; }

/// Distance of a point from the field's surface by brute force over a fine grid of points.
double sampledDistance(const HeightfieldData& data, const Vec3d& p) {
  const collision::Field field(data);
  double least = 1e9;
  constexpr int n = 60;
  for (int j = 0; j < field.rows(); ++j) {
    for (int i = 0; i < field.columns(); ++i) {
      for (const auto& t : {field.lower(i, j), field.upper(i, j)}) {
        const Vec3d middle = (t.a + t.b + t.c) * (1.0 / 3);
        if (norm(middle - p) > least + 0.5) continue;
        for (int u = 0; u <= n; ++u) {
          for (int v = 0; u + v <= n; ++v) {
            const Vec3d q = t.a + (t.b - t.a) * (double(u) / n) + (t.c - t.a) * (double(v) / n);
            least = std::min(least, norm(q - p));
          }
        }
      }
    }
  }
  return least;
}

TEST(Terrain, SphereMeetsTheNearestPoint) {
  const Heightfield field = terrain(9, 7, 2, 1.5, hills);
  Scene scene;
  scene.addGeom(field, {.isStatic = true});
  const GeomId ball = scene.addGeom(SphereShape{0.15});
  const Transformd X_WF = at(0.3, -0.2, 0.5, {0.2, -0.1, 0.7});
  scene.setPose(GeomId(0), X_WF);
  std::mt19937 random(8);
  std::uniform_real_distribution<double> u(-1, 1);
  const collision::Field reader(*field.data);
  int met = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const double x = 1.1 * u(random), y = 0.8 * u(random);
    Vec3d p{x, y, 0};
    const auto t = reader.at(x, y);
    const Vec3d n = t.normal();
    p.z = t.a.z - (n.x * (x - t.a.x) + n.y * (y - t.a.y)) / n.z + 0.12 + 0.1 * u(random);
    const bool above = !reader.covers(x, y) || dot(n, p - t.a) > 0;
    scene.setPose(ball, {identity3<double>(), X_WF * p});
    const double distance = sampledDistance(*field.data, p);
    const double gap = (above ? distance : -distance) - 0.15;
    const auto c = contacts(scene, 0.02);
    if (gap > 0.02 + 1e-3) {
      EXPECT_TRUE(c.empty()) << trial;
      continue;
    }
    if (gap > 0.02) continue;
    ASSERT_FALSE(c.empty()) << trial << " gap " << gap;
    ++met;
    EXPECT_NEAR(-deepest(c), gap, 2e-3) << trial;
    EXPECT_LE(-deepest(c), gap + 1e-9) << trial;  // samples are never nearer than the nearest
    for (const ContactPoint& k : c) {
      const Vec3d q = k.position - (X_WF * p);
      EXPECT_NEAR(norm(q), 0.15, 1e-12);           // on the sphere
      EXPECT_NEAR(dot(q, k.normal), 0.15, 1e-12);  // the normal, from b to a, points down
    }
  }
  EXPECT_GT(met, 150);
}

TEST(Terrain, SphereOnFlatGroundTouchesOnceAnywhere) {
  Scene scene;
  scene.addGeom(terrain(5, 5, 1, 1, [](double, double) { return 0.0; }), {.isStatic = true});
  const GeomId ball = scene.addGeom(SphereShape{0.3});
  for (int i = -8; i <= 8; ++i) {
    for (int j = -8; j <= 8; ++j) {
      scene.setPose(ball, at(i / 16.0, j / 16.0, 0.299));
      const auto c = contacts(scene, 0.01);
      ASSERT_EQ(c.size(), 1u) << i << " " << j;
      EXPECT_NEAR(c[0].depth, 0.001, 1e-14);
      EXPECT_NEAR(c[0].normal.z, -1, 1e-14);
    }
  }
}

TEST(Terrain, ARollingSphereFeelsAPlane) {
  // Level, and tilted with heights that are rounded: in any direction, across edges, along them
  // and through samples, one contact with the plane's depth and normal and one name.
  for (const double slope : {0.0, 0.3}) {
    const auto height = [=](double x, double y) { return slope * x - 0.1 * slope * y; };
    const Vec3d up{-slope, 0.1 * slope, 1}, n = up * (1 / norm(up));
    Scene scene;
    scene.addGeom(terrain(21, 17, 2, 1.6, height), {.isStatic = true});
    const GeomId ball = scene.addGeom(SphereShape{0.07});
    const std::vector<std::pair<Vec3d, Vec3d>> ways = {{{-0.8, -0.7, 0}, {0.8, 0.7, 0}},
                                                       {{-0.8, -0.8, 0}, {0.8, 0.8, 0}},
                                                       {{-0.8, 0.1, 0}, {0.8, 0.1, 0}},
                                                       {{0.3, -0.7, 0}, {0.3, 0.7, 0}},
                                                       {{-0.8, 0.63, 0}, {0.8, -0.66, 0}}};
    for (const auto& [from, to] : ways) {
      for (int k = 0; k <= 1600; ++k) {
        Vec3d p = from + (to - from) * (k / 1600.0);
        p.z = height(p.x, p.y);
        scene.setPose(ball, {identity3<double>(), p + n * (0.07 - 1e-4)});
        const auto c = contacts(scene, 0.01);
        ASSERT_EQ(c.size(), 1u) << k;
        ASSERT_NEAR(c[0].depth, 1e-4, 1e-14) << k;
        ASSERT_LT(norm(c[0].normal + n), 1e-12) << k;
        ASSERT_EQ(c[0].feature, 0);
      }
    }
  }
}

TEST(Terrain, NormalsTurnSmoothlyOverARidge) {
  // From one face over the edge to the other: depth and normal move no faster than the ball.
  Scene scene;
  scene.addGeom(terrain(3, 3, 2, 2, [](double x, double) { return -0.5 * std::abs(x); }),
                {.isStatic = true});
  const GeomId ball = scene.addGeom(SphereShape{0.1});
  ContactPoint last{};
  for (int k = 0; k <= 2000; ++k) {
    const double step = 1e-4, x = -0.1 + step * k;
    scene.setPose(ball, at(x, 0.137, 0.095));
    const auto c = contacts(scene, 0.1);
    ASSERT_EQ(c.size(), 1u) << x;
    if (k > 0) {
      EXPECT_LT(norm(c[0].normal - last.normal), 1.2 * step / 0.095) << x;
      EXPECT_LT(std::abs(c[0].depth - last.depth), step) << x;
    }
    last = c[0];
  }
}

TEST(Terrain, BordersHoldFromAboveAndLetFallBeside) {
  Scene scene;
  scene.addGeom(terrain(5, 5, 1, 1, [](double, double) { return 0.0; }), {.isStatic = true});
  const GeomId ball = scene.addGeom(SphereShape{0.1});
  for (const double side : {-1.0, 1.0}) {
    // Beyond an edge and beyond a corner: the nearest point is on the border.
    scene.setPose(ball, at(side * 0.53, 0.11, 0.08));
    auto c = contacts(scene, 0.01);
    ASSERT_EQ(c.size(), 1u);
    EXPECT_NEAR(c[0].depth, 0.1 - std::hypot(0.03, 0.08), 1e-12);
    scene.setPose(ball, at(0.5 + 0.02, side * 0.53, 0.08));
    c = contacts(scene, 0.01);
    ASSERT_EQ(c.size(), 1u);
    EXPECT_NEAR(c[0].depth, 0.1 - std::sqrt(0.02 * 0.02 + 0.03 * 0.03 + 0.08 * 0.08), 1e-12);
    scene.setPose(ball, at(0.11, side * 0.53, -0.01));
    EXPECT_TRUE(contacts(scene, 0.01).empty());
    scene.setPose(ball, at(0.11, side * 0.5, 0.099));  // right above
    EXPECT_EQ(contacts(scene, 0.01).size(), 1u);
  }
}

TEST(Terrain, SphereInAValleyTouchesBothSides) {
  Scene scene;
  scene.addGeom(terrain(3, 3, 2, 2, [](double x, double) { return std::abs(x); }),
                {.isStatic = true});
  const GeomId ball = scene.addGeom(SphereShape{0.1});
  scene.setPose(ball, at(0, 0.3, 0.1 * std::sqrt(2.0)));
  const auto c = contacts(scene, 0.01);
  ASSERT_EQ(c.size(), 2u);
  for (const ContactPoint& k : c) EXPECT_NEAR(k.depth, 0, 1e-12);
  EXPECT_NEAR(c[0].normal.x + c[1].normal.x, 0, 1e-12);
}

TEST(Terrain, SunkSphereIsPushedOut) {
  Scene scene;
  scene.addGeom(terrain(5, 5, 4, 4, [](double, double) { return 0.0; }), {.isStatic = true});
  const GeomId ball = scene.addGeom(SphereShape{0.1});
  for (const double z : {-0.05, -0.1, -0.5, -2.0}) {
    scene.setPose(ball, at(0.2, 0.3, z));
    const auto c = contacts(scene);
    ASSERT_EQ(c.size(), 1u) << z;
    EXPECT_NEAR(c[0].depth, 0.1 - z, 1e-12);
    EXPECT_NEAR(c[0].normal.z, -1, 1e-12);
  }
}

TEST(Terrain, SolidsLieOnASlopeAsOnAPlane) {
  // A tilted flat field against a plane in the same place.
  const double slope = 0.3;
  const Heightfield field =
      terrain(21, 17, 4, 4, [=](double x, double y) { return slope * x - 0.1 * y; });
  const Vec3d n0{-slope, 0.1, 1};
  const Vec3d n = n0 * (1 / norm(n0));
  const Transformd X_WP{rotationToZ(n), {0, 0, 0}};
  const std::vector<Shape> shapes = {BoxShape{{0.3, 0.2, 0.25}}, CylinderShape{0.15, 0.3},
                                     CapsuleShape{0.1, 0.3}, EllipsoidShape{{0.2, 0.1, 0.15}},
                                     boxMesh({0.3, 0.2, 0.25})};
  std::mt19937 random(3);
  std::uniform_real_distribution<double> u(-1, 1);
  for (const Shape& shape : shapes) {
    SCOPED_TRACE(shapeName(shape));
    Scene rough, smooth;
    rough.addGeom(field, {.isStatic = true});
    rough.addGeom(shape);
    smooth.addGeom(Plane{}, {.isStatic = true});
    smooth.addGeom(shape);
    smooth.setPose(GeomId(0), X_WP);
    int met = 0;
    for (int trial = 0; trial < 100; ++trial) {
      const Transformd X{
          rotation(normalized(Quat<double>{u(random), u(random), u(random), u(random)})),
          Vec3d{u(random), u(random), 0} + n * (0.2 + 0.03 * u(random))};
      Transformd placed = X;
      placed.p.z += slope * X.p.x - 0.1 * X.p.y;
      rough.setPose(GeomId(1), placed);
      smooth.setPose(GeomId(1), placed);
      const auto c = contacts(rough, 0.02), d = contacts(smooth, 0.02);
      ASSERT_EQ(c.empty(), d.empty()) << trial;
      if (c.empty()) continue;
      ++met;
      EXPECT_NEAR(deepest(c), deepest(d), 1e-9) << trial;
      for (const ContactPoint& k : c) EXPECT_LT(norm(k.normal + n), 1e-9);
    }
    EXPECT_GT(met, 20);
  }
}

TEST(Terrain, BoxRestsOnARidgeBetweenItsCorners) {
  Scene scene;
  scene.addGeom(terrain(3, 3, 2, 2, [](double x, double) { return -0.5 * std::abs(x); }),
                {.isStatic = true});
  const GeomId box = scene.addGeom(BoxShape{{0.4, 0.4, 0.2}});
  scene.setPose(box, at(0.05, 0.1, 0.099));
  const auto c = contacts(scene);
  ASSERT_GE(c.size(), 2u);
  // Along either slope's normal the ridge is 1 mm times its cosine deep.
  EXPECT_NEAR(deepest(c), 0.001 / std::sqrt(1.25), 1e-8);
  double left = 0, right = 0;
  for (const ContactPoint& k : c) {
    left = std::min(left, k.normal.x);
    right = std::max(right, k.normal.x);
    EXPECT_NEAR(k.position.x, 0, 0.01);
  }
  EXPECT_LT(left, -0.1);
  EXPECT_GT(right, 0.1);
}

TEST(Terrain, ACliffDoesNotReachIntoThePlateau) {
  // Plateau for x < 0, a drop of 1 m within 5 cm, a plain beyond.
  Scene scene;
  scene.addGeom(terrain(41, 5, 2, 2, [](double x, double) { return x < 0.01 ? 0.0 : -1.0; }),
                {.isStatic = true});
  const GeomId box = scene.addGeom(BoxShape{{0.2, 0.2, 0.2}});
  scene.setPose(box, at(-0.15, 0.1, 0.0999));
  for (const ContactPoint& k : contacts(scene)) {
    EXPECT_NEAR(k.normal.z, -1, 1e-9);
    EXPECT_NEAR(k.depth, 0.0001, 1e-9);
  }
  EXPECT_EQ(contacts(scene).size(), 4u);
}

TEST(StaticMesh, PrimitivesLieOnItAsOnABox) {
  const std::vector<Shape> shapes = {SphereShape{0.1}, BoxShape{{0.2, 0.2, 0.2}},
                                     CapsuleShape{0.1, 0.3}, CylinderShape{0.1, 0.2}};
  for (const Shape& shape : shapes) {
    SCOPED_TRACE(shapeName(shape));
    Scene mesh, box;
    mesh.addGeom(boxMesh({2, 2, 1}), {.isStatic = true});
    box.addGeom(BoxShape{{2, 2, 1}}, {.isStatic = true});
    for (const double gap : {-0.004, -0.001, 0.001, 0.004, 0.02}) {
      for (Scene* s : {&mesh, &box}) {
        if (s->geomCount() == 1) s->addGeom(shape);
        const bool lies = std::holds_alternative<CapsuleShape>(shape);
        s->setPose(GeomId(1), at(0.13, 0.21, 0.6 + gap, {lies ? std::acos(0.0) : 0.0, 0, 0}));
      }
      const auto c = contacts(mesh, 0.01), d = contacts(box, 0.01);
      ASSERT_EQ(c.empty(), gap > 0.01);
      ASSERT_EQ(d.empty(), gap > 0.01);
      if (c.empty()) continue;
      EXPECT_NEAR(deepest(c), -gap, 1e-6);
      EXPECT_NEAR(deepest(d), -gap, 1e-9);
      for (const ContactPoint& k : c) EXPECT_NEAR(k.normal.z, -1, 1e-6);
    }
  }
}

}  // namespace
}  // namespace espalier
