// Ellipsoids: contact in closed form and against dense samples of their surface.

#include "espalier/geometry/shapes/ellipsoid.h"

#include <cmath>
#include <numbers>

#include "scene_fixture.h"

namespace espalier {
namespace {

constexpr Vec3d radii{0.3, 0.2, 0.1};

Vec3d onSurface(double longitude, double latitude) {
  return {radii.x * std::cos(latitude) * std::cos(longitude),
          radii.y * std::cos(latitude) * std::sin(longitude), radii.z * std::sin(latitude)};
}

/// f(p) for points all over the surface.
template <class F>
void forSurface(int n, const F& f) {
  for (int i = 0; i < 2 * n; ++i)
    for (int j = 0; j <= n; ++j)
      f(onSurface(std::numbers::pi * i / n, std::numbers::pi * (j - 0.5 * n) / n));
}

Vec3d towards(std::mt19937& random) {
  std::normal_distribution<double> normal;
  const Vec3d d{normal(random), normal(random), normal(random)};
  return d * (1 / norm(d));
}

TEST(EllipsoidShape, ReachesAsFarAsItsSurface) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 30; ++trial) {
    const Vec3d d = towards(random), far = EllipsoidShape::farthest(d * 3.0, radii);
    double most = -1;
    forSurface(200, [&](const Vec3d& p) { most = std::max(most, dot(d, p)); });
    EXPECT_NEAR(EllipsoidShape::reach(d, radii, 0.0), most, 1e-4);
    EXPECT_NEAR(dot(d, far), EllipsoidShape::reach(d, radii, 0.0), 1e-15);
    EXPECT_NEAR(norm(Vec3d{far.x / radii.x, far.y / radii.y, far.z / radii.z}), 1, 1e-14);
  }
}

// The distance of p = x + d n from a point x with outward normal n is d, as long as d is above the
// least radius of curvature, turned inwards.
TEST(EllipsoidShape, DistanceAlongANormal) {
  const double leastCurvature = radii.z * radii.z / radii.x;
  for (int i = 0; i < 12; ++i) {
    for (int j = 0; j <= 12; ++j) {
      const Vec3d x = onSurface(std::numbers::pi * i / 6, std::numbers::pi * (j - 6) / 12);
      Vec3d n{x.x / (radii.x * radii.x), x.y / (radii.y * radii.y), x.z / (radii.z * radii.z)};
      n = n * (1 / norm(n));
      for (const double d : {-0.9 * leastCurvature, -1e-3, -1e-9, 0.0, 1e-9, 1e-3, 0.1, 10.0}) {
        const SolidDistance found = EllipsoidShape::distance(x + n * d, radii);
        EXPECT_NEAR(found.d, d, 1e-12) << i << " " << j;
        EXPECT_LT(norm(found.n - n), 1e-9) << i << " " << j << " " << d;
      }
    }
  }
  EXPECT_NEAR(EllipsoidShape::distance({0, 0, 0}, radii).d, -radii.z, 1e-12);
  EXPECT_NEAR(EllipsoidShape::distance({0, 0, 0}, {0.2, 0.2, 0.2}).d, -0.2, 1e-12);
}

TEST(Ellipsoid, TouchesAPlaneInOnePoint) {
  Scene scene;
  scene.addGeom(Plane{}, {.isStatic = true});
  scene.addGeom(EllipsoidShape{radii});
  std::mt19937 random(2);
  for (int trial = 0; trial < 50; ++trial) {
    const Mat3d R = rotation(expQuat(towards(random) * 2.0));
    // The half height of an ellipsoid is |H R' e_z|.
    const double height = norm(Vec3d{radii.x * R.r2.x, radii.y * R.r2.y, radii.z * R.r2.z});
    scene.setPose(GeomId(1), {R, {0.4, -0.7, height - 1e-3}});
    const auto c = contacts(scene, 0.01);
    ASSERT_EQ(c.size(), 1u);
    EXPECT_NEAR(c[0].depth, 1e-3, 1e-15);
    EXPECT_NEAR(c[0].position.z, -1e-3, 1e-15);
    const Vec3d p = tmul(R, c[0].position - Vec3d{0.4, -0.7, height - 1e-3});
    EXPECT_NEAR(norm(Vec3d{p.x / radii.x, p.y / radii.y, p.z / radii.z}), 1, 1e-13);
  }
}

// A contact of MuJoCo 4.0.0, whose point lies half way between both surfaces.
TEST(Ellipsoid, TouchesAPlaneWhereMuJoCoSays) {
  Scene scene;
  scene.addGeom(Plane{}, {.isStatic = true});
  scene.addGeom(EllipsoidShape{radii});
  const Quat<double> q{0.84313248, 0.25973605, 0.16011978, 0.44274875};
  scene.setPose(GeomId(1), {rotation(normalized(q)), {0.4, -0.7, 0.05}});
  const auto c = contacts(scene);
  ASSERT_EQ(c.size(), 1u);
  EXPECT_NEAR(c[0].depth, 0.0921690368713874, 1e-8);
  EXPECT_NEAR(c[0].position.x, 0.49369515, 1e-8);
  EXPECT_NEAR(c[0].position.y, -0.73918897, 1e-8);
  EXPECT_NEAR(c[0].position.z, 2 * -0.04608452, 2e-8);
}

// On ground of any kind that is flat the contact is the plane's.
TEST(Ellipsoid, LiesOnFlatGroundOfAnyKind) {
  const std::vector<std::pair<Shape, Vec3d>> grounds = {
      {BoxShape{{4, 4, 1}}, {0, 0, -0.5}},
      {boxMesh({4, 4, 1}), {0, 0, -0.5}},
      {terrain(5, 5, 4, 4, [](double, double) { return 0.0; }), {0, 0, 0}}};
  std::mt19937 random(3);
  for (const auto& [ground, p] : grounds) {
    SCOPED_TRACE(shapeName(ground));
    for (const double depth : {2e-3, 1e-6, -5e-3}) {
      Scene scene;
      scene.addGeom(ground, {.isStatic = true});
      scene.addGeom(EllipsoidShape{radii});
      scene.setPose(GeomId(0), {identity3<double>(), p});
      for (int trial = 0; trial < 20; ++trial) {
        const Mat3d R = rotation(expQuat(towards(random) * 2.0));
        const double height = norm(Vec3d{radii.x * R.r2.x, radii.y * R.r2.y, radii.z * R.r2.z});
        scene.setPose(GeomId(1), {R, {0.11, 0.23, height - depth}});
        const auto c = contacts(scene, 0.01);
        ASSERT_EQ(c.size(), 1u) << depth;
        EXPECT_NEAR(c[0].depth, depth, 1e-8);
        EXPECT_GT(std::abs(c[0].normal.z), 1 - 1e-9);
      }
    }
  }
}

// A sphere's gap is the distance of its centre less its radius.
TEST(Ellipsoid, AndASphere) {
  std::mt19937 random(4);
  for (const double gap : {-5e-3, -1e-6, 1e-6, 5e-3, 0.02}) {
    for (int trial = 0; trial < 40; ++trial) {
      Scene scene;
      scene.addGeom(SphereShape{0.05});
      scene.addGeom(EllipsoidShape{radii});
      const Vec3d d = towards(random), x = EllipsoidShape::farthest(d, radii);
      const Transformd X{rotation(expQuat(towards(random))), {1, 2, 3}};
      scene.setPose(GeomId(1), X);
      scene.setPose(GeomId(0), {identity3<double>(), X * madd(d, 0.05 + gap, x)});
      const auto c = contacts(scene, 0.03);
      ASSERT_EQ(c.size(), 1u) << gap;
      EXPECT_NEAR(c[0].depth, -gap, 1e-8);
      EXPECT_LT(norm(c[0].normal - mul(X.R, d)), 1e-3);
      EXPECT_LT(norm(c[0].position - X * madd(d, gap / 2, x)), 1e-3);
    }
  }
}

// Two of the same normal, opposed at their surfaces, are apart by what is between these.
TEST(Ellipsoid, AndAnEllipsoidOrABox) {
  std::mt19937 random(5);
  for (const double gap : {-3e-3, -1e-6, 1e-6, 5e-3}) {
    for (int trial = 0; trial < 40; ++trial) {
      const Vec3d d = towards(random);
      const Vec3d other{0.1, 0.15, 0.25};
      const Mat3d R = rotation(expQuat(towards(random) * 2.0));
      const Vec3d x = EllipsoidShape::farthest(d, radii);
      const Vec3d y = mul(R, EllipsoidShape::farthest(tmul(R, -d), other));
      Scene scene;
      scene.addGeom(EllipsoidShape{radii});
      scene.addGeom(EllipsoidShape{other});
      scene.setPose(GeomId(1), {R, madd(d, gap, x) - y});
      const auto c = contacts(scene, 0.01);
      ASSERT_EQ(c.size(), 1u) << gap;
      EXPECT_NEAR(c[0].depth, -gap, 1e-8);
      EXPECT_LT(norm(c[0].normal + d), 1e-3);
    }
  }
  Scene scene;
  scene.addGeom(BoxShape{{1, 1, 1}});
  scene.addGeom(EllipsoidShape{radii});
  scene.setPose(GeomId(1), at(0.1, 0.2, 0.5 + radii.z - 1e-3));
  const auto c = contacts(scene, 0.01);
  ASSERT_EQ(c.size(), 1u);
  EXPECT_NEAR(c[0].depth, 1e-3, 1e-9);
  EXPECT_LT(norm(c[0].position - Vec3d{0.1, 0.2, 0.4995}), 1e-6);
}

TEST(Ellipsoid, HasNoTwinInOde) {
  Scene scene;
  const GeomId id = scene.addGeom(EllipsoidShape{radii});
  EXPECT_THROW((void)scene.odeGeom(id), std::invalid_argument);
  EXPECT_THROW(scene.addGeom(EllipsoidShape{{1, 0, 1}}), std::invalid_argument);
}

}  // namespace
}  // namespace espalier
