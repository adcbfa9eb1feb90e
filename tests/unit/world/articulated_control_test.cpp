// What drives a system, and what its joints have of their own.

#include <gtest/gtest.h>

#include <limits>

#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// A ball of 2 kg and inertia I = 0.008 on a hinge about x through its middle; no gravity.
struct Hinge {
  World world;
  ArticulatedSystem* ball;
  const double I = 0.4 * 2 * 0.01;
  Hinge() {
    world.setGravity({0, 0, 0});
    ball = world.addArticulatedSystem(
        jointedBody(JointKind::Revolute, SphereShape{0.1}, 2, {1, 0, 0}));
  }
  double rate() const { return ball->getGeneralizedVelocity()[0]; }
  double angle() const { return ball->getGeneralizedCoordinate()[0]; }
  void run(int steps) {
    for (int i = 0; i < steps; ++i) world.integrate();
  }
};

// ---- actuation

TEST(Actuation, GainsTakeUpTheMode) {
  Hinge h;
  EXPECT_EQ(h.ball->getControlMode(), ControlMode::FORCE_AND_TORQUE);
  h.ball->setPGains(VecDyn{10});
  h.ball->setDGains(VecDyn{1});
  EXPECT_EQ(h.ball->getControlMode(), ControlMode::FORCE_AND_TORQUE);
  h.ball->setPdGains(VecDyn{20}, VecDyn{2});
  EXPECT_EQ(h.ball->getControlMode(), ControlMode::PD_PLUS_FEEDFORWARD_TORQUE);
  Eigen::VectorXd kp, kd, q, u;
  h.ball->getPdGains(kp, kd);
  EXPECT_EQ(kp[0], 20);
  EXPECT_EQ(kd[0], 2);
  h.ball->setPdTarget(VecDyn{0.5}, VecDyn{0.25});
  h.ball->getPdTarget(q, u);
  EXPECT_EQ(q[0], 0.5);
  EXPECT_EQ(u[0], 0.25);
  EXPECT_THROW(h.ball->setPdGains(VecDyn{1}, VecDyn{-1}), std::invalid_argument);
  h.ball->getPdGains(kp, kd);
  EXPECT_EQ(kp[0], 20) << "nothing of a refused call stays";
}

TEST(Actuation, CommandIsFeedforwardAndPdWithinLimits) {
  Hinge h;
  h.ball->setState(VecDyn{0.1}, VecDyn{-0.2});
  h.ball->setPdGains(VecDyn{20}, VecDyn{2});
  h.ball->setPdTarget(VecDyn{0.5}, VecDyn{0.25});
  h.ball->setGeneralizedForce({3});
  EXPECT_NEAR(h.ball->getGeneralizedForce()[0], 3 + 20 * 0.4 + 2 * 0.45, 1e-13);
  EXPECT_EQ(h.ball->getFeedForwardGeneralizedForce()[0], 3);
  h.ball->setActuationLimits(VecDyn{7}, VecDyn{-1});
  EXPECT_EQ(h.ball->getActuationUpperLimits()[0], 7);
  EXPECT_EQ(h.ball->getActuationLowerLimits()[0], -1);
  EXPECT_EQ(h.ball->getGeneralizedForce()[0], 7);
  h.ball->setControlMode(ControlMode::FORCE_AND_TORQUE);
  EXPECT_EQ(h.ball->getGeneralizedForce()[0], 3);
  h.ball->setGeneralizedForce({-3});
  EXPECT_EQ(h.ball->getGeneralizedForce()[0], -1);
}

TEST(Actuation, AFloatingBasesGainsRest) {
  World world;
  ArticulatedSystem* ball = world.addArticulatedSystem(freeBody("ball", SphereShape{0.1}, 2));
  ball->setPdGains(VecDyn::Constant(6, 50), VecDyn::Constant(6, 5));
  EXPECT_EQ(ball->getGeneralizedForce().norm(), 0);
  EXPECT_EQ(ball->getDampedMassMatrix(), ball->getMassMatrix());
}

TEST(Actuation, SchemeIsTheWorlds) {
  Hinge h;
  h.ball->setIntegrationScheme(ArticulatedSystem::IntegrationScheme::SEMI_IMPLICIT);
  EXPECT_EQ(h.world.getIntegrationScheme(), Scheme::SEMI_IMPLICIT);
}

// ---- limits

TEST(JointLimits, AreSetReadAndKept) {
  Hinge h;
  EXPECT_EQ(h.ball->getJointLimits()[1], Vec<2>(-infinite, infinite));
  h.ball->setJointLimits({Vec<2>(-infinite, infinite), Vec<2>(-0.3, 0.2)});
  EXPECT_EQ(h.ball->getJointLimits()[1], Vec<2>(-0.3, 0.2));
  EXPECT_TRUE(h.ball->getJointLimitViolations().empty());
  h.ball->setGeneralizedForce({0.5});
  h.run(3000);
  EXPECT_NEAR(h.angle(), 0.2, 1e-6);
  const auto violations = h.ball->getJointLimitViolations();
  ASSERT_EQ(violations.size(), 1u);
  EXPECT_EQ(violations[0].jointId, 1);
  EXPECT_EQ(violations[0].dof, 0);
  EXPECT_TRUE(violations[0].isUpper);
  EXPECT_NEAR(violations[0].impulse, 0.5 * h.world.getTimeStep(), 1e-9) << "holds the torque";
  h.ball->setGeneralizedForce({-0.5});
  h.run(3000);
  EXPECT_NEAR(h.angle(), -0.3, 1e-6);
  EXPECT_FALSE(h.ball->getJointLimitViolations().at(0).isUpper);
  h.ball->setGeneralizedCoordinate({0.5});
  EXPECT_NEAR(h.ball->getJointLimitViolations().at(0).depth, 0.3, 1e-12);
  EXPECT_THROW(h.ball->setJointLimits({Vec<2>(0, 0), Vec<2>(1, -1)}), std::invalid_argument);
  EXPECT_THROW(h.ball->setJointLimits({}), std::invalid_argument);
}

TEST(JointLimits, AFloatingJointHasNone) {
  World world;
  ArticulatedSystem* body =
      world.addArticulatedSystem(jointedBody(JointKind::Floating, SphereShape{0.1}, 2));
  EXPECT_THROW(body->setJointLimits({Vec<2>(-infinite, infinite), Vec<2>(-1, 1)}),
               std::invalid_argument);
}

TEST(JointLimits, OfVelocityActWhenEnforced) {
  for (const bool enforced : {false, true}) {
    Hinge h;
    h.ball->setJointVelocityLimits(VecDyn{2});
    EXPECT_EQ(h.ball->getJointVelocityLimits()[0], 2);
    if (enforced) h.ball->enforceJointVelocityLimits(true);
    h.ball->setGeneralizedForce({0.08});
    h.run(1000);
    EXPECT_NEAR(h.rate(), enforced ? 2 : 0.08 / h.I, 1e-6);
  }
}

// ---- dampers, friction, springs

TEST(JointDamping, IsTheRateAtWhichATorqueIsHeld) {
  Hinge h;
  h.ball->setJointDamping(VecDyn{0.04});
  EXPECT_EQ(h.ball->getJointDamping()[0], 0.04);
  h.ball->setGeneralizedForce({0.1});
  h.run(5000);
  EXPECT_NEAR(h.rate(), 0.1 / 0.04, 1e-8);
  EXPECT_NO_THROW(h.ball->setJointDamping(VecDyn{-1})) << "as files may have it";
  EXPECT_THROW(h.ball->setJointDamping(VecDyn{std::nan("")}), std::invalid_argument);
}

TEST(JointFriction, HoldsUntilItIsExceeded) {
  Hinge h;
  h.ball->setJointFriction(VecDyn{0.05});
  EXPECT_EQ(h.ball->getJointFriction()[0], 0.05);
  h.ball->setGeneralizedForce({0.049});
  h.run(100);
  EXPECT_NEAR(h.rate(), 0, 1e-9);
  h.ball->setGeneralizedForce({0.07});
  h.run(1000);
  EXPECT_NEAR(h.rate(), (0.07 - 0.05) / h.I, 1e-6);
}

TEST(Springs, HoldATorqueAtTheirDeflection) {
  Hinge h;
  h.ball->setSpringStiffness(VecDyn{2});
  h.ball->setSpringMount(VecDyn{0.3});
  h.ball->setJointDamping(VecDyn{0.05});
  EXPECT_EQ(h.ball->getSpringStiffness()[0], 2);
  EXPECT_EQ(h.ball->getSpringMount()[0], 0.3);
  h.ball->setGeneralizedForce({0.1});
  h.run(10000);
  EXPECT_NEAR(h.angle(), 0.3 + 0.1 / 2, 1e-8);
}

TEST(Springs, OneIsAddedToAJoint) {
  World world;
  world.setGravity({0, 0, 0});
  ArticulatedSystem* ball =
      world.addArticulatedSystem(jointedBody(JointKind::Spherical, SphereShape{0.1}, 2));
  EXPECT_TRUE(ball->getSprings().empty());
  SpringElement spring;
  spring.childBodyId = 1;
  spring.stiffness = 3;
  spring.setSpringMount({0.8, 0.6, 0, 0});
  ball->addSpring(spring);
  ASSERT_EQ(ball->getSprings().size(), 1u);
  EXPECT_EQ(ball->getSprings()[0].getSpringMount(), Eigen::Vector4d(0.8, 0.6, 0, 0));
  EXPECT_EQ(ball->getSpringStiffness(), VecDyn({3, 3, 3}));
  EXPECT_THROW(ball->addSpring(spring), std::invalid_argument) << "it has one";
  ball->setJointDamping(VecDyn::Constant(3, 0.1));
  for (int i = 0; i < 3000; ++i) world.integrate();
  EXPECT_LT((ball->getGeneralizedCoordinate() - VecDyn({0.8, 0.6, 0, 0})).norm(), 1e-8);
}

}  // namespace
}  // namespace espalier::testing
