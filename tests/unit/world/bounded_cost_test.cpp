// A step's work is bounded, however jammed (step/solve_budget.h). Work is counted in iterations, so that
// the test does not depend on a clock.
#include "espalier/step/solve_budget.h"

#include <gtest/gtest.h>

#include "espalier/robot/single_body.h"
#include "espalier/world/world_data.h"
#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

/// Iterations of the costliest step; the flags of all steps; most islands without corrections.
struct Cost {
  int most = 0, uncorrected = 0;
  std::uint32_t flags = 0;
};

Cost run(World& world, int steps) {
  Cost cost;
  for (int i = 0; i < steps; ++i) {
    const StepReport& report = world.integrate();
    cost.most = std::max(cost.most, report.iterations);
    cost.flags |= report.flags;
    cost.uncorrected = std::max(cost.uncorrected, report.uncorrected);
    EXPECT_TRUE(std::isfinite(report.residual));
  }
  return cost;
}

TEST(BoundedCost, RobotsInsideOneAnother) {
  World world;
  world.addGround();
  world.setERP(0.2);
  for (int i = 0; i < 3; ++i) addRobot(world, "strider", 300, 10, {0.04 * i, 0.02 * i, 0});
  const Cost cost = run(world, 20);
  EXPECT_LE(cost.most, 500);
  EXPECT_GT(cost.uncorrected, 0)
      << "what the budget does not solve is solved without its corrections";
}

TEST(BoundedCost, BoxesUnderAPlate) {
  for (const double erp : {0., 0.2}) {
    World world;
    world.addGround();
    world.setERP(erp);
    for (int i = 0; i < 12; ++i)
      world.addBox(0.2, 0.15, 0.1, i % 2 ? 1 : 10)
          ->setPosition(0.11 * (i % 3) - 0.1, 0.08 * (i % 2), 0.06 + 0.09 * (i / 3));
    auto* plate = world.addBox(2, 2, 0.1, 1);
    plate->setBodyType(BodyType::KINEMATIC);
    plate->setPosition(0, 0, 0.6);
    plate->setLinearVelocity({0, 0, -1});
    EXPECT_LE(run(world, 600).most, 500) << erp;
  }
}

/// Iterations that a step of MIDPOINT may take with the default settings: the sweeps and the Newton steps of its
/// two solves. (A jam moves chaotically: how many it takes differs by half from start to start.)
int mostOfTwoSolves() {
  WorldData world;
  const double tolerance = world.settings.tolerance;
  return budgetOf(world, 1e3 * tolerance).sweeps + budgetOf(world, tolerance).sweeps +
         2 * contact::SolveOptions<double>{}.primalSteps;
}

TEST(BoundedCost, ARobotUnderAPlate) {
  for (const double offset : {0., 1e-4, 2e-4}) {
    World world;
    world.addGround();
    addRobot(world, "geared_biped", 0, 0);
    auto* plate = world.addBox(2, 2, 0.1, 1);
    plate->setBodyType(BodyType::KINEMATIC);
    plate->setPosition(offset, 0, 1.3 + offset);
    plate->setLinearVelocity({0, 0, -1});
    EXPECT_LE(run(world, 1500).most, mostOfTwoSolves()) << offset;
  }
}

/// More sweeps than the default bring as many times the effort; the first solve of two has less.
TEST(BoundedCost, TheBudgetFollowsTheSetting) {
  WorldData world;
  const double tolerance = world.settings.tolerance;
  const SolveBudget usual = budgetOf(world, tolerance), first = budgetOf(world, 1e3 * tolerance);
  EXPECT_EQ(usual.sweeps, world.settings.maxSweeps);
  EXPECT_LT(first.sweeps, usual.sweeps);
  EXPECT_LT(first.effort, usual.effort);
  world.settings.maxSweeps *= 4;
  EXPECT_EQ(budgetOf(world, tolerance).effort, 4 * usual.effort);
  world.settings.maxSweeps = 10;
  EXPECT_EQ(budgetOf(world, tolerance).sweeps, 10);
  EXPECT_EQ(budgetOf(world, tolerance).effort, usual.effort);
  world.solvesAgain = 3;
  EXPECT_LT(budgetOf(world, tolerance).effort, usual.effort);
}

}  // namespace
}  // namespace espalier::testing
