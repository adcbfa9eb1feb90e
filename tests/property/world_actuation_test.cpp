// Implicit springs, dampers and PD: stable however stiff, exact where a closed form is known, and
// the torque they say they applied is the one that moved the robot.

#include <gtest/gtest.h>

#include "espalier/model/coordinates.h"
#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

class Actuation : public ::testing::TestWithParam<Scheme> {
 protected:
  void SetUp() override { world.setIntegrationScheme(GetParam()); }
  bool midpoint() const { return GetParam() == Scheme::MIDPOINT; }
  World world;
};
INSTANTIATE_TEST_SUITE_P(Schemes, Actuation,
                         ::testing::Values(Scheme::MIDPOINT, Scheme::SEMI_IMPLICIT),
                         [](const auto& scheme) {
                           return scheme.param == Scheme::MIDPOINT ? "Midpoint" : "SemiImplicit";
                         });

// Explicitly, kp 1e6 would be unstable beyond dt = 2 sqrt(I / kp), some 0.1 ms. MIDPOINT, as any
// trapezoidal rule, lets what is much faster than a step ring, ever less; SEMI_IMPLICIT stops it.
TEST_P(Actuation, StiffPdIsStable) {
  for (const double kp : {1e4, 1e6, 1e8}) {
    World fresh;
    fresh.setIntegrationScheme(GetParam());
    ArticulatedSystem* robot = addRobot(fresh, "strider", kp, 0.02 * kp, {0, 0, 1});
    robot->setActuationLimits(Eigen::VectorXd::Constant(18, 1e12),
                              Eigen::VectorXd::Constant(18, -1e12));
    Eigen::VectorXd q = robot->getGeneralizedCoordinate(), target = q;
    for (int d = 0; d < 12; ++d) q[7 + d] += 0.05 * std::cos(d);
    robot->setGeneralizedCoordinate(q);
    const auto error = [&] { return (robot->getGeneralizedCoordinate() - target).tail(12).norm(); };
    const double first = error();
    double last = 0;
    for (int i = 0; i < 1000; ++i) {
      ASSERT_EQ(fresh.integrate().flags, 0u) << kp;
      ASSERT_LT(error(), 1.01 * first) << kp;
      if (i >= 990) last = std::max(last, error());
    }
    EXPECT_LT(last, midpoint() && kp > 1e7 ? 0.9 * first : 1e-3) << kp;
  }
}

TEST_P(Actuation, StiffPdIsStableInContact) {
  world.addGround();
  ArticulatedSystem* robot = addRobot(world, "strider", 1e6, 2e4, {0, 0, 0.01});
  robot->setActuationLimits(Eigen::VectorXd::Constant(18, 1e12),
                            Eigen::VectorXd::Constant(18, -1e12));
  for (int i = 0; i < 2000; ++i) ASSERT_EQ(world.integrate().flags, 0u) << i;
  EXPECT_LT(robot->getGeneralizedVelocity().norm(), 1e-6);
  // So stiff, it stands as it was told: 150 N m over 1e6 N m/rad.
  EXPECT_NEAR(robot->getGeneralizedCoordinate()[2], nominal("strider")[2], 1e-3);
}

// Pure damping, however strong, only brakes.
TEST_P(Actuation, StrongDamperBrakes) {
  ArticulatedSystem* body =
      world.addArticulatedSystem(jointedBody(JointKind::Prismatic, SphereShape{0.1}, 1, {1, 0, 0}));
  body->setControlMode(ControlMode::PD_PLUS_FEEDFORWARD_TORQUE);
  body->setPdGains(Eigen::VectorXd::Zero(1), Eigen::VectorXd::Constant(1, 1e5));
  body->setGeneralizedVelocity(Eigen::VectorXd::Constant(1, 1));
  double before = 1;
  for (int i = 0; i < 500; ++i) {
    world.integrate();
    const double now = std::abs(body->getGeneralizedVelocity()[0]);
    ASSERT_LE(now, before);
    before = now;
  }
  EXPECT_LT(before, midpoint() ? 1e-3 : 1e-9);
}

// A mass on a spring: MIDPOINT keeps its energy to rounding at any stiffness (trapezoid rule on a
// linear system), SEMI_IMPLICIT, here implicit Euler, loses it.
TEST_P(Actuation, SpringKeepsItsEnergy) {
  for (const double stiffness : {1.0, 1e3, 1e6}) {
    World fresh;
    fresh.setIntegrationScheme(GetParam());
    fresh.setGravity({0, 0, 0});
    SystemSpec spec = jointedBody(JointKind::Prismatic, SphereShape{0.1}, 2, {1, 0, 0});
    spec.joints[0].dynamics.stiffness = stiffness;
    spec.joints[0].dynamics.springMount = {0.3};
    ArticulatedSystem* body = fresh.addArticulatedSystem(spec);
    const auto energy = [&] {
      const double x = body->getGeneralizedCoordinate()[0] - 0.3;
      return body->getKineticEnergy() + 0.5 * stiffness * x * x;
    };
    const double before = energy();
    for (int i = 0; i < 1000; ++i) fresh.integrate();
    if (midpoint())
      EXPECT_NEAR(energy() / before, 1, 1e-9) << stiffness;
    else
      EXPECT_LT(energy(), before) << stiffness;
  }
}

// A ball on a spherical joint with a spring: the torque is k times the rotation vector, so that it
// swings about any axis as cos(sqrt(k / I) t), however far.
TEST(Actuation, SphericalSpringFollowsTheRotationVector) {
  const double mass = 1, r = 0.1, stiffness = 0.5, far = 2.5;
  const double omega = std::sqrt(stiffness / (0.4 * mass * r * r));
  for (const Eigen::Vector3d& way : {Eigen::Vector3d(1, 0, 0), Eigen::Vector3d(0.6, 0, -0.8)}) {
    double error[2];
    for (int k = 0; k < 2; ++k) {
      World world;
      const int steps = 500 << k;
      world.setTimeStep(0.5 / steps);
      world.setGravity({0, 0, 0});
      SystemSpec spec = jointedBody(JointKind::Spherical, SphereShape{r}, mass);
      spec.joints[0].dynamics.stiffness = stiffness;
      ArticulatedSystem* ball = world.addArticulatedSystem(spec);
      Eigen::VectorXd q(4);
      q << std::cos(far / 2), std::sin(far / 2) * way;
      ball->setGeneralizedCoordinate(q);
      for (int i = 0; i < steps; ++i) world.integrate();
      const double angle = far * std::cos(omega * 0.5);
      Eigen::VectorXd exact(4);
      exact << std::cos(angle / 2), std::sin(angle / 2) * way;
      error[k] = (ball->getGeneralizedCoordinate() - exact).norm();
    }
    EXPECT_LT(error[1], 1e-3);
    EXPECT_NEAR(error[0] / error[1], 4, 0.2);
  }
}

// PD on a spherical joint drives along the shorter way to its target.
TEST(Actuation, SphericalPdReachesItsTarget) {
  for (const Scheme scheme : {Scheme::MIDPOINT, Scheme::SEMI_IMPLICIT}) {
    World world;
    world.setIntegrationScheme(scheme);
    ArticulatedSystem* chain = addRobot(world, "chain20", 300, 300);
    Eigen::VectorXd target = nominal("chain20");
    for (int j = 0; j < 20; ++j)
      target.segment<4>(4 * j) << std::cos(0.2), std::sin(0.2) * 0.6, 0, std::sin(0.2) * 0.8;
    chain->setPdTarget(target, Eigen::VectorXd::Zero(60));
    world.setGravity({0, 0, 0});
    for (int i = 0; i < 12000; ++i) ASSERT_EQ(world.integrate().flags, 0u);
    // Its own springs of 1.5 N m/rad want it straight: 0.4 rad short by 1.5 / 301.5.
    const double angle = 0.4 * 300 / 301.5;
    Eigen::VectorXd rest = target;
    for (int j = 0; j < 20; ++j)
      rest.segment<4>(4 * j) << std::cos(angle / 2), std::sin(angle / 2) * 0.6, 0,
          std::sin(angle / 2) * 0.8;
    EXPECT_LT((chain->getGeneralizedCoordinate() - rest).cwiseAbs().maxCoeff(), 1e-4);
  }
}

// The chain's springs without its dampers: energy stays, to second order.
TEST(Actuation, ChainOfSpringsKeepsItsEnergy) {
  SystemSpec spec = modelSpec("chain20");
  for (JointSpec& joint : spec.joints) joint.dynamics.damping = 0;
  double worst[2];
  for (int k = 0; k < 2; ++k) {
    World world;
    world.setTimeStep(0.002 / (1 << k));
    world.setEnergyMonitoring(true);
    ArticulatedSystem* chain = world.addArticulatedSystem(spec);
    Eigen::VectorXd q = nominal("chain20");
    for (int j = 0; j < 20; ++j) q.segment<4>(4 * j) << std::cos(0.03), std::sin(0.03), 0, 0;
    chain->setGeneralizedCoordinate(q);
    world.integrate();
    const double before = world.report().energy;
    worst[k] = 0;
    for (int i = 0; i < 500 << k; ++i)
      worst[k] = std::max(worst[k], std::abs(world.integrate().energy - before));
  }
  EXPECT_LT(worst[1], 1e-3);
  EXPECT_GT(worst[0] / worst[1], 3);
}

// Limits clamp what is commanded; the implicit part comes on top.
TEST_P(Actuation, TorqueLimitsClampTheCommand) {
  ArticulatedSystem* body =
      world.addArticulatedSystem(jointedBody(JointKind::Prismatic, SphereShape{0.1}, 2, {1, 0, 0}));
  const auto limit = [&](double lower, double upper) {
    body->setActuationLimits(Eigen::VectorXd::Constant(1, upper),
                             Eigen::VectorXd::Constant(1, lower));
  };
  limit(-3, 5);
  body->setGeneralizedForce(Eigen::VectorXd::Constant(1, 100));
  world.integrate();
  EXPECT_NEAR(body->getAppliedGeneralizedForce()[0], 5, 1e-12);
  EXPECT_NEAR(body->getGeneralizedVelocity()[0], 0.001 * 5 / 2, 1e-15);
  body->setGeneralizedForce(Eigen::VectorXd::Constant(1, -100));
  world.integrate();
  EXPECT_NEAR(body->getAppliedGeneralizedForce()[0], -3, 1e-12);

  // PD that wants 1000 N gets 5 N less w (u+ - u) / dt.
  body->setState(Eigen::VectorXd::Zero(1), Eigen::VectorXd::Zero(1));
  body->setGeneralizedForce(Eigen::VectorXd::Zero(1));
  body->setControlMode(ControlMode::PD_PLUS_FEEDFORWARD_TORQUE);
  body->setPdGains(Eigen::VectorXd::Constant(1, 1000), Eigen::VectorXd::Constant(1, 10));
  body->setPdTarget(Eigen::VectorXd::Constant(1, 1), Eigen::VectorXd::Zero(1));
  world.integrate();
  const double dt = 0.001,
               w = midpoint() ? dt / 2 * 10 + dt * dt / 4 * 1000 : dt * 10 + dt * dt * 1000;
  const double u = dt * 5 / (2 + w);
  EXPECT_NEAR(body->getGeneralizedVelocity()[0], u, 1e-15);
  EXPECT_NEAR(body->getAppliedGeneralizedForce()[0], 5 - w * u / dt, 1e-12);
  // The effort of the file is such a limit.
  World other;
  SystemSpec spec = jointedBody(JointKind::Prismatic, SphereShape{0.1}, 2, {1, 0, 0});
  spec.joints[0].limits.effort = 7;
  ArticulatedSystem* weak = other.addArticulatedSystem(spec);
  weak->setGeneralizedForce(Eigen::VectorXd::Constant(1, 100));
  other.integrate();
  EXPECT_NEAR(weak->getAppliedGeneralizedForce()[0], 7, 1e-12);
}

// With gains but FORCE_AND_TORQUE they rest.
TEST_P(Actuation, ControlModeDecides) {
  ArticulatedSystem* robot = addRobot(world, "arm7", 100, 10);
  robot->setPdTarget(Eigen::VectorXd::Constant(7, 0.3), Eigen::VectorXd::Zero(7));
  robot->setControlMode(ControlMode::FORCE_AND_TORQUE);
  world.integrate();
  EXPECT_EQ(robot->getAppliedGeneralizedForce().norm(), 0);
  robot->setControlMode(ControlMode::PD_PLUS_FEEDFORWARD_TORQUE);
  world.integrate();
  EXPECT_GT(robot->getAppliedGeneralizedForce().norm(), 1);
}

// The velocity target drives too: at kp = 0 the joint takes it over.
TEST_P(Actuation, VelocityTargetIsReached) {
  ArticulatedSystem* body =
      world.addArticulatedSystem(jointedBody(JointKind::Revolute, SphereShape{0.1}, 2));
  body->setControlMode(ControlMode::PD_PLUS_FEEDFORWARD_TORQUE);
  body->setPdGains(Eigen::VectorXd::Zero(1), Eigen::VectorXd::Constant(1, 1));
  body->setPdTarget(Eigen::VectorXd::Zero(1), Eigen::VectorXd::Constant(1, 3));
  for (int i = 0; i < 500; ++i) world.integrate();
  EXPECT_NEAR(body->getGeneralizedVelocity()[0], 3, 1e-9);
}

}  // namespace
}  // namespace espalier::testing
