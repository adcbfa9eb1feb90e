// A box against an ellipsoid and a cylinder, whose contact over a face has a closed form: against the
// same box as a hull, which goes the general way, and against gap(n) = -h_A(-n) - h_B(n) of many n.

#include <algorithm>
#include <cmath>

#include "espalier/collision/convex.h"
#include "espalier/geometry/shapes/cylinder.h"
#include "espalier/geometry/shapes/ellipsoid.h"
#include "scene_fixture.h"

namespace espalier {
namespace {

constexpr double margin = 0.01;
const Vec3d box_size{0.5, 0.8, 0.3};

Vec3d randomVec(std::mt19937& random, double size) {
  std::uniform_real_distribution<double> u(-size, size);
  const double x = u(random), y = u(random);
  return {x, y, u(random)};
}

double reachOf(const Shape& shape, const Transformd& X, const Vec3d& n) {
  const Vec3d l = tmul(X.R, n);
  const double at = dot(n, X.p);
  if (const auto* e = std::get_if<EllipsoidShape>(&shape))
    return EllipsoidShape::reach(l, e->half(), at);
  return CylinderShape::reach(l, std::get<CylinderShape>(shape).half(), at);
}

/// Of the box at the origin, along n from the round solid to the box.
double gapAlong(const Shape& shape, const Transformd& X, const Vec3d& n) {
  const Vec3d h = box_size * 0.5;
  return -(std::abs(n.x) * h.x + std::abs(n.y) * h.y + std::abs(n.z) * h.z) - reachOf(shape, X, n);
}

/// The largest gap(n) of evenly spread directions, and of those close to one.
double largestGap(const Shape& shape, const Transformd& X, const Vec3d& close) {
  double best = -1e9;
  constexpr int kSamples = 4000;
  for (int i = 0; i < kSamples; ++i) {
    const double z = 1 - (2 * i + 1.0) / kSamples, r = std::sqrt(1 - z * z), t = 2.399963229728 * i;
    const Vec3d n{r * std::cos(t), r * std::sin(t), z};
    best = std::max(best, gapAlong(shape, X, n));
    const Vec3d turned = close + n * (0.1 * (i + 1) / kSamples);
    best = std::max(best, gapAlong(shape, X, turned * (1 / norm(turned))));
  }
  return best;
}

std::vector<ContactPoint> meet(const Shape& box, const Shape& shape, const Transformd& X) {
  Scene scene;
  scene.addGeom(box, {.owner = 0});
  scene.addGeom(shape, {.owner = 1});
  scene.setPose(GeomId(1), X);
  return contacts(scene, margin);
}

const ContactPoint& deepestOf(const std::vector<ContactPoint>& points) {
  return *std::max_element(points.begin(), points.end(),
                           [](const auto& a, const auto& b) { return a.depth < b.depth; });
}

/// Moved along `way` so that the gap along the box's face there is the one wanted.
Transformd placed(const Shape& shape, const Vec3d& r, const Vec3d& at, const Vec3d& way,
                  double gap) {
  Transformd X{rotation(expQuat(r)), at};
  X.p += way * (gap - gapAlong(shape, X, -way));
  return X;
}

const std::vector<Shape> round_shapes = {EllipsoidShape{{0.3, 0.2, 0.1}},
                                         EllipsoidShape{{0.02, 0.04, 0.03}},
                                         CylinderShape{0.1, 0.3}, CylinderShape{0.2, 0.05}};
const Vec3d ways[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};

TEST(BoxRound, DeepestContactIsThatOfTheBoxAsAHull) {
  std::mt19937 random(7);
  int met = 0;
  for (const Shape& shape : round_shapes) {
    for (int trial = 0; trial < 300; ++trial) {
      const Vec3d at = randomVec(random, 0.45), turn = randomVec(random, 2);
      const Vec3d& way = ways[trial % 6];
      const double gap = std::uniform_real_distribution<double>(-1e-3, 0.012)(random);
      const Transformd X = placed(shape, turn, at, way, gap);
      const auto points = meet(BoxShape{box_size}, shape, X);
      const auto expected = meet(boxMesh(box_size), shape, X);
      SCOPED_TRACE(shapeName(shape) + std::string(" ") + std::to_string(trial));
      ASSERT_EQ(points.empty(), expected.empty());
      if (points.empty()) continue;
      ++met;
      const ContactPoint &p = deepestOf(points), &q = deepestOf(expected);
      EXPECT_NEAR(p.depth, q.depth, 1e-7);
      EXPECT_GE(p.depth, q.depth - 1e-7);
      EXPECT_LT(norm(p.normal - q.normal), 1e-3);
      EXPECT_LT(norm(p.position - q.position), 1e-3);
    }
  }
  EXPECT_GT(met, 300);
}

// The gap along the contact's normal is the contact's, and no direction has a larger one.
TEST(BoxRound, NoDirectionHasALargerGap) {
  std::mt19937 random(8);
  for (const Shape& shape : round_shapes) {
    for (int trial = 0; trial < 60; ++trial) {
      const Vec3d& way = ways[trial % 6];
      const Vec3d at = randomVec(random, 0.3), turn = randomVec(random, 2);
      const double gap = std::uniform_real_distribution<double>(-4e-4, 0.009)(random);
      const Transformd X = placed(shape, turn, at, way, gap);
      const auto points = meet(BoxShape{box_size}, shape, X);
      if (points.empty()) continue;
      const ContactPoint& p = deepestOf(points);
      SCOPED_TRACE(shapeName(shape) + std::string(" ") + std::to_string(trial));
      EXPECT_NEAR(gapAlong(shape, X, p.normal), -p.depth, 1e-9);
      EXPECT_LT(largestGap(shape, X, p.normal), -p.depth + 5e-6);
    }
  }
}

// Over a face the contact is exact: the face's normal, and midway between the solids.
TEST(BoxRound, OverAFaceIsExact) {
  std::mt19937 random(9);
  const EllipsoidShape ellipsoid{{0.03, 0.04, 0.02}};
  for (const double gap : {-9e-4, -1e-9, 0.0, 1e-9, 1e-5, 8e-3}) {
    for (int trial = 0; trial < 24; ++trial) {
      const Vec3d& way = ways[trial % 6];
      const Vec3d at = randomVec(random, 0.1), turn = randomVec(random, 2);
      const Transformd X = placed(ellipsoid, turn, at, way, gap);
      const auto c = meet(BoxShape{box_size}, ellipsoid, X);
      ASSERT_EQ(c.size(), 1u);
      EXPECT_NEAR(c[0].depth, -gap, 1e-15);
      EXPECT_EQ(norm(c[0].normal + way), 0);
      const Vec3d low = X * EllipsoidShape::farthest(tmul(X.R, -way), ellipsoid.half());
      EXPECT_LT(norm(c[0].position - (low - way * (gap / 2))), 1e-15);
    }
  }
}

// An ellipsoid that moves out over a face's border: the gap goes on without a jump.
TEST(BoxRound, NothingJumpsAtTheBorder) {
  const EllipsoidShape ellipsoid{{0.03, 0.04, 0.02}};
  for (const double gap : {-9e-4, 2e-3}) {
    ContactPoint last{};
    for (int i = -20; i <= 20; ++i) {
      const Vec3d at{0.25 + 1e-7 * i, 0.1, 0};
      const Transformd X = placed(ellipsoid, {0, 0, 0.3}, at, {0, 0, 1}, gap);
      const auto c = meet(BoxShape{box_size}, ellipsoid, X);
      ASSERT_EQ(c.size(), 1u);
      if (i > -20) {
        EXPECT_NEAR(c[0].depth, last.depth, 1e-9);
        EXPECT_LT(norm(c[0].normal - last.normal), 1e-4);
        EXPECT_LT(norm(c[0].position - last.position), 1e-5);
      }
      last = c[0];
    }
  }
}

// distance() gives up at `near` exactly where it is known that the distance is no larger.
TEST(BoxRound, DistanceGivesUpWhereItIsNear) {
  using collision::Convex, collision::Distance, collision::distance;
  std::mt19937 random(10);
  int near = 0, apart = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const collision::TriangleCorners x{
        {randomVec(random, 1), randomVec(random, 1), randomVec(random, 1)}, {0, 0, 1}};
    const collision::TriangleCorners y{
        {randomVec(random, 1), randomVec(random, 1), randomVec(random, 1)}, {0, 0, 1}};
    const Convex a(x), b(y);
    const Distance whole = distance(a, b, 10, a.centre() - b.centre());
    const Distance d = distance(a, b, 10, a.centre() - b.centre(), 0.2);
    const bool isNear = whole.state == Distance::Overlapping || whole.length <= 0.2;
    EXPECT_EQ(d.state, isNear ? Distance::Overlapping : Distance::Apart);
    if (!isNear) {
      EXPECT_EQ(d.length, whole.length);
    }
    isNear ? ++near : ++apart;
  }
  EXPECT_GT(near, 50);
  EXPECT_GT(apart, 50);
}

// What distance() begins with does not change where it ends.
TEST(BoxRound, DistanceFromTheCornersOfAnother) {
  using collision::Convex, collision::Distance, collision::distance;
  std::mt19937 random(11);
  int compared = 0;
  for (int trial = 0; trial < 400; ++trial) {
    collision::TriangleCorners x{{}, {0, 0, 1}}, y{{}, {0, 0, 1}};
    for (Vec3d& p : x.p) p = randomVec(random, 1);
    for (Vec3d& p : y.p) p = randomVec(random, 1);
    const Vec3d shift = randomVec(random, 0.5);
    const Convex a(x), b(y);
    Distance start = distance(a, b, 10, {0, 0, 1});
    if (start.state != Distance::Apart) continue;
    for (int k = 0; k < start.corners; ++k) start.w[k] += shift, start.onA[k] += shift;
    for (Vec3d& p : x.p) p += shift;
    const Distance cold = distance(a, b, 10, {0, 0, 1});
    const Distance warm = distance(a, b, 10, {0, 0, 1}, 0, &start);
    ASSERT_EQ(warm.state, cold.state);
    if (cold.state != Distance::Apart) continue;
    ++compared;
    EXPECT_NEAR(warm.length, cold.length, 1e-9);
    EXPECT_LT(norm(warm.n - cold.n), 1e-5);
  }
  EXPECT_GT(compared, 100);
}

}  // namespace
}  // namespace espalier
