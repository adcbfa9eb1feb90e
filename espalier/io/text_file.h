#pragma once

// A whole file as text, if it is one that may be read.

#include <cstddef>
#include <string>

#include "espalier/core/diagnostic.h"

namespace espalier::io {

/// The largest robot file: generous for text, small enough not to hurt.
inline constexpr std::size_t largest_text = std::size_t{64} << 20;

/// The bytes of a regular file of at most largest_text bytes.
Expected<std::string> readTextFile(const std::string& path);

}  // namespace espalier::io
