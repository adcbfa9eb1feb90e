// The robots with closed loops that travel with the project, and those beside it, against the dense
// second opinion: where they are assembled, and their dynamics at fifty states.

#include <gtest/gtest.h>

#include "tests/oracle/loops_robots.h"

namespace espalier::testing {
namespace {

class LoopsOfRobots : public ::testing::TestWithParam<const char*> {};
TEST_P(LoopsOfRobots, AreTheDenseSolution) {
  const auto robot = loopRobot(GetParam());
  if (!robot) GTEST_SKIP() << "no " << GetParam() << " under ESPALIER_SHARED";
  EXPECT_LT(closureResidual(robot->tree, robot->q0).cwiseAbs().maxCoeff(), 1e-11);
  Random random(3);
  for (const MechanismState& s : robot->walk(50)) {
    robot->engine.move(s, true);
    expectSameDynamics(robot->engine, robot->tree, s, 1e-9, random);
  }
}
INSTANTIATE_TEST_SUITE_P(All, LoopsOfRobots, ::testing::ValuesIn(loop_robots), nameOfRobot);

}  // namespace
}  // namespace espalier::testing
