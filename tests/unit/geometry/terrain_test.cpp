#include "espalier/geometry/terrain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace espalier {
namespace {

TerrainProperties small() {
  TerrainProperties p;
  p.xSize = 8;
  p.ySize = 6;
  p.xSamples = 33;
  p.ySamples = 25;
  p.frequency = 0.3;
  p.zScale = 0.5;
  p.heightOffset = 1.25;
  return p;
}

TEST(Terrain, KeepsItsSizeAndBounds) {
  const HeightfieldData field = makeTerrain(small());
  EXPECT_EQ(field.xSamples, 33);
  EXPECT_EQ(field.ySamples, 25);
  EXPECT_EQ(field.xSize, 8);
  EXPECT_EQ(field.ySize, 6);
  ASSERT_EQ(field.heights.size(), 33u * 25u);
  const auto [low, high] = std::minmax_element(field.heights.begin(), field.heights.end());
  EXPECT_GE(*low, 0.75);
  EXPECT_LE(*high, 1.75);
  EXPECT_GT(*high - *low, 0.1) << "it is not flat";
}

TEST(Terrain, IsZeroOnTheWholeNumbersOfItsNoise) {
  // One octave of frequency 1 has its grid points at whole metres.
  TerrainProperties p = small();
  p.xSize = p.ySize = 4;
  p.xSamples = p.ySamples = 5;
  p.frequency = 1;
  p.fractalOctaves = 1;
  for (const double h : makeTerrain(p, 10, -7).heights) EXPECT_EQ(h, 1.25);
}

TEST(Terrain, NeighboursFitTogether) {
  const TerrainProperties p = small();
  const HeightfieldData west = makeTerrain(p, 0, 0), east = makeTerrain(p, 8, 0);
  for (int j = 0; j < p.ySamples; ++j) {
    const double last = west.heights[static_cast<std::size_t>(j) * 33 + 32];
    const double first = east.heights[static_cast<std::size_t>(j) * 33];
    EXPECT_NEAR(last, first, 1e-12);
  }
}

TEST(Terrain, IsSmooth) {
  TerrainProperties fine = small();
  fine.fractalOctaves = 1;
  fine.xSamples = 801;
  fine.ySamples = 2;
  const HeightfieldData field = makeTerrain(fine, 0.1, 0.2);
  // |dh/dx| of one octave is at most a few times scale times frequency.
  for (std::size_t i = 1; i < 801; ++i) {
    EXPECT_LT(std::abs(field.heights[i] - field.heights[i - 1]), 0.01 * 0.5 * 0.3 * 4);
  }
}

TEST(Terrain, SeedsAndOctavesMatter) {
  TerrainProperties p = small();
  const auto first = makeTerrain(p).heights;
  EXPECT_EQ(first, makeTerrain(p).heights);
  p.seed += 1;
  EXPECT_NE(first, makeTerrain(p).heights);
  p = small();
  p.fractalOctaves = 1;
  EXPECT_NE(first, makeTerrain(p).heights);
}

TEST(Terrain, StepsAreWhole) {
  TerrainProperties p = small();
  p.stepSize = 0.125;
  p.heightOffset = 0;
  for (const double h : makeTerrain(p).heights) EXPECT_EQ(h / 0.125, std::round(h / 0.125));
}

TEST(Terrain, ImpossibleOnesAreRefused) {
  const auto refused = [](auto change) {
    TerrainProperties p = small();
    change(p);
    EXPECT_THROW(makeTerrain(p), std::invalid_argument);
  };
  refused([](TerrainProperties& p) { p.xSize = 0; });
  refused([](TerrainProperties& p) { p.ySamples = 1; });
  refused([](TerrainProperties& p) { p.fractalOctaves = 0; });
  refused([](TerrainProperties& p) { p.zScale = NAN; });
  refused([](TerrainProperties& p) { p.stepSize = -1; });
}

}  // namespace
}  // namespace espalier
