#pragma once

// PNG pictures as grey levels.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "espalier/core/diagnostic.h"

namespace espalier::io {

struct GreyImage {
  int width = 0, height = 0;
  std::vector<std::uint16_t> grey;  ///< [height][width], first row on top, as the file has them
};

/// Colours become grey by their luminance. Files of 8 bits have levels up to 255, of 16 bits up to
/// 65535.
///   in   mostPixels   larger pictures are refused before they are unpacked
Expected<GreyImage> readPng(const std::string& path, std::size_t mostPixels);

}  // namespace espalier::io
