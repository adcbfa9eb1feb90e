// Tendons, actuators and compensated weights of a Spec in a World, against closed forms.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/two_sliders.h"

namespace espalier::testing {
namespace {

Eigen::Vector2d pair(double a, double b) { return {a, b}; }

TEST(Tendons, ASpringSwingsAtItsFrequencyAndKeepsTheMomentum) {
  TendonSpec tendon;
  tendon.stiffness = 40;
  tendon.restLower = tendon.restUpper = 0.5;
  for (const Scheme scheme : {Scheme::MIDPOINT, Scheme::RUNGE_KUTTA_4}) {
    World world;
    world.setTimeStep(0.0005);
    world.setIntegrationScheme(scheme);
    world.setEnergyMonitoring(true);
    ArticulatedSystem* robot = world.addArticulatedSystem(twoSliders(tendon));
    robot->setState(pair(0.7, 0), pair(0.1, 0.1));
    const double frequency = std::sqrt(40 * (1 / m1 + 1 / m2));
    for (int i = 1; i <= 2000; ++i) {
      const StepReport& report = world.integrate();
      ASSERT_EQ(report.flags, 0u);
      const double t = world.getWorldTime();
      const Eigen::VectorXd q = robot->getGeneralizedCoordinate();
      const TendonInfo& info = robot->model().tendons[0];
      ASSERT_EQ(info.jointLength(q.data()), q[0] - q[1]);
      ASSERT_NEAR(q[0] - q[1], 0.5 + 0.2 * std::cos(frequency * t), 1e-4);
      ASSERT_NEAR(m1 * q[0] + m2 * q[1], m1 * 0.7 + (m1 + m2) * 0.1 * t, 1e-9);
    }
  }
}

TEST(Tendons, AStiffOneStaysStableAndADamperStopsItsLength) {
  TendonSpec tendon;
  tendon.stiffness = 1e7;
  tendon.damping = 1e4;
  World world;
  world.setTimeStep(0.002);
  ArticulatedSystem* robot = world.addArticulatedSystem(twoSliders(tendon));
  robot->setState(pair(0.01, 0), pair(1, -1));
  for (int i = 0; i < 3000; ++i) {
    ASSERT_EQ(world.integrate().flags, 0u);
    ASSERT_LT(robot->getGeneralizedVelocity().norm(), 30);
  }
  const Eigen::VectorXd u = robot->getGeneralizedVelocity();
  EXPECT_NEAR(robot->model().tendons[0].jointRate(u.data()), 0, 1e-6);
  EXPECT_NEAR(u[0], (m1 - m2) / (m1 + m2), 1e-6);
}

TEST(Tendons, ALimitStopsTheLength) {
  TendonSpec tendon;
  tendon.upper = 0.1;
  World world;
  ArticulatedSystem* robot = world.addArticulatedSystem(twoSliders(tendon));
  robot->setState(pair(0, 0), pair(1, 0));
  for (int i = 0; i < 500; ++i) {
    world.integrate();
    const Eigen::VectorXd q = robot->getGeneralizedCoordinate();
    ASSERT_LT(q[0] - q[1], 0.1 + 1e-6);
  }
  const Eigen::VectorXd u = robot->getGeneralizedVelocity();
  EXPECT_NEAR(u[0], m1 / (m1 + m2), 1e-9) << "the impact is plastic";
  EXPECT_NEAR(u[1], u[0], 1e-9);
}

TEST(Tendons, DryFrictionHoldsTheLengthUpToItsForce) {
  TendonSpec tendon;
  tendon.friction = 5;
  World world;
  ArticulatedSystem* robot = world.addArticulatedSystem(twoSliders(tendon));
  robot->setGeneralizedForce(pair(4, -4));
  for (int i = 0; i < 100; ++i) world.integrate();
  EXPECT_NEAR(robot->getGeneralizedVelocity().norm(), 0, 1e-9);
  robot->setGeneralizedForce(pair(8, -8));
  for (int i = 0; i < 100; ++i) world.integrate();
  EXPECT_NEAR(robot->getGeneralizedVelocity()[0], 3 / m1 * 0.1, 1e-8);
}

TEST(Tendons, AnActuatorPullsWithinItsForces) {
  TendonSpec tendon;
  ActuatorSpec& actuator = tendon.actuator.emplace();
  actuator.kp = 1e4;
  actuator.kd = 1e3;
  actuator.target = 2;
  actuator.upper = 6;
  for (const TorqueLimits limits : {TorqueLimits::COMMAND, TorqueLimits::EXACT}) {
    World world;
    ArticulatedSystem* robot = world.addArticulatedSystem(twoSliders(tendon));
    robot->setTorqueLimits(limits);
    world.integrate();
    const double reached = robot->getGeneralizedVelocity()[0];
    if (limits == TorqueLimits::EXACT) {
      EXPECT_NEAR(reached, 6 / m1 * 0.001, 1e-9);
    } else {
      EXPECT_LT(reached, 6 / m1 * 0.001) << "less what the implicit part takes";
    }
  }
  actuator.upper = unlimited;
  World world;
  ArticulatedSystem* robot = world.addArticulatedSystem(twoSliders(tendon));
  for (int i = 0; i < 5000; ++i) world.integrate();
  const Eigen::VectorXd q = robot->getGeneralizedCoordinate();
  EXPECT_NEAR(q[0] - q[1], 2, 1e-6);
}

/// Along one slider a tendon's actuator does what the slider's own motor does.
TEST(Tendons, AnActuatorIsCommandedAsAMotorIs) {
  SystemSpec spec = twoSliders({});
  spec.tendons[0].terms = {{spec.joints[0].name, 1}};
  for (const TorqueLimits limits : {TorqueLimits::COMMAND, TorqueLimits::EXACT}) {
    World world;
    ArticulatedSystem* pulled = world.addArticulatedSystem(spec);
    ArticulatedSystem* driven = world.addArticulatedSystem(spec);
    for (ArticulatedSystem* robot : {pulled, driven}) robot->setTorqueLimits(limits);
    const auto one = [](double x) { return Eigen::VectorXd::Constant(1, x); };
    pulled->setTendonGains(one(60), one(3));
    pulled->setTendonTarget(one(0.4), one(0.2));
    pulled->setTendonForce(one(5));
    driven->setPdGains(pair(60, 0), pair(3, 0));
    driven->setPdTarget(pair(0.4, 0), pair(0.2, 0));
    driven->setGeneralizedForce(pair(5, 0));
    for (int i = 0; i < 300; ++i) {
      if (i == 200) {
        pulled->setTendonTarget(one(-0.3));
        driven->setPdTarget(pair(-0.3, 0), pair(0.2, 0));
      }
      world.integrate();
      ASSERT_NEAR(pulled->getGeneralizedCoordinate()[0], driven->getGeneralizedCoordinate()[0],
                  1e-8)
          << i;
    }
    EXPECT_GT(std::abs(pulled->getGeneralizedVelocity()[0]), 0.1);
    EXPECT_EQ(pulled->getTendonForce()[0], 5);
    Eigen::VectorXd kp, kd, length, velocity;
    pulled->getTendonGains(kp, kd);
    pulled->getTendonTarget(length, velocity);
    EXPECT_EQ(kp, one(60));
    EXPECT_EQ(kd, one(3));
    EXPECT_EQ(length, one(-0.3));
    EXPECT_EQ(velocity, one(0.2));
  }
}

TEST(Tendons, CommandsThatMakeNoSenseAreRefused) {
  World world;
  ArticulatedSystem* robot = world.addArticulatedSystem(twoSliders({}));
  const Eigen::VectorXd one = Eigen::VectorXd::Ones(1), two = Eigen::VectorXd::Ones(2);
  EXPECT_THROW(robot->setTendonGains(one, -one), std::invalid_argument);
  EXPECT_THROW(robot->setTendonGains(two, two), std::invalid_argument);
  EXPECT_THROW(robot->setTendonTarget(two), std::invalid_argument);
  EXPECT_THROW(robot->setTendonTarget(one, two), std::invalid_argument);
  EXPECT_THROW(robot->setTendonForce(one * NAN), std::invalid_argument);
  Eigen::VectorXd length, velocity;
  robot->getTendonTarget(length, velocity);
  EXPECT_EQ(length[0], 0) << "nothing has been taken";
}

TEST(Actuators, AreInForceFromTheStart) {
  SystemSpec spec = jointedBody(JointKind::Revolute, SphereShape{0.1}, 1);
  ActuatorSpec& actuator = spec.joints[0].actuator.emplace();
  actuator = {30, 2, 0.5, 0.25, 1.5, -4, 9};
  spec.joints[0].limits.effort = 7;
  World world;
  ArticulatedSystem* robot = world.addArticulatedSystem(spec);
  EXPECT_EQ(robot->getControlMode(), ControlMode::PD_PLUS_FEEDFORWARD_TORQUE);
  Eigen::VectorXd kp, kd, q, u;
  robot->getPdGains(kp, kd);
  robot->getPdTarget(q, u);
  EXPECT_EQ(kp[0], 30);
  EXPECT_EQ(kd[0], 2);
  EXPECT_EQ(q[0], 0.5);
  EXPECT_EQ(u[0], 0.25);
  EXPECT_EQ(robot->getActuationLowerLimits()[0], -4);
  EXPECT_EQ(robot->getActuationUpperLimits()[0], 7);
  robot->setState(Eigen::VectorXd::Constant(1, 0.4), Eigen::VectorXd::Constant(1, 0.3));
  EXPECT_NEAR(robot->getGeneralizedForce()[0], 1.5 + 30 * 0.1 - 2 * 0.05, 1e-12);
}

TEST(Actuators, OfAFileThatMakesNoSenseAreRefused) {
  SystemSpec spec = jointedBody(JointKind::Revolute, SphereShape{0.1}, 1);
  const auto isRefused = [&](const ActuatorSpec& actuator) {
    spec.joints[0].actuator = actuator;
    return !compile(spec);
  };
  EXPECT_FALSE(isRefused({}));
  EXPECT_TRUE(isRefused({.kp = -1}));
  EXPECT_TRUE(isRefused({.kd = std::nan("")}));
  EXPECT_TRUE(isRefused({.target = unlimited}));
  EXPECT_TRUE(isRefused({.lower = 1, .upper = 0}));
  SystemSpec ball = jointedBody(JointKind::Spherical, SphereShape{0.1}, 1);
  ball.joints[0].actuator.emplace();
  EXPECT_FALSE(compile(ball));
}

TEST(Tendons, ThatMakeNoSenseAreRefused) {
  TendonSpec good;
  EXPECT_TRUE(compile(twoSliders(good)));
  const auto isRefused = [&](auto&& spoil) {
    SystemSpec spec = twoSliders(good);
    spoil(spec.tendons[0]);
    return !compile(spec);
  };
  EXPECT_TRUE(isRefused([](TendonSpec& t) { t.terms.clear(); }));
  EXPECT_TRUE(isRefused([](TendonSpec& t) { t.terms[0].joint = "none"; }));
  EXPECT_TRUE(isRefused([](TendonSpec& t) { t.terms[0].coefficient = std::nan(""); }));
  EXPECT_TRUE(isRefused([](TendonSpec& t) { t.stiffness = -1; }));
  EXPECT_TRUE(isRefused([](TendonSpec& t) { t.lower = 1, t.upper = 0; }));
  EXPECT_TRUE(isRefused([](TendonSpec& t) { t.restLower = 1; }));
  EXPECT_TRUE(isRefused([](TendonSpec& t) { t.name.clear(); }));
}

TEST(GravityCompensation, LetsABodyHoverAndTwoInThreeFallAtAThirdOfG) {
  for (const double share : {1.0, 2.0 / 3}) {
    World world;
    world.setEnergyMonitoring(true);
    SystemSpec spec = freeBody("box", BoxShape{{0.1, 0.2, 0.3}}, 2);
    spec.links[0].inertial->X_LC.p = {0.1, 0.2, 0};  // beside the origin: no torque about it
    spec.links[0].gravityCompensation = share;
    ArticulatedSystem* body = world.addArticulatedSystem(spec);
    place(*body, {0, 0, 1});
    for (int i = 0; i < 1000; ++i) {
      const StepReport& report = world.integrate();
      ASSERT_NEAR(report.energyBalance, 0, 1e-9);
    }
    const Eigen::VectorXd u = body->getGeneralizedVelocity();
    EXPECT_NEAR(u[2], -(1 - share) * gravity * 1, 1e-9);
    EXPECT_NEAR(u.tail(3).norm(), 0, 1e-9);
  }
}

TEST(GravityCompensation, OfAnArmIsAsWithoutGravity) {
  const auto fall = [](double share, const Eigen::Vector3d& g, Scheme scheme) {
    World world;
    world.setGravity({g.x(), g.y(), g.z()});
    world.setIntegrationScheme(scheme);
    SystemSpec spec = modelSpec("double_pendulum");
    for (LinkSpec& link : spec.links) link.gravityCompensation = share;
    ArticulatedSystem* arm = world.addArticulatedSystem(spec);
    Eigen::VectorXd u = Eigen::VectorXd::Constant(arm->getDOF(), 0.7);
    arm->setGeneralizedVelocity(u);
    for (int i = 0; i < 500; ++i) world.integrate();
    return Eigen::VectorXd(arm->getGeneralizedCoordinate());
  };
  for (const Scheme scheme : {Scheme::MIDPOINT, Scheme::RUNGE_KUTTA_4, Scheme::SEMI_IMPLICIT}) {
    const Eigen::VectorXd held = fall(1, {0, 0, -9.81}, scheme);
    const Eigen::VectorXd weightless = fall(0, {0, 0, 0}, scheme);
    EXPECT_LT((held - weightless).norm(), 1e-9);
    EXPECT_GT((held - fall(0.5, {0, 0, -9.81}, scheme)).norm(), 1e-3);
  }
}

}  // namespace
}  // namespace espalier::testing
