// What the fuzzer of the API does, on some hundred inputs of our own.

#include <gtest/gtest.h>

#include <random>

#include "tests/fuzz/api_actions.h"

namespace espalier::testing {
namespace {

TEST(ApiMisuse, OnlyInvalidArgumentIsThrown) {
  int accepted = 0, refused = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    std::vector<std::uint8_t> bytes(600);
    for (auto& b : bytes) b = static_cast<std::uint8_t>(random());
    fuzz::ApiActions actions(bytes);
    ASSERT_NO_THROW(actions.run()) << "seed " << seed;
    accepted += actions.accepted;
    refused += actions.refused;
  }
  EXPECT_GT(accepted, 5000);
  EXPECT_GT(refused, 2500);
}

}  // namespace
}  // namespace espalier::testing
