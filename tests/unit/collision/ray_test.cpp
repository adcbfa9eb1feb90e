#include <cmath>
#include <stdexcept>

#include "scene_fixture.h"

namespace espalier {
namespace {

/// Is the point in the shape's solid? In the shape's frame; independent of the ray code.
bool inside(const Shape& shape, const Vec3d& p) {
  const double rho = std::hypot(p.x, p.y);
  if (const auto* s = std::get_if<SphereShape>(&shape)) return norm(p) < s->radius;
  if (const auto* s = std::get_if<BoxShape>(&shape)) {
    return std::abs(p.x) < s->size.x / 2 && std::abs(p.y) < s->size.y / 2 &&
           std::abs(p.z) < s->size.z / 2;
  }
  if (const auto* s = std::get_if<CylinderShape>(&shape)) {
    return rho < s->radius && std::abs(p.z) < s->height / 2;
  }
  if (const auto* s = std::get_if<CapsuleShape>(&shape)) {
    const double z = std::max(0.0, std::abs(p.z) - s->height / 2);
    return std::hypot(rho, z) < s->radius;
  }
  if (const auto* s = std::get_if<EllipsoidShape>(&shape)) {
    return norm(Vec3d{p.x / s->radii.x, p.y / s->radii.y, p.z / s->radii.z}) < 1;
  }
  if (std::holds_alternative<Plane>(shape)) return p.z < 0;
  if (std::holds_alternative<MeshShape>(shape)) return inside(BoxShape{{0.5, 0.7, 0.9}}, p);
  return false;
}

TEST(Ray, MarchingFindsTheSameSurface) {
  const std::vector<std::pair<Shape, bool>> shapes = {{SphereShape{0.5}, false},
                                                      {BoxShape{{0.5, 0.7, 0.9}}, false},
                                                      {CylinderShape{0.4, 0.7}, false},
                                                      {CapsuleShape{0.3, 0.5}, false},
                                                      {EllipsoidShape{{0.3, 0.5, 0.2}}, false},
                                                      {Plane{}, true},
                                                      {boxMesh({0.5, 0.7, 0.9}), false},
                                                      {boxMesh({0.5, 0.7, 0.9}), true}};
  std::mt19937 random(6);
  std::uniform_real_distribution<double> u(-1, 1);
  for (const auto& [shape, isStatic] : shapes) {
    SCOPED_TRACE(shapeName(shape));
    Scene scene;
    scene.addGeom(shape, {.isStatic = isStatic});
    int hits = 0;
    for (int trial = 0; trial < 200; ++trial) {
      const Transformd X = at(0.2 * u(random), 0.2 * u(random), 0.2 * u(random),
                              {2 * u(random), 2 * u(random), 2 * u(random)});
      scene.setPose(GeomId(0), X);
      const Vec3d origin{1.5 * u(random), 1.5 * u(random), 1.5 * u(random)};
      const Vec3d direction = Vec3d{0.6 * u(random), 0.6 * u(random), 0.6 * u(random)} - origin;
      const Vec3d d = direction * (1 / norm(direction));
      if (inside(shape, inverse(X) * origin)) {
        RayHit hit;
        if (!isStatic || std::holds_alternative<Plane>(shape)) {
          EXPECT_FALSE(scene.raycast(origin, direction, 10, hit));
        }
        continue;
      }
      double marched = -1;
      for (double t = 0; t < 4 && marched < 0; t += 1e-3) {
        if (inside(shape, inverse(X) * (origin + d * t))) marched = t;
      }
      RayHit hit;
      const bool met = scene.raycast(origin, direction, 4, hit);
      if (marched >= 0) {
        ASSERT_TRUE(met) << trial;
        EXPECT_NEAR(hit.distance, marched, 1.1e-3) << trial;
        EXPECT_LT(norm(hit.position - (origin + d * hit.distance)), 1e-12);
        EXPECT_NEAR(norm(hit.normal), 1, 1e-6);
        EXPECT_LT(dot(hit.normal, d), 0);
        EXPECT_FALSE(inside(shape, inverse(X) * (hit.position + hit.normal * 1e-5)));
        EXPECT_TRUE(inside(shape, inverse(X) * (hit.position - hit.normal * 1e-5))) << trial;
        RayHit none;
        EXPECT_FALSE(scene.raycast(origin, direction, hit.distance - 1e-5, none));
        ++hits;
      } else if (met) {
        // A graze between two steps of the march.
        EXPECT_FALSE(inside(shape, inverse(X) * (hit.position + d * 2e-3)));
      }
    }
    EXPECT_GT(hits, 50);
  }
}

TEST(Ray, HeightfieldFromAnyDirection) {
  const auto height = [](double x, double y) { return 0.2 * std::sin(3 * x) + 0.1 * y; };
  Scene scene;
  const Heightfield field = terrain(33, 21, 3, 2, height);
  scene.addGeom(field, {.isStatic = true});
  scene.setPose(GeomId(0), at(0.5, 0.25, -1));
  // Straight down everywhere, on samples, edges and the very border: no ray slips through.
  for (int i = 0; i <= 64; ++i) {
    for (int j = 0; j <= 40; ++j) {
      const double x = -1.5 + 3.0 * i / 64, y = -1 + 2.0 * j / 40;
      RayHit hit;
      ASSERT_TRUE(scene.raycast({x + 0.5, y + 0.25, 5}, {0, 0, -2}, 20, hit)) << x << " " << y;
      EXPECT_NEAR(hit.position.z + 1, height(x, y), 0.01);
      EXPECT_FALSE(scene.raycast({x + 0.5, y + 0.25, -5}, {0, 0, 1}, 20, hit));
    }
  }
  // Slanted: the hit is on the surface, and nothing of it lies before.
  std::mt19937 random(2);
  std::uniform_real_distribution<double> u(-1, 1);
  int hits = 0;
  for (int trial = 0; trial < 500; ++trial) {
    const Vec3d origin{4 * u(random), 4 * u(random), 0.5 + u(random)};
    const Vec3d to{0.5 + 1.4 * u(random), 0.25 + 0.9 * u(random), -1.2};
    const Vec3d d = (to - origin) * (1 / norm(to - origin));
    const auto above = [&](const Vec3d& p) {
      // Piecewise linear height by an independent interpolation of the four samples.
      const double s = (p.x - 0.5 + 1.5) / 3 * 32, t = (p.y - 0.25 + 1) / 2 * 20;
      if (s < 0 || t < 0 || s > 32 || t > 20) return 1e9;
      const int i = std::min(31, int(s)), j = std::min(19, int(t));
      const auto h = [&](int k, int l) { return field.data->heights[l * 33 + k]; };
      const double a = s - i, b = t - j;
      const double z =
          a >= b ? h(i, j) + a * (h(i + 1, j) - h(i, j)) + b * (h(i + 1, j + 1) - h(i + 1, j))
                 : h(i, j) + b * (h(i, j + 1) - h(i, j)) + a * (h(i + 1, j + 1) - h(i, j + 1));
      return p.z + 1 - z;
    };
    RayHit hit;
    const bool met = scene.raycast(origin, d, 20, hit);
    const double end = met ? hit.distance - 1e-3 : 10;
    bool wasAbove = false;
    for (double t = 0; t < end; t += 2e-3) {
      const double h = above(origin + d * t);
      if (h > 1e8) {
        wasAbove = false;
        continue;
      }
      if (h >= 0) wasAbove = true;
      ASSERT_FALSE(wasAbove && h < -1e-4) << trial;
    }
    if (met) {
      EXPECT_NEAR(above(hit.position), 0, 1e-9) << trial;
      ++hits;
    }
  }
  EXPECT_GT(hits, 200);
}

TEST(Ray, NearestOfSeveralAndMasks) {
  Scene scene;
  scene.addGeom(Plane{}, {.isStatic = true});
  const GeomId low = scene.addGeom(SphereShape{0.5}, {.group = 2});
  const GeomId high = scene.addGeom(SphereShape{0.5}, {.group = 4});
  scene.setPose(low, at(0, 0, 1));
  scene.setPose(high, at(0, 0, 3));
  RayHit hit;
  ASSERT_TRUE(scene.raycast({0, 0, 9}, {0, 0, -1}, 100, hit));
  EXPECT_EQ(hit.geom, high);
  EXPECT_DOUBLE_EQ(hit.distance, 5.5);
  ASSERT_TRUE(scene.raycast({0, 0, 9}, {0, 0, -1}, 100, hit, {.mask = 2}));
  EXPECT_EQ(hit.geom, low);
  ASSERT_TRUE(scene.raycast({0, 0, 9}, {0, 0, -1}, 100, hit, {.mask = 1}));
  EXPECT_EQ(hit.geom, GeomId(0));
  EXPECT_FALSE(scene.raycast({0, 0, 9}, {0, 0, -1}, 5, hit));
  EXPECT_FALSE(scene.raycast({0, 0, 9}, {0, 0, 1}, INFINITY, hit));
  ASSERT_TRUE(scene.raycast({2, 0, 9}, {0, 0, -1}, INFINITY, hit));
  EXPECT_DOUBLE_EQ(hit.distance, 9);
  EXPECT_THROW(scene.raycast({0, 0, 9}, {0, 0, 0}, 5, hit), std::invalid_argument);
}

TEST(Ray, SkipsTheObjectThatSendsIt) {
  Scene scene;
  scene.addGeom(Plane{}, {.isStatic = true});
  for (int i = 0; i < 4; ++i) {  // one object of owners 4 to 6, another one of owner 7
    const GeomId id = scene.addGeom(SphereShape{0.1}, {.owner = 4 + i});
    scene.setPose(id, at(0, 0, 1 + i));
  }
  RayHit hit;
  ASSERT_TRUE(scene.raycast({0, 0, 9}, {0, 0, -1}, 100, hit));
  EXPECT_EQ(hit.geom, GeomId(4));
  ASSERT_TRUE(
      scene.raycast({0, 0, 9}, {0, 0, -1}, 100, hit, {.firstSkipped = 7, .lastSkipped = 7}));
  EXPECT_EQ(hit.geom, GeomId(3));
  ASSERT_TRUE(
      scene.raycast({0, 0, 2.5}, {0, 0, -1}, 9, hit, {.firstSkipped = 4, .lastSkipped = 6}));
  EXPECT_EQ(hit.geom, GeomId(0));
  scene.removeGeom(GeomId(4));
  ASSERT_TRUE(scene.raycast({0, 0, 9}, {0, 0, -1}, 100, hit));
  EXPECT_EQ(hit.geom, GeomId(3));
}

TEST(Ray, AllHitsAreNearestFirst) {
  Scene scene;
  scene.addGeom(Plane{}, {.isStatic = true});
  const double heights[4] = {2, 5, 1, 3};
  for (const double z : heights) scene.setPose(scene.addGeom(BoxShape{{1, 1, 0.2}}), at(0, 0, z));
  const auto hits = scene.raycastAll({0.2, 0.1, 9}, {0, 0, -3}, 100);
  ASSERT_EQ(hits.size(), 5u);
  const int order[5] = {2, 4, 1, 3, 0};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(hits[i].geom.value, order[i]);
    EXPECT_NEAR(hits[i].position.z, i < 4 ? heights[order[i] - 1] + 0.1 : 0, 1e-14);
    RayHit first;  // that one alone
    ASSERT_TRUE(scene.raycast({0.2, 0.1, hits[i].position.z + 0.01}, {0, 0, -1}, 0.02, first));
    EXPECT_EQ(first.geom, hits[i].geom);
  }
  EXPECT_EQ(scene.raycastAll({0.2, 0.1, 9}, {0, 0, -1}, 6).size(), 2u);
  EXPECT_THROW(scene.raycastAll({0, 0, 0}, {0, 0, 0}, 1), std::invalid_argument);
}

TEST(Ray, AlongTheCellsOfAHeightfield) {
  // Level rays over grid lines and diagonals meet a wall as they do between them.
  Scene scene;
  scene.addGeom(terrain(9, 9, 2, 2, [](double x, double y) { return x + y > 1.01 ? 1.0 : 0.0; }),
                {.isStatic = true});
  for (const double y : {0.25, 0.3, 0.5, 0.6, 0.75, 1.0}) {
    RayHit hit;
    ASSERT_TRUE(scene.raycast({-3, y, 0.5}, {1, 0, 0}, 9, hit)) << y;
    EXPECT_NEAR(hit.position.x, 1.125 - y, 0.13) << y;
    ASSERT_TRUE(scene.raycast({y, -3, 0.5}, {0, 1, 0}, 9, hit)) << y;
    EXPECT_NEAR(hit.position.y, 1.125 - y, 0.13) << y;
  }
  RayHit hit;
  ASSERT_TRUE(scene.raycast({-2, -2, 0.5}, {1, 1, 0}, 9, hit));
  EXPECT_NEAR(hit.position.x, 0.5, 0.2);
  EXPECT_FALSE(scene.raycast({-2, 2, 0.5}, {1, -1, 0}, 9, hit));
}

}  // namespace
}  // namespace espalier
