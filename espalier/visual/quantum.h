#pragma once

// Numbers as multiples of a quantum, as recordings hold them.

#include <cmath>
#include <cstdint>
#include <limits>

namespace espalier {

/// Stands for a number that is not finite or has no place among the integers of a recording.
inline constexpr std::int64_t no_number = std::int64_t{1} << 40;

/// Whether quantize() can have given n.
inline bool isQuantized(std::int64_t n) { return -no_number < n && n <= no_number; }

/// x / quantum, rounded.
///   in  quantum  at least 0; with 0 every number is 0
inline std::int64_t quantize(double x, double quantum) {
  if (!std::isfinite(x)) return no_number;
  if (quantum == 0) return 0;
  const double n = std::nearbyint(x / quantum);
  return std::abs(n) < static_cast<double>(no_number) ? static_cast<std::int64_t>(n) : no_number;
}

inline float dequantize(std::int64_t n, double quantum) {
  if (n == no_number) return std::numeric_limits<float>::quiet_NaN();
  return static_cast<float>(static_cast<double>(n) * quantum);
}

}  // namespace espalier
