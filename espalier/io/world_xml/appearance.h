#pragma once

// RaiSim's appearance strings: a colour's name, or its red, green, blue (and opacity).

#include <array>
#include <optional>
#include <string>

namespace espalier::io {

/// "red", "0.8, 0.3, 0.3", "0.8 0.3 0.3 1", "hidden" (nothing to be seen); none where it is
/// neither, as with names of textures.
std::optional<std::array<double, 4>> parseAppearance(const std::string& text);

}  // namespace espalier::io
