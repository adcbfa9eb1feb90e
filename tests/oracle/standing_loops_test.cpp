// Robots with closed loops stand on flat ground for a minute, held by PD control of their motors
// alone: rods, springs and hinges that no motor drives follow. Each test prints its figures.

#include <gtest/gtest.h>

#include <optional>

#include "tests/support/expect_stands.h"

namespace espalier::testing {
namespace {

void expectStands(const char* name, const std::optional<StandingRobot>& robot) {
  if (!robot) GTEST_SKIP() << name << " is not under ESPALIER_SHARED";
  testing::expectStands(name, *robot, 60, 1e-10);
}

TEST(StandingLoops, TwoLegsWithAnklesByPushRods) { expectStands("two_legs", twoLegs()); }
TEST(StandingLoops, BipedWithRotorsBeltsAndPushRods) {
  expectStands("geared_biped", gearedBiped());
}
TEST(StandingLoops, Cassie) { expectStands("cassie", cassie()); }
TEST(StandingLoops, DigitLike) { expectStands("digit_like", digitLike()); }
TEST(StandingLoops, CassieLike) { expectStands("cassie_like", cassieLike()); }

}  // namespace
}  // namespace espalier::testing
