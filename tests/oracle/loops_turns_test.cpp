// Unforced linkages turn and turn, at about 0.01 rad of their crank a step: how much of their energy
// is left after a hundred turns. What is lost grows with the turns, so the bars are a tenth of those
// of 1,000 turns (docs/loops.md).

#include <gtest/gtest.h>

#include "tests/support/turning.h"

namespace espalier::testing {
namespace {

class Turns : public ::testing::TestWithParam<Turning> {};

TEST_P(Turns, KeepTheirEnergy) {
  const double bar = GetParam().scheme == Scheme::MIDPOINT ? 1e-4 : 1e-6;
  const Turned t = turnFreely(GetParam(), 0.01, 100);
  EXPECT_NEAR(t.step, 0.01, 0.001);
  EXPECT_LT(t.energy, bar);
  EXPECT_LT(t.worst, 10 * bar) << "within a turn";
  EXPECT_LT(t.closure, 1e-10);
  EXPECT_EQ(t.flags, 0u);
}

INSTANTIATE_TEST_SUITE_P(All, Turns,
                         ::testing::Values(Turning{"four_bar", 1, Scheme::MIDPOINT},
                                           Turning{"slider_crank", 0.75, Scheme::MIDPOINT},
                                           Turning{"six_bar", 0.85, Scheme::MIDPOINT},
                                           Turning{"four_bar", 1, Scheme::RUNGE_KUTTA_4},
                                           Turning{"slider_crank", 0.75, Scheme::RUNGE_KUTTA_4},
                                           Turning{"six_bar", 0.85, Scheme::RUNGE_KUTTA_4}),
                         [](const auto& c) { return nameOf(c.param); });

}  // namespace
}  // namespace espalier::testing
