#include "espalier/core/arena.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace espalier {
namespace {

TEST(Arena, HandsOutAlignedPieces) {
  Arena arena(1024);
  char* first = arena.take<char>(3);
  double* second = arena.take<double>(4);
  ASSERT_NE(first, nullptr);
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(second) % 64, 0u);
  EXPECT_GE(reinterpret_cast<char*>(second), first + 3);
  EXPECT_EQ(arena.used(), 64 + 4 * sizeof(double));
}

TEST(Arena, SaysHowMuchWasWantedWhenFull) {
  Arena arena(128);
  EXPECT_NE(arena.take<char>(100), nullptr);
  EXPECT_EQ(arena.take<char>(100), nullptr);
  EXPECT_EQ(arena.used(), 100u);
  EXPECT_EQ(arena.highWater(), 228u);  // 128 for the first, rounded up, and 100
  Arena large(arena.highWater());
  EXPECT_NE(large.take<char>(100), nullptr);
  EXPECT_NE(large.take<char>(100), nullptr);
}

TEST(Arena, ResetGivesTheSameMemoryAgain) {
  Arena arena(256);
  const int* first = arena.take<int>(10);
  arena.reset();
  EXPECT_EQ(arena.used(), 0u);
  EXPECT_EQ(arena.take<int>(10), first);
  EXPECT_EQ(arena.highWater(), 40u);
}

}  // namespace
}  // namespace espalier
