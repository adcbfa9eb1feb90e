#pragma once

// Terrain from files. Whatever the file, x runs along its rows, and heights are in metres.

#include <cstddef>
#include <string>

#include "espalier/core/diagnostic.h"
#include "espalier/geometry/shape.h"

namespace espalier::io {

/// RaiSim's text form: xSamples ySamples xSize ySize, then xSamples * ySamples heights, between
/// spaces, commas or ends of line; the row of smallest y first.
Expected<HeightfieldData> readHeightmapText(const std::string& path);

/// A PNG as a map seen from above, y up the page: height = zScale * grey + zOffset.
///   in   xSize, ySize   m, from the first sample to the last
///   in   zScale         m for each grey level, of 0 ... 255, or 65535 where the file has 16 bits
///   in   zOffset        m, height of black
Expected<HeightfieldData> readHeightmapPng(const std::string& path, double xSize, double ySize,
                                           double zScale, double zOffset);

}  // namespace espalier::io
