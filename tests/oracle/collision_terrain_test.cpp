// Solids on rough terrain against a brute-force search for where they sink in.
//
// Rays from below find the solid's underside over a fine grid and over every sample; the terrain's
// height there is interpolated here. Whatever the solid, how deep it sinks must not be missed.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "espalier/collision/scene.h"
#include "espalier/spatial/rotation.h"

namespace espalier {
namespace {

constexpr int kSamples = 41;
constexpr double kSize = 2;  // cells of 5 cm

double heightAt(const HeightfieldData& f, double x, double y) {
  const double s = (x / kSize + 0.5) * (kSamples - 1), t = (y / kSize + 0.5) * (kSamples - 1);
  const int i = std::clamp(static_cast<int>(s), 0, kSamples - 2);
  const int j = std::clamp(static_cast<int>(t), 0, kSamples - 2);
  const auto h = [&](int k, int l) { return f.heights[l * kSamples + k]; };
  const double a = s - i, b = t - j;
  return a >= b ? h(i, j) + a * (h(i + 1, j) - h(i, j)) + b * (h(i + 1, j + 1) - h(i + 1, j))
                : h(i, j) + b * (h(i, j + 1) - h(i, j)) + a * (h(i + 1, j + 1) - h(i, j + 1));
}

std::shared_ptr<HeightfieldData> rough(double roughness, unsigned seed) {
  auto data = std::make_shared<HeightfieldData>();
  data->xSamples = data->ySamples = kSamples;
  data->xSize = data->ySize = kSize;
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> u(-roughness, roughness);
  for (int j = 0; j < kSamples; ++j) {
    for (int i = 0; i < kSamples; ++i) {
      data->heights.push_back(0.05 * std::sin(0.15 * i) * std::cos(0.21 * j) + u(random));
    }
  }
  return data;
}

/// The most by which the terrain stands above the solid's underside, and the cosine of the
/// underside's slope there: over a fine grid and over every sample, and from the best of these
/// uphill by ever smaller steps.
struct Sunk {
  double x = 0, y = 0, depth = -1e9, cosine = 1;
};
Sunk sunk(const HeightfieldData& f, const Shape& shape, const Transformd& X, double reach) {
  Scene alone;
  alone.setPose(alone.addGeom(shape), X);
  const auto look = [&](double x, double y) {
    RayHit hit;
    if (!alone.raycast({x, y, -5}, {0, 0, 1}, 10, hit)) return Sunk{};
    return Sunk{x, y, heightAt(f, x, y) - hit.position.z, -hit.normal.z};
  };
  const auto deeper = [](const Sunk& a, const Sunk& b) { return a.depth > b.depth; };
  std::vector<Sunk> seen;
  constexpr int n = 60;
  for (int j = -n; j <= n; ++j) {
    for (int i = -n; i <= n; ++i)
      seen.push_back(look(X.p.x + reach * i / n, X.p.y + reach * j / n));
  }
  for (int j = 0; j < kSamples; ++j) {
    for (int i = 0; i < kSamples; ++i) {
      const double x = kSize * (double(i) / (kSamples - 1) - 0.5);
      const double y = kSize * (double(j) / (kSamples - 1) - 0.5);
      if (std::abs(x - X.p.x) < reach && std::abs(y - X.p.y) < reach) seen.push_back(look(x, y));
    }
  }
  std::sort(seen.begin(), seen.end(), deeper);
  seen.resize(std::min<std::size_t>(seen.size(), 40));
  for (Sunk& s : seen) {
    for (double step = reach / n; step > 1e-7; step *= 0.7) {
      const Sunk from = s;
      for (int k = 0; k < 12; ++k) {
        const double angle = 2 * M_PI * k / 12 + step * 1e4;
        s = std::min(s, look(from.x + step * std::cos(angle), from.y + step * std::sin(angle)),
                     deeper);
      }
    }
  }
  return *std::min_element(seen.begin(), seen.end(), deeper);
}

MeshShape wedge() {
  auto data = std::make_shared<TriangleMesh>();
  data->vertices = {{-0.1, -0.1, -0.06}, {0.1, -0.1, -0.06},   {0.1, 0.1, -0.06},
                    {-0.1, 0.1, -0.06},  {-0.05, -0.05, 0.08}, {0.05, -0.05, 0.08},
                    {0.05, 0.05, 0.08}};
  data->triangles = {{0, 1, 2}};  // only the vertices matter to a hull
  return {"wedge", data};
}

class OnTerrain : public ::testing::TestWithParam<int> {};

TEST_P(OnTerrain, SinkingIsNotMissed) {
  const std::vector<Shape> shapes = {SphereShape{0.07}, BoxShape{{0.3, 0.2, 0.12}},
                                     CylinderShape{0.1, 0.08}, CapsuleShape{0.05, 0.2}, wedge()};
  const Shape shape = shapes[GetParam()];
  const double reach = 0.21;
  std::mt19937 random(static_cast<unsigned>(GetParam()));
  std::uniform_real_distribution<double> u(-1, 1);
  for (int trial = 0; trial < 40; ++trial) {
    const auto data = rough(trial % 2 == 0 ? 0.004 : 0.012, static_cast<unsigned>(trial));
    Transformd X{rotation(expQuat(Vec3d{1.5 * u(random), 1.5 * u(random), 3 * u(random)})),
                 {0.6 * u(random), 0.6 * u(random), 0}};
    X.p.z += sunk(*data, shape, X, reach).depth - 0.002;
    const Sunk truth = sunk(*data, shape, X, reach);
    ASSERT_NEAR(truth.depth, 0.002, 1e-4);
    Scene scene;
    scene.addGeom(Heightfield{data}, {.isStatic = true});
    scene.addGeom(shape);
    const auto deepest = [&](double lift) {
      scene.setPose(GeomId(1), {X.R, X.p + Vec3d{0, 0, lift}});
      ContactPoint out[8];
      bool overflow = true;
      const int n = scene.collide(0.003, out, 8, overflow);
      EXPECT_FALSE(overflow);
      EXPECT_LE(n, 4);
      double most = -1;
      for (int i = 0; i < n; ++i) most = std::max(most, out[i].depth);
      return most;
    };
    // Out through the underside the way is shorter than straight up by the cosine of its slope; at
    // an edge of the underside the ray saw one of two slopes.
    EXPECT_GT(deepest(0), 0.9 * truth.depth * truth.cosine);
    // Lifted until it is free, it is free; a little lower it is not, but touches already.
    EXPECT_LT(deepest(truth.depth + 1e-4), 0);
    EXPECT_GT(deepest(truth.depth + 1e-4), -2e-4);
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, OnTerrain, ::testing::Range(0, 5));

}  // namespace
}  // namespace espalier
