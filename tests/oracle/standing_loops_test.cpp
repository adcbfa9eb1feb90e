// Robots with closed loops stand on flat ground for a minute, held by PD control of their motors
// alone: rods, springs and hinges that no motor drives follow. Each test prints its figures.

#include <gtest/gtest.h>

#include <cstdio>

#include "tests/support/standing_robots.h"

namespace espalier::testing {
namespace {

void expectStands(const char* name, const StandingRobot& robot) {
  World world;
  world.setTimeStep(1e-3);
  world.addGround();
  const Stance s = stand(world, *putUp(world, robot), 60000);
  std::printf(
      "[ figure   ] %s stands 60 s: height %+.2e .. %+.2e m, residual %.1e m/s, closure %.1e m, "
      "flags %u, moved %.1e m\n",
      name, s.lowest, s.highest, s.residual, s.closure, s.flags, s.drift);
  EXPECT_GT(s.lowest, -0.02);
  EXPECT_LT(s.highest, 0.02);
  EXPECT_LE(s.residual, 1e-8);
  EXPECT_LE(s.closure, 1e-10);
  EXPECT_EQ(s.flags, 0u);
  EXPECT_LT(s.drift, 0.02);
  EXPECT_GE(s.contacts, 3);
}

void expectStands(const char* name, const std::optional<StandingRobot>& robot) {
  if (!robot) GTEST_SKIP() << name << " is not under ESPALIER_SHARED";
  expectStands(name, *robot);
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
