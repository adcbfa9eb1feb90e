// Every pair of convex shapes against a brute-force signed distance.
//
// For convex A and B with support functions h, the signed distance is the maximum over unit n of
//   gap(n) = -h_A(-n) - h_B(n)
// whether they are apart or overlap. The oracle samples the sphere of directions and climbs from
// the best few; it shares nothing with the library but the shapes.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "espalier/collision/scene.h"
#include "espalier/spatial/rotation.h"

namespace espalier {
namespace {

struct Placed {
  Shape shape;
  Transformd X;
};

double support(const Placed& s, const Vec3d& n) {
  const Vec3d l = tmul(s.X.R, n);
  const double rho = std::hypot(l.x, l.y);
  double h = 0;
  if (const auto* x = std::get_if<SphereShape>(&s.shape)) h = x->radius;
  if (const auto* x = std::get_if<BoxShape>(&s.shape)) {
    h = (std::abs(l.x) * x->size.x + std::abs(l.y) * x->size.y + std::abs(l.z) * x->size.z) / 2;
  }
  if (const auto* x = std::get_if<CylinderShape>(&s.shape)) {
    h = rho * x->radius + std::abs(l.z) * x->height / 2;
  }
  if (const auto* x = std::get_if<CapsuleShape>(&s.shape)) {
    h = x->radius + std::abs(l.z) * x->height / 2;
  }
  if (std::holds_alternative<Plane>(s.shape)) h = l.z > 1 - 1e-12 ? 0 : 1e9;
  if (const auto* x = std::get_if<MeshShape>(&s.shape)) {
    h = -1e9;
    for (const Vec3d& v : x->data->vertices) h = std::max(h, dot(l, v));
  }
  return dot(n, s.X.p) + h;
}

double gapAlong(const Placed& a, const Placed& b, const Vec3d& n) {
  return -support(a, -n) - support(b, n);
}

Vec3d unit(const Vec3d& v) { return v * (1 / norm(v)); }

/// The largest gap(n) of evenly spread directions, then of ever closer ones around the best.
double signedDistance(const Placed& a, const Placed& b, const Vec3d* hint = nullptr,
                      int rounds = 24) {
  if (std::holds_alternative<Plane>(b.shape)) {
    return gapAlong(a, b, {b.X.R.r0.z, b.X.R.r1.z, b.X.R.r2.z});
  }
  Vec3d n{0, 0, 1};
  double best = -1e9;
  const auto attempt = [&](const Vec3d& d) {
    const double g = gapAlong(a, b, d);
    if (g > best) best = g, n = d;
  };
  constexpr int kSamples = 2000;
  for (int i = 0; i < kSamples; ++i) {
    const double z = 1 - (2 * i + 1.0) / kSamples, r = std::sqrt(1 - z * z), t = 2.399963229728 * i;
    attempt({r * std::cos(t), r * std::sin(t), z});
  }
  if (hint != nullptr) attempt(*hint);
  double step = 0.05;
  for (int round = 0; round<rounds; ++round, step *= rounds> 24 ? 0.9 : 0.6) {
    const Vec3d u = unit(cross(n, std::abs(n.x) < 0.7 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0}));
    const Vec3d v = cross(n, u), middle = n;
    for (int k = 0; k < 32; ++k) {
      const double angle = 2.399963229728 * k, r = step * std::sqrt((k + 1) / 32.0);
      attempt(unit(middle + u * (r * std::cos(angle)) + v * (r * std::sin(angle))));
    }
  }
  return best;
}

MeshShape polyhedron(int seed) {
  std::mt19937 random(static_cast<unsigned>(seed));
  std::uniform_real_distribution<double> u(-1, 1);
  auto data = std::make_shared<TriangleMesh>();
  for (int i = 0; i < 24; ++i) {
    const Vec3d p{u(random), u(random), u(random)};
    data->vertices.push_back(p * (0.15 / std::max(0.2, norm(p))));
  }
  data->triangles.push_back({0, 1, 2});  // only the vertices matter to a hull
  return {"polyhedron", data};
}

const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all = {SphereShape{0.12}, BoxShape{{0.2, 0.3, 0.16}},
                                         CylinderShape{0.1, 0.3}, CapsuleShape{0.08, 0.25},
                                         polyhedron(3)};
  return all;
}

struct Random {
  std::mt19937 engine;
  explicit Random(unsigned seed) : engine(seed) {}
  double in(double lo, double hi) { return std::uniform_real_distribution(lo, hi)(engine); }
  Mat3d rotation() {
    const Quat<double> q{in(-1, 1), in(-1, 1), in(-1, 1), in(-1, 1)};
    return espalier::rotation(normalized(q));
  }
  Vec3d direction() {
    const Mat3d r = rotation();
    return r.r0;
  }
};

/// Deepest contact of a pair, b - a as in the scene; checks what holds for all.
struct Answer {
  int count = 0;
  ContactPoint deepest{};
};
Answer ask(const Placed& a, const Placed& b, double margin) {
  Scene scene;
  const bool ground = std::holds_alternative<Plane>(b.shape);
  const GeomId i = scene.addGeom(a.shape, {.owner = 0});
  const GeomId j = scene.addGeom(b.shape, {.owner = 1, .isStatic = ground});
  EXPECT_TRUE(scene.build().all().empty());
  scene.setPose(i, a.X);
  scene.setPose(j, b.X);
  ContactPoint out[16];
  bool overflow = true;
  Answer answer;
  answer.count = scene.collide(margin, out, 16, overflow);
  EXPECT_FALSE(overflow);
  const bool isHullOnPlane = ground && std::holds_alternative<MeshShape>(a.shape);
  EXPECT_LE(answer.count, isHullOnPlane ? collision::kMaxHullPoints : collision::kMaxPairPoints);
  std::set<int> features;
  for (int k = 0; k < answer.count; ++k) {
    EXPECT_EQ(out[k].a, i);
    EXPECT_EQ(out[k].b, j);
    EXPECT_NEAR(norm(out[k].normal), 1, 1e-12);
    EXPECT_GT(out[k].depth, -margin);
    EXPECT_TRUE(features.insert(out[k].feature).second);
    if (k == 0 || out[k].depth > answer.deepest.depth) answer.deepest = out[k];
  }
  return answer;
}

/// Two shapes placed at a signed distance between lo and hi.
bool place(Random& random, const Shape& x, const Shape& y, double lo, double hi, Placed& a,
           Placed& b, double& distance) {
  a = {x, {random.rotation(), {random.in(-1, 1), random.in(-1, 1), random.in(-1, 1)}}};
  b = {y, {random.rotation(), {0, 0, 0}}};
  const double wanted = random.in(lo, hi);
  Vec3d way = random.direction();
  if (std::holds_alternative<Plane>(y)) way = {-b.X.R.r0.z, -b.X.R.r1.z, -b.X.R.r2.z};
  // The signed distance grows along a ray out of the other.
  double from = 0, to = 1;
  for (int i = 0; i < 12; ++i) {
    const double middle = (from + to) / 2;
    b.X.p = a.X.p + way * middle;
    (signedDistance(a, b) < wanted ? from : to) = middle;
  }
  distance = signedDistance(a, b);
  return distance > lo - 1e-3 && distance < hi + 1e-3;
}

class PairTest : public ::testing::TestWithParam<std::tuple<int, int>> {};

TEST_P(PairTest, DeepestContactIsTheSignedDistance) {
  const auto [i, j] = GetParam();
  const std::vector<Shape>& all = shapes();
  const Shape x = all[i];
  const Shape y = j < 0 ? Shape(Plane{}) : all[j];
  const bool cylinder = j >= 0 && (std::holds_alternative<CylinderShape>(x) ||
                                   std::holds_alternative<CylinderShape>(y));
  Random random(static_cast<unsigned>(100 + 10 * i + j));
  constexpr double margin = 0.02;
  int met = 0;
  for (int trial = 0; trial < 20; ++trial) {
    Placed a, b;
    double distance = 0;
    if (!place(random, x, y, -0.008, 0.03, a, b, distance)) continue;
    SCOPED_TRACE("trial " + std::to_string(trial) + ", distance " + std::to_string(distance));
    const Answer answer = ask(a, b, margin);
    if (answer.count == 0) {
      EXPECT_GT(signedDistance(a, b, nullptr, 150), margin - 1e-6);
      continue;
    }
    ++met;
    // The answer names its own certificate: the gap along its normal bounds the distance from
    // below, and no other direction, far or near, bounds it better.
    const double gap = -answer.deepest.depth;
    EXPECT_NEAR(gap, gapAlong(a, b, answer.deepest.normal), 1e-9);
    const double exact = signedDistance(a, b, &answer.deepest.normal);
    // Round edges against each other are approached step by step.
    EXPECT_LT(exact - gap, cylinder ? 5e-6 : 1e-8);
  }
  EXPECT_GT(met, 5);
}

INSTANTIATE_TEST_SUITE_P(AllPairs, PairTest,
                         ::testing::Combine(::testing::Range(0, 5), ::testing::Range(-1, 5)));

}  // namespace
}  // namespace espalier
