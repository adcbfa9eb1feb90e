#include "espalier/visual/column.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace espalier {
namespace {

constexpr int most_differences = 2;

std::size_t sizeOf(std::span<const std::int64_t> values) {
  return std::accumulate(values.begin(), values.end(), std::size_t{0},
                         [](std::size_t n, std::int64_t v) { return n + varintBytes(v); });
}

void difference(std::span<std::int64_t> values) {
  std::adjacent_difference(values.begin(), values.end(), values.begin());
}

void addUp(std::span<std::int64_t> values) {
  std::partial_sum(values.begin(), values.end(), values.begin());
}

}  // namespace

void putColumn(std::span<std::int64_t> values, std::vector<std::byte>& bytes) {
  int best = 0;
  std::size_t least = sizeOf(values);
  for (int k = 1; k <= most_differences; ++k) {
    difference(values);
    if (const std::size_t size = sizeOf(values); size < least) {
      least = size;
      best = k;
    }
  }
  for (int k = most_differences; k > best; --k) addUp(values);
  bytes.push_back(static_cast<std::byte>(best));
  for (const std::int64_t value : values) putVarint(bytes, value);
}

bool readColumn(ByteReader& bytes, std::span<std::int64_t> values) {
  const int differences = bytes.number<std::uint8_t>();
  if (differences > most_differences) return false;
  for (std::int64_t& value : values) {
    value = bytes.varint();
    // The numbers that a writer differences are below this, and 128 of these add up twice within 64
    // bits.
    if (std::abs(value) > no_number << most_differences) return false;
  }
  if (!bytes.isGood()) return false;
  for (int k = 0; k < differences; ++k) addUp(values);
  return std::all_of(values.begin(), values.end(), isQuantized);
}

}  // namespace espalier
