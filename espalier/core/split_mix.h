#pragma once

#include <cstdint>

namespace espalier {

/// The output function of SplitMix64 (Steele, Lea, Flood 2014): mixes the bits of a number.
constexpr std::uint64_t splitMix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/// What SplitMix64 adds from one number to the next: 2^64 over the golden ratio, odd.
inline constexpr std::uint64_t split_mix_step = 0x9E3779B97F4A7C15u;

}  // namespace espalier
