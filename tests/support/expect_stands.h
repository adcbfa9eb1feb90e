#pragma once

#include <gtest/gtest.h>

#include <cstdio>

#include "tests/support/standing_robots.h"

namespace espalier::testing {

/// Put up on flat ground and held by its motors alone, the robot keeps its place, all its loops and
/// the law of contact. Prints its figures.
///   in   closure  m, the loops' largest error
inline void expectStands(const char* name, const StandingRobot& robot, int seconds,
                         double closure) {
  World world;
  world.setTimeStep(1e-3);
  world.addGround();
  const Stance s = stand(world, *putUp(world, robot), 1000 * seconds);
  std::printf(
      "[ figure   ] %s stands %d s: height %+.2e .. %+.2e m, residual %.1e m/s, closure %.1e m, "
      "flags %u, moved %.1e m\n",
      name, seconds, s.lowest, s.highest, s.residual, s.closure, s.flags, s.drift);
  EXPECT_GT(s.lowest, -0.02) << name;
  EXPECT_LT(s.highest, 0.02) << name;
  EXPECT_LE(s.residual, 1e-8) << name;
  EXPECT_LE(s.closure, closure) << name;
  EXPECT_EQ(s.flags, 0u) << name;
  EXPECT_LT(s.drift, 0.02) << name;
  EXPECT_GE(s.contacts, 3) << name;
}

}  // namespace espalier::testing
