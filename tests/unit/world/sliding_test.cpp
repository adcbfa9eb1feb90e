// Dry friction of joints that slide (step/sliding.h), against closed forms, and against the problem
// with all rows, which is that of a world that remembers no impulses.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

constexpr double dt = 0.001, inertia = 0.2, friction = 0.5;

/// A wheel about z on a fixed base that turns at 1 rad/s.
struct Wheel {
  World world;
  ArticulatedSystem* robot;

  Wheel() {
    SystemSpec spec = jointedBody(JointKind::Revolute, SphereShape{0.1}, 1);
    spec.links[1].inertial->I = {inertia, 0, 0, inertia, 0, inertia};
    spec.joints[0].dynamics.friction = friction;
    robot = world.addArticulatedSystem(spec);
    world.setTimeStep(dt);
    robot->setGeneralizedVelocity(Eigen::VectorXd::Constant(1, 1));
  }
  double rate() const { return robot->getGeneralizedVelocity()[0]; }
  double step(double torque) {
    robot->setGeneralizedForce(Eigen::VectorXd::Constant(1, torque));
    world.integrate();
    return rate();
  }
};

TEST(SlidingJoints, HaveTheClosedFormThroughAReversal) {
  Wheel wheel;
  const double torque = -0.7;
  double u = 1;
  for (int i = 0; i < 600; ++i) {
    // What the torque alone leads to, and then friction against it, at most to rest.
    const double free = u + dt * torque / inertia, most = dt * friction / inertia;
    u = std::copysign(std::max(std::abs(free) - most, 0.0), free);
    ASSERT_NEAR(wheel.step(torque), u, 1e-11) << i;
  }
  EXPECT_LT(u, -0.1);
}

TEST(SlidingJoints, CostNoIteration) {
  Wheel wheel;
  wheel.step(0);
  for (int i = 0; i < 300; ++i) {
    wheel.step(0);
    ASSERT_EQ(wheel.world.report().iterations, 0) << i;
  }
  EXPECT_NEAR(wheel.rate(), 1 - 301 * dt * friction / inertia, 1e-12);
}

TEST(SlidingJoints, HaveARowInTheStepThatTurnsThemBack) {
  Wheel wheel;
  for (int i = 0; i < 10; ++i) wheel.step(0);
  const double before = wheel.rate();
  EXPECT_NEAR(wheel.step(-300), before + dt * (-300 + friction) / inertia, 1e-11);
  EXPECT_GT(wheel.world.report().iterations, 0);
  EXPECT_LE(wheel.world.report().residual, 1e-8);
}

TEST(SlidingJoints, HaveARowInTheStepThatStopsThem) {
  Wheel wheel;
  for (int i = 0; i < 10; ++i) wheel.step(0);
  EXPECT_NEAR(wheel.step(-wheel.rate() * inertia / dt), 0, 1e-11) << "friction holds it there";
}

TEST(SlidingJoints, DoTheWorkThatTheEnergyLacks) {
  Wheel wheel;
  wheel.world.setEnergyMonitoring(true);
  for (int i = 0; i < 600; ++i) {
    wheel.step(-0.7);
    ASSERT_NEAR(wheel.world.report().energyBalance, 0, 1e-13) << i;
  }
}

struct Case {
  std::string model;
  double friction;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.model; }

class SlidingRobots : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Models, SlidingRobots,
                         ::testing::Values(Case{"arm7", 0.4}, Case{"chain20", 0.01},
                                           Case{"quadruped", 0.5}, Case{"biped", 1},
                                           Case{"delta", 0.01}, Case{"geared_strider", 0.2}),
                         [](const auto& c) { return c.param.model; });

/// Limp, falling on the ground where there is one, with every joint dry.
ArticulatedSystem* addLimp(World& world, const Case& c) {
  world.setTimeStep(dt);
  world.setContactSolverParam(1e-12, 3000);
  world.addGround();
  ArticulatedSystem* robot = addRobot(world, c.model, 0, 0);
  Eigen::VectorXd dry = Eigen::VectorXd::Constant(robot->getDOF(), c.friction);
  if (robot->model().topology.floating) dry.head<6>().setZero();
  robot->setJointFriction(dry);
  if (robot->model().topology.floating) return robot;  // in flight a momentum is remembered, too
  Eigen::VectorXd u(robot->getDOF());
  for (int d = 0; d < u.size(); ++d) u[d] = 0.3 * std::sin(1.0 + 3 * d);
  robot->setGeneralizedVelocity(u);
  return robot;
}

TEST_P(SlidingRobots, MoveAsWithAllRows) {
  World world, rows;
  // Mechanisms remember how their loops closed, too, and predict with it.
  const bool hasLoops = GetParam().model == "delta" || GetParam().model == "geared_strider";
  const double bar = hasLoops ? 1e-6 : 1e-9;
  ArticulatedSystem* robot = addLimp(world, GetParam());
  ArticulatedSystem* other = addLimp(rows, GetParam());
  int saved = 0;
  for (int i = 0; i < 400; ++i) {
    other->setState(robot->getGeneralizedCoordinate(), robot->getGeneralizedVelocity());
    world.integrate();
    rows.integrate();
    saved += world.report().iterations < rows.report().iterations;
    if (world.report().residual > 1e-12 || rows.report().residual > 1e-12) continue;
    const Eigen::VectorXd u = robot->getGeneralizedVelocity(), v = other->getGeneralizedVelocity();
    ASSERT_LT((u - v).cwiseAbs().maxCoeff(), bar * (1 + v.cwiseAbs().maxCoeff())) << i;
  }
  EXPECT_GT(saved, 0);
}

}  // namespace
}  // namespace espalier::testing
