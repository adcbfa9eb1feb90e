#include "espalier/core/aligned.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace espalier {
namespace {

TEST(AlignedArray, StartsZeroOnACacheLine) {
  for (std::size_t n : {1, 3, 8, 100}) {
    const AlignedArray<double> a(n);
    EXPECT_EQ(a.size(), n);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a.data()) % 64, 0u);
    for (double x : a) EXPECT_EQ(x, 0);
  }
}

TEST(AlignedArray, EmptyIsFine) {
  AlignedArray<double> none, zero(0), copy(none);
  EXPECT_EQ(none.size(), 0u);
  EXPECT_EQ(zero.begin(), zero.end());
  copy = zero;
  EXPECT_EQ(copy.data(), nullptr);
}

TEST(AlignedArray, CopiesAreIndependent) {
  AlignedArray<int> a(3);
  a[0] = 1, a[1] = 2, a[2] = 3;
  AlignedArray<int> b(a);
  b[1] = 9;
  EXPECT_EQ(a[1], 2);
  a = b;
  EXPECT_EQ(a[1], 9);
  EXPECT_EQ(a[2], 3);
  EXPECT_NE(a.data(), b.data());
}

TEST(AlignedArray, MovesTakeTheBlock) {
  AlignedArray<int> a(2);
  a[1] = 7;
  const int* block = a.data();
  AlignedArray<int> b(std::move(a));
  EXPECT_EQ(b.data(), block);
  EXPECT_EQ(b[1], 7);
}

}  // namespace
}  // namespace espalier
