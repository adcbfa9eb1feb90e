#pragma once

// Random numbers that are a function of (seed, world, step, column): the same whoever computes them, in any order.

#include <cstdint>

#include "espalier/core/split_mix.h"

namespace espalier {

/// Uniform numbers of one world.
class CounterNoise {
 public:
  CounterNoise(std::uint64_t seed, std::uint64_t world)
      : key_(splitMix((world + 1) * gamma ^ splitMix(seed + gamma))) {}

  /// In [-1, 1).
  double uniform(std::uint64_t step, std::uint64_t column) const {
    const std::uint64_t bits = splitMix(splitMix(key_ + (step + 1) * gamma) + (column + 1) * gamma);
    return static_cast<double>(bits >> 11) * 0x1p-52 - 1;
  }

 private:
  static constexpr std::uint64_t gamma = split_mix_step;
  std::uint64_t key_;
};

}  // namespace espalier
