#pragma once

// The bits that several worlds get at once against those that each gets alone.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace espalier::testing {

template <class S>
using Bits = std::conditional_t<sizeof(S) == 8, std::uint64_t, std::uint32_t>;

/// Both return how many results there are and write them where there is room.
///   in  together  (S* const* rows)        row w gets the results of world w
///   in  alone     (int w, S* const* row)  of world w, computed without neighbours; null: counts
template <class S, class Together, class Alone>
void expectLanesAreWorldsAlone(int width, Together&& together, Alone&& alone) {
  const int count = alone(0, nullptr);
  std::vector<std::vector<S>> lanes(width, std::vector<S>(count));
  std::vector<S*> rows;
  for (auto& row : lanes) rows.push_back(row.data());
  ASSERT_EQ(together(rows.data()), count);
  std::vector<S> expected(count);
  S* const row = expected.data();
  for (int w = 0; w < width; ++w) {
    alone(w, &row);
    for (int i = 0; i < count; ++i) {
      ASSERT_TRUE(std::isfinite(expected[i])) << i;
      ASSERT_EQ(std::bit_cast<Bits<S>>(lanes[w][i]), std::bit_cast<Bits<S>>(expected[i]))
          << "world " << w << ", result " << i << ": " << lanes[w][i] << " in a lane, "
          << expected[i] << " alone";
    }
  }
}

}  // namespace espalier::testing
