// What joints add to the contact problem, and friction beyond Coulomb's, against closed forms.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

constexpr double dt = 0.001;

/// A wheel of inertia I about z on a fixed base.
ArticulatedSystem* addWheel(World& world, double I, const JointDynamics& dynamics = {},
                            const JointLimits& limits = {}) {
  SystemSpec spec = jointedBody(JointKind::Revolute, SphereShape{0.1}, 1);
  spec.links[1].inertial->I = {I, 0, 0, I, 0, I};
  spec.joints[0].dynamics = dynamics;
  spec.joints[0].limits = limits;
  return world.addArticulatedSystem(spec);
}

Eigen::VectorXd one(double x) { return Eigen::VectorXd::Constant(1, x); }

TEST(JointRows, DryFrictionBrakesEvenlyAndThenHolds) {
  World world;
  JointDynamics dynamics;
  dynamics.friction = 0.5;
  ArticulatedSystem* wheel = addWheel(world, 0.2, dynamics);
  wheel->setGeneralizedVelocity(one(1));
  for (int i = 0; i < 100; ++i) world.integrate();
  EXPECT_NEAR(wheel->getGeneralizedVelocity()[0], 1 - 0.5 / 0.2 * 0.1, 1e-12);
  for (int i = 0; i < 400; ++i) world.integrate();
  EXPECT_LT(std::abs(wheel->getGeneralizedVelocity()[0]), 1e-9);
  wheel->setGeneralizedForce(one(0.4));
  for (int i = 0; i < 100; ++i) world.integrate();
  EXPECT_LT(std::abs(wheel->getGeneralizedVelocity()[0]), 1e-9) << "less than the friction";
  wheel->setGeneralizedForce(one(0.7));
  for (int i = 0; i < 100; ++i) world.integrate();
  EXPECT_NEAR(wheel->getGeneralizedVelocity()[0], 0.2 / 0.2 * 0.1, 1e-9);
}

constexpr Scheme all_schemes[] = {Scheme::MIDPOINT, Scheme::TRAPEZOID, Scheme::SEMI_IMPLICIT,
                                  Scheme::EULER, Scheme::RUNGE_KUTTA_4};

TEST(JointRows, SpeedLimitsHoldFromRestUnderAnyTorque) {
  for (const Scheme scheme : all_schemes)
    for (const double torque : {15.0, 50.0, -500.0, 5e4}) {
      World world;
      world.setIntegrationScheme(scheme);
      ArticulatedSystem* wheel = addWheel(world, 0.01, {}, {.velocity = 2});
      wheel->enforceJointVelocityLimits(true);
      wheel->setGeneralizedForce(one(torque));
      const double free = torque * dt / 0.01;  // rad/s that one step adds
      for (int i = 1; i < 5; ++i) {
        ASSERT_EQ(world.integrate().flags, 0u);
        EXPECT_NEAR(wheel->getGeneralizedVelocity()[0], std::clamp(i * free, -2.0, 2.0), 1e-7)
            << torque << ", " << info(scheme).name;
      }
    }
}

TEST(JointRows, LimitsHoldThatATorqueReachesInOneStep) {
  for (const Scheme scheme : {Scheme::MIDPOINT, Scheme::TRAPEZOID, Scheme::SEMI_IMPLICIT})
    for (const double torque : {50.0, -500.0, 5e4}) {
      World world;
      world.setIntegrationScheme(scheme);
      ArticulatedSystem* wheel = addWheel(world, 0.01, {}, {.lower = -0.02, .upper = 0.02});
      wheel->setGeneralizedForce(one(torque));
      // The law of TRAPEZOID has it arrive at 2 gap / dt, half of which moves q in the step after.
      const double beyond = scheme == Scheme::TRAPEZOID ? 0.02 + 1e-9 : 1e-9;
      for (int i = 0; i < 200; ++i) {
        ASSERT_EQ(world.integrate().flags, 0u);
        ASSERT_LT(std::abs(wheel->getGeneralizedCoordinate()[0]), 0.02 + beyond)
            << torque << ", " << info(scheme).name << ", step " << i;
      }
      EXPECT_NEAR(wheel->getGeneralizedCoordinate()[0], std::copysign(0.02, torque), 1e-9);
      EXPECT_NEAR(wheel->getGeneralizedVelocity()[0], 0, 1e-7);
    }
}

// What pushes may as well be an impact, whose impulse is known after a solve alone.
TEST(JointRows, LimitsHoldThatAnImpactReachesInOneStep) {
  World world;
  world.setGravity({0, 0, 0});
  SystemSpec spec = jointedBody(JointKind::Prismatic, SphereShape{0.1}, 1, {1, 0, 0});
  spec.joints[0].limits = {.lower = -1, .upper = 0.03};
  ArticulatedSystem* slider = world.addArticulatedSystem(spec);
  SingleBodyObject* ball = world.addSphere(0.1, 1000);
  ball->setPosition(-0.2, 0, 0);
  ball->setLinearVelocity({100, 0, 0});
  world.integrate();
  EXPECT_NEAR(slider->getGeneralizedVelocity()[0], 30, 1e-6) << "0.03 m in 1 ms";
}

TEST(JointRows, TheExactModeBoundsTheWholeTorque) {
  for (const double kp : {1e2, 1e4, 1e6}) {
    World world;
    ArticulatedSystem* wheel = addWheel(world, 0.2);
    wheel->setControlMode(ControlMode::PD_PLUS_FEEDFORWARD_TORQUE);
    wheel->setPdGains(one(kp), one(0.3 * kp));
    wheel->setPdTarget(one(1), one(0));
    wheel->setActuationLimits(one(3), one(-3));
    wheel->setTorqueLimits(TorqueLimits::EXACT);
    double most = 0;
    for (int i = 0; i < 6000; ++i) {
      const double before = wheel->getGeneralizedVelocity()[0];
      world.integrate();
      const double applied = wheel->getAppliedGeneralizedForce()[0];
      most = std::max(most, std::abs(applied));
      ASSERT_NEAR(0.2 * (wheel->getGeneralizedVelocity()[0] - before) / dt, applied, 1e-9);
    }
    EXPECT_LE(most, 3 * (1 + 1e-12)) << kp;
    EXPECT_GT(most, 2.9) << kp;
    EXPECT_NEAR(wheel->getGeneralizedCoordinate()[0], 1, 1e-3) << kp;
  }
}

TEST(JointRows, FarLimitsMakeTheExactModeTheOrdinaryOne) {
  double q[2];
  for (int mode = 0; mode < 2; ++mode) {
    World world;
    ArticulatedSystem* wheel = addWheel(world, 0.2);
    wheel->setControlMode(ControlMode::PD_PLUS_FEEDFORWARD_TORQUE);
    wheel->setPdGains(one(40), one(1));
    wheel->setPdTarget(one(1), one(0));
    wheel->setActuationLimits(one(1e4), one(-1e4));
    wheel->setTorqueLimits(mode == 0 ? TorqueLimits::COMMAND : TorqueLimits::EXACT);
    for (int i = 0; i < 200; ++i) world.integrate();
    q[mode] = wheel->getGeneralizedCoordinate()[0];
  }
  EXPECT_NEAR(q[0], q[1], 1e-9);
  EXPECT_GT(q[0], 0.5);
}

TEST(JointRows, SpeedLimitsAreKeptWhenAsked) {
  for (const bool keeps : {false, true}) {
    World world;
    JointLimits limits;
    limits.velocity = 2;
    ArticulatedSystem* wheel = addWheel(world, 0.2, {}, limits);
    wheel->enforceJointVelocityLimits(keeps);
    wheel->setGeneralizedForce(one(1));
    for (int i = 0; i < 1000; ++i) world.integrate();
    EXPECT_NEAR(wheel->getGeneralizedVelocity()[0], keeps ? 2 : 5, 1e-9);
  }
}

// Friction at rest holds a box where friction in motion could not.
TEST(Friction, StaticFrictionHoldsUntilItSlides) {
  const double angle = std::atan(0.5);
  MaterialPairSpec pair;
  pair.friction = 0.3;
  pair.staticFriction = 0.6;
  pair.staticVelocity = 0.01;
  for (const bool pushed : {false, true}) {
    World world;
    world.setContactSolverParam(1e-10, 1000);
    world.setDefaultMaterial(pair);
    world.addBody(slope(angle));
    SingleBodyObject* box = world.addBox(0.2, 0.2, 0.1, 1);
    box->setPosition(0.05 * normalOf(angle));
    box->setOrientation(std::cos(angle / 2), 0, std::sin(angle / 2), 0);
    if (pushed) box->setLinearVelocity(0.05 * downhill(angle));
    for (int i = 0; i < 1000; ++i) world.integrate();
    const double speed = box->getLinearVelocity().dot(downhill(angle));
    if (pushed) {
      EXPECT_NEAR(speed, 0.05 + gravity * (std::sin(angle) - 0.3 * std::cos(angle)), 1e-6);
    } else {
      EXPECT_LT(std::abs(speed), 1e-9);
    }
  }
}

// A ball rolls on with -(5/7) rho g / R, a top spins down with -sigma m g / I.
TEST(Friction, RollingAndSpinning) {
  MaterialPairSpec pair;
  pair.friction = 0.8;
  pair.rollingFriction = 0.002;
  pair.spinningFriction = 0.003;
  World world;
  world.setDefaultMaterial(pair);
  world.addGround();
  SingleBodyObject* ball = world.addSphere(0.1, 2);
  ball->setPosition(0, 0, 0.1);
  ball->setVelocity(1, 0, 0, 0, 10, 0);
  SingleBodyObject* top = world.addSphere(0.1, 2);
  top->setPosition(0, 3, 0.1);
  top->setAngularVelocity({0, 0, 10});
  for (int i = 0; i < 500; ++i) world.integrate();
  const double I = 0.4 * 2 * 0.01;
  EXPECT_NEAR(ball->getLinearVelocity().x(), 1 - 5.0 / 7 * 0.002 * gravity / 0.1 * 0.5, 1e-6);
  EXPECT_NEAR(top->getAngularVelocity().z(), 10 - 0.003 * 2 * gravity / I * 0.5, 1e-6);
  for (int i = 0; i < 20000; ++i) world.integrate();
  EXPECT_LT(ball->getLinearVelocity().norm(), 1e-9);
  EXPECT_LT(top->getAngularVelocity().norm(), 1e-9);
}

}  // namespace
}  // namespace espalier::testing
