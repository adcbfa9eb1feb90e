#pragma once

// A hash by which files and models know one another's content. It names and tells changes apart; it
// keeps no secret.

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace espalier {

/// 64 bits of bytes, by words of eight in four runs side by side; those of two seeds are independent
/// enough to make 128 of them. The same on every little-endian machine.
inline std::uint64_t contentHash(std::string_view bytes, std::uint64_t seed) {
  constexpr std::uint64_t odd = 0x9E3779B97F4A7C15u;
  const auto mixed = [](std::uint64_t hash, std::uint64_t word) {
    hash = (hash ^ word) * odd;
    return hash ^ (hash >> 29);
  };
  std::array<std::uint64_t, 4> runs{seed, seed + odd, seed + 2 * odd, seed + 3 * odd};
  const std::size_t whole = bytes.size() / 32 * 32;
  for (std::size_t i = 0; i < whole; i += 32) {
    std::array<std::uint64_t, 4> words;
    std::memcpy(words.data(), bytes.data() + i, sizeof words);
    for (std::size_t k = 0; k < 4; ++k) runs[k] = mixed(runs[k], words[k]);
  }
  std::array<std::uint64_t, 4> rest{};
  if (bytes.size() > whole) std::memcpy(rest.data(), bytes.data() + whole, bytes.size() - whole);
  std::uint64_t hash = mixed(seed, bytes.size());
  for (std::size_t k = 0; k < 4; ++k) hash = mixed(hash, mixed(runs[k], rest[k]));
  return hash;
}

}  // namespace espalier
