#pragma once

// Numbers in a recording (docs/viewer_protocol.md, "Recordings"): multiples of a quantum; of one
// number over the frames of a block a column, differenced as often as makes it shortest.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "espalier/visual/byte_stream.h"

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

///   in   values  at most 128, |value| <= 2^40
///   out  values  scratch
///   out  bytes   the column stands at its end
void putColumn(std::span<std::int64_t> values, std::vector<std::byte>& bytes);

///   out      values  all of them, at most 128
///   returns  false where they are not a column, or a value is outside of (-2^40, 2^40]
bool readColumn(ByteReader& bytes, std::span<std::int64_t> values);

}  // namespace espalier
