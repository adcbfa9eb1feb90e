// Strings round spheres and cylinders, against the shortest ways found by search and against finite
// differences.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <random>

#include "espalier/geometry/wrapping.h"
#include "espalier/spatial/rotation.h"

namespace espalier {
namespace {

using std::numbers::pi;

double lengthOf(const WrapSurface& surface, const Vec3d& a, const Vec3d& b,
                const std::optional<Vec3d>& side) {
  const Wrapping w = wrap(surface, a, b, side);
  return norm(w.first - a) + w.arc + norm(b - w.second);
}

/// Of the way by points at the angles p and q of a circle of radius r, climbing evenly.
double polygonal(double r, const Vec3d& a, const Vec3d& b, double p, double q, double arc) {
  const auto leg = [r](const Vec3d& x, double t) {
    return std::hypot(x.x - r * std::cos(t), x.y - r * std::sin(t));
  };
  return std::hypot(leg(a, p) + arc + leg(b, q), b.z - a.z);
}

struct Case {
  WrapSurface surface;
  Vec3d a, b;
  std::optional<Vec3d> side;
};

/// Points outside of a surface, with a side beyond it, in it, or none.
Case randomCase(std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1, 1);
  const auto point = [&] { return Vec3d{number(random), number(random), number(random)}; };
  Case c;
  c.surface = {0.25 + 0.15 * number(random), number(random) > 0};
  const auto outside = [&] {
    while (true) {
      const Vec3d p = point();
      if ((c.surface.isCylinder ? std::hypot(p.x, p.y) : norm(p)) > 1.05 * c.surface.radius)
        return p;
    }
  };
  c.a = outside(), c.b = outside();
  const double kind = number(random);
  if (kind > -0.3) c.side = outside();
  if (kind > 0.4) c.side = point() * (0.5 * c.surface.radius);
  return c;
}

TEST(Wrapping, TheStringTouchesTheSurfaceAndLeavesItAlongItsTangents) {
  std::mt19937 random(1);
  std::array<int, 4> met{};
  for (int i = 0; i < 4000; ++i) {
    const Case c = randomCase(random);
    const Wrapping w = wrap(c.surface, c.a, c.b, c.side);
    ++met[static_cast<std::size_t>(w.way)];
    if (w.way == WrapWay::STRAIGHT) {
      EXPECT_NEAR(norm(w.first - c.a) + norm(c.b - w.first), norm(c.b - c.a), 1e-12);
      continue;
    }
    for (const auto& [from, touch] : {std::pair{c.a, w.first}, std::pair{c.b, w.second}}) {
      const Vec3d normal = c.surface.isCylinder ? Vec3d{touch.x, touch.y, 0} : touch;
      ASSERT_NEAR(norm(normal), c.surface.radius, 1e-12);
      if (w.way != WrapWay::INSIDE) ASSERT_NEAR(dot(normal, from - touch), 0, 1e-12);
    }
    if (w.way != WrapWay::INSIDE) continue;
    ASSERT_NEAR(norm(w.first - w.second), 0, 1e-15);
    const Vec3d to_a = (c.a - w.first) * (1 / norm(c.a - w.first));
    const Vec3d to_b = (c.b - w.first) * (1 / norm(c.b - w.first));
    const Vec3d normal = c.surface.isCylinder ? Vec3d{w.first.x, w.first.y, 0} : w.first;
    EXPECT_NEAR(norm(cross(to_a + to_b, normal)), 0, 1e-10) << "reflected at the normal";
  }
  for (const int count : met) EXPECT_GT(count, 100);
}

TEST(Wrapping, RoundACylinderItIsTheShortestWayThatIsNotBarred) {
  std::mt19937 random(2);
  int met = 0;
  for (int i = 0; i < 300; ++i) {
    Case c = randomCase(random);
    c.surface.isCylinder = true;
    c.side.reset();
    if (std::hypot(c.a.x, c.a.y) < 1.05 * c.surface.radius) continue;
    if (std::hypot(c.b.x, c.b.y) < 1.05 * c.surface.radius) continue;
    const Wrapping w = wrap(c.surface, c.a, c.b, {});
    if (w.way == WrapWay::STRAIGHT) continue;
    ++met;
    // Over all pairs of points on the circle from which a and b are seen.
    const double r = c.surface.radius;
    constexpr int n = 720;
    double best = 1e9;
    for (int p = 0; p < n; ++p)
      for (int q = 0; q < n; ++q) {
        const double from = 2 * pi * p / n, to = 2 * pi * q / n;
        if (c.a.x * std::cos(from) + c.a.y * std::sin(from) < r - 1e-9) continue;
        if (c.b.x * std::cos(to) + c.b.y * std::sin(to) < r - 1e-9) continue;
        const double turn = std::abs(from - to);
        best = std::min(best, polygonal(r, c.a, c.b, from, to, r * std::min(turn, 2 * pi - turn)));
      }
    EXPECT_LE(lengthOf(c.surface, c.a, c.b, {}), best + 1e-12);
    EXPECT_NEAR(lengthOf(c.surface, c.a, c.b, {}), best, 1e-3 * r);
  }
  EXPECT_GT(met, 30);
}

TEST(Wrapping, InsideItIsTheShortestWayByThePointsOfTheSurface) {
  std::mt19937 random(3);
  int met = 0;
  for (int i = 0; i < 300; ++i) {
    Case c = randomCase(random);
    if (c.surface.isCylinder) c.a.z = 0.3 * c.a.z;
    if (!c.side || norm(*c.side) > c.surface.radius) continue;
    const Wrapping w = wrap(c.surface, c.a, c.b, c.side);
    if (w.way != WrapWay::INSIDE) continue;
    ++met;
    const double length = lengthOf(c.surface, c.a, c.b, c.side);
    if (c.surface.isCylinder) {
      double best = 1e9;
      for (int p = 0; p < 36000; ++p) {
        const double angle = 2 * pi * p / 36000;
        best = std::min(best, polygonal(c.surface.radius, c.a, c.b, angle, angle, 0));
      }
      EXPECT_NEAR(length, best, 1e-7);
      EXPECT_LE(length, best + 1e-12);
    } else {
      std::normal_distribution<double> number;
      for (int p = 0; p < 2000; ++p) {
        Vec3d v{number(random), number(random), number(random)};
        v = v * (c.surface.radius / norm(v));
        EXPECT_LE(length, norm(v - c.a) + norm(v - c.b) + 1e-12);
      }
    }
  }
  EXPECT_GT(met, 30);
}

TEST(Wrapping, ItKeepsToItsSide) {
  const WrapSurface cylinder{0.1, true};
  const Vec3d a{-1, 0.3, 0}, b{1, 0.3, 0.5};
  const auto up = wrap(cylinder, a, b, Vec3d{0, 1, 0}),
             down = wrap(cylinder, a, b, Vec3d{0, -1, 0});
  EXPECT_EQ(up.way, WrapWay::STRAIGHT);
  ASSERT_EQ(down.way, WrapWay::LEFT);
  EXPECT_LT(down.first.y, 0);
  EXPECT_LT(down.second.y, 0);
  EXPECT_EQ(wrap(cylinder, b, a, Vec3d{0, -1, 0}).way, WrapWay::RIGHT);
  EXPECT_EQ(wrap(cylinder, a, b, {}).way, WrapWay::STRAIGHT);
  EXPECT_EQ(wrap(cylinder, {0.05, 0, 0}, b, Vec3d{0, -1, 0}).way, WrapWay::STRAIGHT) << "in it";
  // Opposite each other any way round a sphere is as short as any other.
  const WrapSurface sphere{0.1, false};
  const double half = std::sqrt(1 - 0.01), angle = std::acos(0.1);
  EXPECT_NEAR(lengthOf(sphere, {-1, 0, 0}, {1, 0, 0}, {}), 2 * half + 0.1 * (pi - 2 * angle),
              1e-14);
}

Vec3<Jet2<double>> jetOf(const Vec3d& p, const Vec3d& v, const Vec3d& a) {
  return {{p.x, v.x, a.x}, {p.y, v.y, a.y}, {p.z, v.z, a.z}};
}

TEST(Wrapping, TheLengthHasTheDerivativesThatDifferencesShow) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto vector = [&] { return Vec3d{number(random), number(random), number(random)}; };
  std::array<int, 4> met{};
  for (int i = 0; i < 2000; ++i) {
    const Case c = randomCase(random);
    const Vec3d va = vector(), vb = vector(), aa = vector(), ab = vector();
    const auto at = [&](double t) {
      return std::pair{c.a + va * t + aa * (t * t / 2), c.b + vb * t + ab * (t * t / 2)};
    };
    constexpr double h = 1e-4;
    const WrapWay way = wrap(c.surface, c.a, c.b, c.side).way;
    double length[3];
    bool isOneWay = true;
    for (int k = 0; k < 3; ++k) {
      const auto [a, b] = at((k - 1) * h);
      isOneWay = isOneWay && wrap(c.surface, a, b, c.side).way == way;
      length[k] = lengthOf(c.surface, a, b, c.side);
    }
    const Jet2<double> jet = wrappedLength(c.surface, way, jetOf(c.a, va, aa), jetOf(c.b, vb, ab));
    EXPECT_NEAR(jet.v, length[1], 1e-12);
    const double first = (length[2] - length[0]) / (2 * h);
    const double second = (length[2] - 2 * length[1] + length[0]) / (h * h);
    if (!isOneWay || std::abs(jet.dd) > 100) continue;  // near a change of the way
    ++met[static_cast<std::size_t>(way)];
    EXPECT_NEAR(jet.d, first, 1e-5);
    EXPECT_NEAR(jet.dd, second, 2e-4 * (1 + jet.dd * jet.dd)) << static_cast<int>(way);
  }
  for (const int count : met) EXPECT_GT(count, 50);
}

}  // namespace
}  // namespace espalier
