// A quadruped of ANYmal's figures on its four feet: squatting against a reference of its own at a
// fine step, standing, landing. Each test prints its figures.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <numbers>

#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

/// Base after 4 s of squatting once a second under implicit PD, feet down all the time.
///   in   dt   s; targets are those of the middle of each step
Eigen::Vector3d squat(double dt) {
  World world;
  world.setTimeStep(dt);
  world.setContactSolverParam(1e-12, 1000);
  world.addGround();
  ArticulatedSystem* robot = addRobot(world, "quadruped", 400, 10);
  Eigen::VectorXd rest = nominal("quadruped");
  rest[2] -= robot->getLowestCollisionPoint();  // its feet touch, to rounding
  robot->setState(rest, Eigen::VectorXd::Zero(18));
  const int steps = static_cast<int>(std::lround(4 / dt));
  for (int i = 0; i < steps; ++i) {
    const double depth = 0.5 * (1 - std::cos(2 * std::numbers::pi * (i + 0.5) * dt));
    Eigen::VectorXd q = rest;
    for (int leg = 0; leg < 4; ++leg) {
      const double way = leg < 2 ? 0.2 : -0.2;
      q[8 + 3 * leg] += way * depth;
      q[9 + 3 * leg] -= 2 * way * depth;
    }
    robot->setPdTarget(q, Eigen::VectorXd::Zero(18));
    const StepReport& report = world.integrate();
    if (report.flags != 0 || (i * dt > 0.05 && report.activeContacts != 4)) {
      ADD_FAILURE() << "step " << i << ": " << report.activeContacts << " feet, flags "
                    << report.flags;
      break;
    }
  }
  return robot->getGeneralizedCoordinate().head<3>();
}

TEST(Stance, SquattingIsOfSecondOrder) {
  const Eigen::Vector3d exact = squat(0.00005);
  const double at5 = (squat(0.005) - exact).norm(), at25 = (squat(0.0025) - exact).norm(),
               at1 = (squat(0.001) - exact).norm();
  std::printf("[ figure   ] squatting for 4 s, error at 5, 2.5, 1 ms   %.2e %.2e %.2e m\n", at5,
              at25, at1);
  EXPECT_NEAR(std::log(at5 / at25) / std::log(2), 2, 0.3);
  EXPECT_NEAR(std::log(at25 / at1) / std::log(2.5), 2, 0.3);
  EXPECT_LE(at1, 2e-6);
}

TEST(Stance, StandingIsStill) {
  double height[2];
  for (int fine = 0; fine < 2; ++fine) {
    const double dt = fine == 1 ? 0.00025 : 0.0025;
    World world;
    world.setContactSolverParam(1e-10, 1000);
    world.setTimeStep(dt);
    world.addGround();
    ArticulatedSystem* robot = addRobot(world, "quadruped", 100, 2);
    const int second = static_cast<int>(std::lround(1 / dt));
    for (int i = 0; i < 5 * second; ++i) world.integrate();
    const Eigen::VectorXd q = robot->getGeneralizedCoordinate();
    int flips = 0;
    for (int i = 0; i < 5 * second; ++i) flips += world.integrate().activeContacts != 4;
    const double creep = (robot->getGeneralizedCoordinate() - q).norm() / 5;
    height[fine] = robot->getGeneralizedCoordinate()[2];
    std::printf("[ figure   ] standing at %.2f ms: creep %.1e m/s, %d contact flips, base %.6f m\n",
                1000 * dt, creep, flips, height[fine]);
    EXPECT_EQ(flips, 0);
    EXPECT_LT(creep, 1e-9);
  }
  EXPECT_NEAR(height[0], height[1], 1e-4);
}

TEST(Stance, LandingFromHalfAMetreHardlyPenetrates) {
  World world;
  world.setTimeStep(0.0025);
  world.addGround();
  addRobot(world, "quadruped", 100, 2, {0, 0, 0.5});
  double deepest = 0;
  for (int i = 0; i < 800; ++i) deepest = std::max(deepest, world.integrate().penetration);
  std::printf("[ figure   ] landing from 0.5 m at 2.5 ms: penetration %.1e m\n", deepest);
  EXPECT_LE(deepest, 1e-5);
  EXPECT_GE(world.report().activeContacts, 4);
}

}  // namespace
}  // namespace espalier::testing
