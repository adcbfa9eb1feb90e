#pragma once

// Terrain made of noise: the same properties give the same heights, on any machine.

#include <cstdint>

#include "espalier/geometry/shape.h"

namespace espalier {

struct TerrainProperties {
  double xSize = 20, ySize = 20;       ///< m
  int xSamples = 100, ySamples = 100;  ///< >= 2 each
  double zScale = 2;                   ///< m, of the largest possible deviation from heightOffset
  double frequency = 0.1;              ///< 1/m, of the coarsest octave
  int fractalOctaves = 5;              ///< >= 1
  double fractalLacunarity = 3;        ///< each octave's frequency over that of the one before
  double fractalGain = 0.25;           ///< each octave's amplitude over that of the one before
  double stepSize = 0;                 ///< m; heights are whole steps of it, 0: any
  std::uint64_t seed = 10000;
  double heightOffset = 0;  ///< m
};

/// Fractal gradient noise: h(x, y) = offset + zScale sum_k g^k n_k(f l^k x, f l^k y) / sum_k g^k,
/// n_k in [-1, 1] with zeros on the whole numbers, and rounded down to whole steps.
///   in   centreX, centreY   m, where the terrain lies: neighbours with the same seed fit together
///   pre  sizes > 0, samples >= 2, octaves >= 1, finite numbers, stepSize >= 0; else throws
///        std::invalid_argument
///   from Perlin 2002, "Improving noise"; the gradients are drawn by a hash, not by his table
HeightfieldData makeTerrain(const TerrainProperties& properties, double centreX = 0,
                            double centreY = 0);

}  // namespace espalier
