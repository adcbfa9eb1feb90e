#pragma once

// Numbers in the bytes of binary files, the lowest byte first.

#include <bit>
#include <cstdint>
#include <string_view>

namespace espalier::io {

///   pre  at + 4 <= bytes.size()
inline std::uint32_t wordAt(std::string_view bytes, std::size_t at) {
  std::uint32_t word = 0;
  for (std::size_t i = 4; i-- > 0;) word = word << 8 | static_cast<unsigned char>(bytes[at + i]);
  return word;
}

inline double floatAt(std::string_view bytes, std::size_t at) {
  return static_cast<double>(std::bit_cast<float>(wordAt(bytes, at)));
}

}  // namespace espalier::io
