#include "espalier/geometry/terrain.h"

#include <cmath>

#include "espalier/core/check.h"
#include "espalier/core/split_mix.h"

namespace espalier {
namespace {

/// A well mixed 64-bit number of four.
std::uint64_t mixed(std::uint64_t seed, std::int64_t i, std::int64_t j, std::uint64_t k) {
  std::uint64_t h = seed;
  for (const std::uint64_t part : {static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(j), k})
    h = splitMix(h + split_mix_step + part);
  return h;
}

/// The gradient of a grid point, one of sixteen around the circle, times the way from there.
double slope(std::uint64_t hash, double x, double y) {
  // cos and sin of 0, 22.5, 45, 67.5, 90 degrees: no libm, so the same everywhere.
  static constexpr double table[5] = {1, 0.92387953251128674, 0.70710678118654752,
                                      0.38268343236508977, 0};
  const unsigned turn = static_cast<unsigned>(hash >> 60), part = turn & 3;
  const double c = table[part], s = table[4 - part];
  switch (turn >> 2) {
    case 0: return c * x + s * y;
    case 1: return c * y - s * x;
    case 2: return -c * x - s * y;
    default: return s * x - c * y;
  }
}

/// 6 t^5 - 15 t^4 + 10 t^3: first and second derivatives vanish at both ends.
double fade(double t) { return t * t * t * (t * (t * 6 - 15) + 10); }

double between(double a, double b, double t) { return a + t * (b - a); }

/// Gradient noise, scaled to [-1, 1]: in the middle of a cell it can reach sqrt(1/2).
double noise(std::uint64_t seed, std::uint64_t octave, double x, double y) {
  const double x0 = std::floor(x), y0 = std::floor(y), u = x - x0, v = y - y0;
  const auto i = static_cast<std::int64_t>(x0), j = static_cast<std::int64_t>(y0);
  const auto corner = [&](std::int64_t di, std::int64_t dj) {
    return slope(mixed(seed, i + di, j + dj, octave), u - static_cast<double>(di),
                 v - static_cast<double>(dj));
  };
  const double s = fade(u), t = fade(v);
  const double value =
      between(between(corner(0, 0), corner(1, 0), s), between(corner(0, 1), corner(1, 1), s), t);
  return value * 1.41421356237309505;
}

double heightAt(const TerrainProperties& p, double x, double y) {
  constexpr double farthest = 1e15;  // beyond, neighbouring doubles are whole numbers apart
  double sum = 0, all = 0, amplitude = 1, frequency = p.frequency;
  for (int octave = 0; octave < p.fractalOctaves; ++octave) {
    const double fx = frequency * x, fy = frequency * y;
    if (std::abs(fx) < farthest && std::abs(fy) < farthest)
      sum += amplitude * noise(p.seed, static_cast<std::uint64_t>(octave), fx, fy);
    all += std::abs(amplitude);
    amplitude *= p.fractalGain;
    frequency *= p.fractalLacunarity;
  }
  double height = p.zScale * sum / all;
  if (p.stepSize > 0) height = std::floor(height / p.stepSize) * p.stepSize;
  return height + p.heightOffset;
}

}  // namespace

HeightfieldData makeTerrain(const TerrainProperties& p, double centreX, double centreY) {
  ESPALIER_REQUIRE(p.xSize > 0 && p.ySize > 0, "a terrain needs sizes above zero");
  ESPALIER_REQUIRE(p.xSamples >= 2 && p.ySamples >= 2, "a terrain needs two samples along a side");
  ESPALIER_REQUIRE(p.fractalOctaves >= 1, "a terrain needs an octave");
  ESPALIER_REQUIRE(p.stepSize >= 0, "the steps of a terrain must not be negative");
  for (const double x : {p.xSize, p.ySize, p.zScale, p.frequency, p.fractalLacunarity,
                         p.fractalGain, p.stepSize, p.heightOffset, centreX, centreY})
    ESPALIER_REQUIRE(std::isfinite(x), "the properties of a terrain must be finite");
  HeightfieldData field{p.xSamples, p.ySamples, p.xSize, p.ySize, {}};
  field.heights.reserve(static_cast<std::size_t>(p.xSamples) *
                        static_cast<std::size_t>(p.ySamples));
  const double dx = p.xSize / (p.xSamples - 1), dy = p.ySize / (p.ySamples - 1);
  for (int j = 0; j < p.ySamples; ++j)
    for (int i = 0; i < p.xSamples; ++i)
      field.heights.push_back(
          heightAt(p, centreX - p.xSize / 2 + i * dx, centreY - p.ySize / 2 + j * dy));
  return field;
}

}  // namespace espalier
