#include "espalier/geometry/support_map.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace espalier {
namespace {

int farthestOfAll(const std::vector<Vec3d>& points, const Vec3d& d) {
  int best = 0;
  for (int i = 1; i < static_cast<int>(points.size()); ++i) {
    if (dot(d, points[i]) > dot(d, points[best])) best = i;
  }
  return best;
}

/// Random directions, those of axes and diagonals, where cells border on each other, and
/// directions off these by rounding.
std::vector<Vec3d> directions(std::mt19937& random) {
  std::normal_distribution<double> g;
  std::vector<Vec3d> all;
  for (int i = 0; i < 300; ++i) all.push_back(Vec3d{g(random), g(random), g(random)});
  for (int i = -4; i <= 4; ++i) {
    for (int j = -4; j <= 4; ++j) {
      for (int k = -4; k <= 4; ++k) {
        if (i == 0 && j == 0 && k == 0) continue;
        const Vec3d d{i / 4.0, j / 4.0, k / 4.0};
        all.push_back(d);
        all.push_back(d + Vec3d{g(random), g(random), g(random)} * 1e-16);
        all.push_back(d * 1e-9);
      }
    }
  }
  return all;
}

void expectAsComparingAll(const std::vector<Vec3d>& points, unsigned seed) {
  std::mt19937 random(seed);
  const SupportMap map(points);
  for (const Vec3d& d : directions(random)) {
    ASSERT_EQ(map.farthest(d), farthestOfAll(points, d)) << d.x << ' ' << d.y << ' ' << d.z;
  }
}

TEST(SupportMap, OfRandomPointsIsThatOfComparingAll) {
  std::mt19937 random(1);
  std::normal_distribution<double> g;
  for (const int n : {1, 2, 3, 4, 8, 20, 64, 300, 1000}) {
    for (const bool onSphere : {false, true}) {
      std::vector<Vec3d> points;
      for (int i = 0; i < n; ++i) {
        const Vec3d p{g(random), g(random), g(random)};
        points.push_back(onSphere ? p * (1 / norm(p)) : p);
      }
      expectAsComparingAll(points, static_cast<unsigned>(n));
    }
  }
}

// Among points of one plane, one line or one place the first of equals is the answer.
TEST(SupportMap, OfCoplanarCollinearAndEqualPointsIsTheFirst) {
  std::vector<Vec3d> grid, disc, line, same;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      for (int k = 0; k < 4; ++k) grid.push_back({0.1 * i, 0.1 * j, 0.1 * k});
    }
  }
  for (int i = 0; i < 90; ++i) {
    const double t = 2 * M_PI * (i % 45) / 45;
    disc.push_back({std::cos(t), std::sin(t), i < 45 ? -0.01 : 0.01});
    line.push_back(Vec3d{0.3, 0.1, -0.2} * (i % 30));
    same.push_back({1, 2, 3});
  }
  for (const auto& points : {grid, disc, line, same}) expectAsComparingAll(points, 7);
}

TEST(SupportMap, OfPointsFarFromTheOriginAndOfAnyScale) {
  std::mt19937 random(2);
  std::normal_distribution<double> g;
  for (const double scale : {1e-6, 1.0, 1e6}) {
    std::vector<Vec3d> points;
    for (int i = 0; i < 64; ++i) {
      points.push_back((Vec3d{g(random), g(random), g(random)} + Vec3d{1e3, -2e3, 5e2}) * scale);
    }
    expectAsComparingAll(points, 3);
  }
}

TEST(SupportMap, ComparesFewOfManyPoints) {
  std::mt19937 random(3);
  std::normal_distribution<double> g;
  std::vector<Vec3d> points;
  for (int i = 0; i < 64; ++i) {
    const Vec3d p{g(random), g(random), g(random)};
    points.push_back(p * (1 / norm(p)));
  }
  EXPECT_LT(SupportMap(points).meanCandidates(), 16);
}

TEST(SupportMap, ADirectionThatIsNaNGivesSomePoint) {
  const SupportMap map({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
  for (const Vec3d& d : {Vec3d{NAN, 0, 0}, Vec3d{1, NAN, NAN}, Vec3d{0, 0, 0}}) {
    EXPECT_GE(map.farthest(d), 0);
    EXPECT_LT(map.farthest(d), 4);
  }
}

}  // namespace
}  // namespace espalier
