#pragma once

// Matrices as plain lists of numbers, row by row, to compare them.

#include <cstddef>
#include <vector>

namespace espalier::testing {

using Numbers = std::vector<double>;

template <class Rows>
Numbers flat(const Rows& rows) {
  Numbers all;
  for (const auto& row : rows) all.insert(all.end(), row.begin(), row.end());
  return all;
}
/// The first rows alone.
template <class Rows>
Numbers flat(const Rows& rows, std::size_t count) {
  Numbers all;
  for (std::size_t i = 0; i < count; ++i) all.insert(all.end(), rows[i].begin(), rows[i].end());
  return all;
}

}  // namespace espalier::testing
