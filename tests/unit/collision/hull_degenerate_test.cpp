// Hulls of points that are hard on a hull's arithmetic: of any magnitude, nearly flat, doubled.

#include <cmath>
#include <limits>
#include <random>

#include "espalier/geometry/hull.h"
#include "scene_fixture.h"

namespace espalier {
namespace {

TriangleMesh meshOf(std::vector<Vec3d> points) { return {std::move(points), {{0, 1, 2}}}; }

std::vector<Vec3d> randomPoints(int n, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> number;
  std::vector<Vec3d> points;
  for (int i = 0; i < n; ++i) points.push_back({number(random), number(random), number(random)});
  return points;
}

/// Every edge borders two faces, and the normals are unit vectors that point out.
void expectClosed(const Hull& hull, double extent) {
  EXPECT_EQ(hull.vertices.size() + hull.faces.size(), hull.corners.size() / 2 + 2) << "Euler";
  for (const Hull::Face& f : hull.faces) {
    ASSERT_GE(f.end - f.begin, 3);
    EXPECT_NEAR(norm(f.normal), 1, 1e-9);
    EXPECT_LT(dot(f.normal, hull.centre) - f.offset, 1e-6 * extent);
  }
}

TEST(HullOfDegeneratePoints, AnyMagnitudeGivesTheSameHull) {
  const std::vector<Vec3d> points = randomPoints(60, 3);
  const auto one = convexHull(meshOf(points));
  ASSERT_TRUE(one);
  for (const int e : {-1000, -500, -332, 332, 1000}) {
    std::vector<Vec3d> scaled = points;
    for (Vec3d& p : scaled) p = {std::ldexp(p.x, e), std::ldexp(p.y, e), std::ldexp(p.z, e)};
    const auto hull = convexHull(meshOf(scaled));
    ASSERT_TRUE(hull) << e;
    EXPECT_EQ(hull->corners, one->corners);
    ASSERT_EQ(hull->faces.size(), one->faces.size());
    for (std::size_t i = 0; i < one->faces.size(); ++i) {
      EXPECT_EQ(norm(hull->faces[i].normal - one->faces[i].normal), 0) << "a power of two";
      EXPECT_EQ(hull->faces[i].offset, std::ldexp(one->faces[i].offset, e));
    }
    EXPECT_TRUE(std::isfinite(norm(hull->centre * std::ldexp(1.0, -e))));
  }
}

TEST(HullOfDegeneratePoints, FromTheFileThatCrashed) {
  for (const double s : {1e-100, 1e-200, 1e-300, 1e100, 1e300}) {
    const auto hull = convexHull(meshOf({{0, 0, 0}, {s, 0, 0}, {0, 2 * s, 0}, {0, 0, 3 * s}}));
    ASSERT_TRUE(hull) << s;
    EXPECT_EQ(hull->faces.size(), 4u);
    EXPECT_EQ(hull->vertices.size(), 4u);
  }
}

TEST(HullOfDegeneratePoints, NotFiniteIsNone) {
  for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    std::vector<Vec3d> points = randomPoints(20, 5);
    points[7].y = bad;
    EXPECT_FALSE(convexHull(meshOf(points)));
    EXPECT_FALSE(convexHull(meshOf(std::vector<Vec3d>(8, Vec3d{bad, bad, bad}))));
  }
}

TEST(HullOfDegeneratePoints, FlatAndStraightAndOnePlaceAreNoneAtAnyMagnitude) {
  for (const double s : {1e-300, 1e-12, 1.0, 1e12, 1e300}) {
    std::vector<Vec3d> flat, straight, turned;
    for (const Vec3d& p : randomPoints(40, 9)) {
      flat.push_back(Vec3d{p.x, p.y, 0.5} * s);
      straight.push_back(Vec3d{p.x, 2 * p.x, -p.x} * s);
      turned.push_back(Vec3d{p.x, p.y, 0.3 * p.x + 0.7 * p.y} * s);
    }
    EXPECT_FALSE(convexHull(meshOf(flat))) << s;
    EXPECT_FALSE(convexHull(meshOf(straight))) << s;
    EXPECT_FALSE(convexHull(meshOf(turned))) << s;
    EXPECT_FALSE(convexHull(meshOf(std::vector<Vec3d>(9, Vec3d{s, s, s})))) << s;
  }
  EXPECT_FALSE(convexHull(meshOf({})));
  EXPECT_FALSE(convexHull(meshOf(std::vector<Vec3d>(9, Vec3d{0, 0, 0}))));
}

TEST(HullOfDegeneratePoints, NearlyFlatGridsAndDoublesNeverBreakIt) {
  std::mt19937 random(11);
  std::uniform_int_distribution<int> coordinate(0, 4), count(4, 80), exponent(-9, 0);
  std::normal_distribution<double> noise;
  int hulls = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const double thickness = std::pow(10.0, exponent(random)),
                 jitter = std::pow(10.0, exponent(random) - 6);
    std::vector<Vec3d> points;
    for (int i = count(random); i > 0; --i) {
      points.push_back({coordinate(random) + jitter * noise(random),
                        coordinate(random) + jitter * noise(random),
                        thickness * coordinate(random) + jitter * noise(random)});
    }
    const auto hull = convexHull(meshOf(points));
    if (!hull) continue;
    ++hulls;
    ASSERT_GE(hull->faces.size(), 4u);
    double farthest = 0;
    for (const Hull::Face& f : hull->faces) {
      ASSERT_GE(f.end - f.begin, 3);
      ASSERT_LE(static_cast<std::size_t>(f.end), hull->corners.size());
      ASSERT_NEAR(norm(f.normal), 1, 1e-9);
      for (const Vec3d& p : points) farthest = std::max(farthest, dot(f.normal, p) - f.offset);
    }
    EXPECT_LT(farthest, 2e-5) << "thickness " << thickness << ", jitter " << jitter;
    for (const int c : hull->corners) ASSERT_LT(static_cast<std::size_t>(c), hull->vertices.size());
  }
  EXPECT_GT(hulls, 1000);
}

TEST(HullOfDegeneratePoints, OneFarPointAmongManyNear) {
  std::vector<Vec3d> points = randomPoints(50, 13);
  points.push_back({1e6, 0, 0});
  if (const auto hull = convexHull(meshOf(points))) expectClosed(*hull, 1e6);
  points.back() = {1e5, 2e5, 3e5};
  const auto hull = convexHull(meshOf(points));
  ASSERT_TRUE(hull);
  expectClosed(*hull, 3e5);
}

/// A flat mesh is a remark of the scene, and nothing collides with it.
TEST(HullOfDegeneratePoints, AFlatMeshInASceneIsARemark) {
  Scene scene;
  auto data = std::make_shared<TriangleMesh>();
  data->vertices = {{0, 0, 0}, {1e-100, 0, 0}, {0, 1e-100, 0}};
  data->triangles = {{0, 1, 2}};
  scene.addGeom(MeshShape{"flat.stl", data}, {});
  const Diagnostics& remarks = scene.build();
  ASSERT_EQ(remarks.count(Severity::Warning), 1) << remarks.toString();
  EXPECT_NE(remarks.all()[0].what.find("flat mesh"), std::string::npos);
}

}  // namespace
}  // namespace espalier
