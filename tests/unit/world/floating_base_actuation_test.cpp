// What a floating base has no motors for is not read; what takes up PD mode; what no other test
// reads back.

#include <gtest/gtest.h>

#include <limits>

#include "tests/support/four_bar.h"
#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct FloatingBase : ::testing::Test {
  World world, twin;
  ArticulatedSystem *robot = addRobot(world, "strider", 100, 2),
                    *same = addRobot(twin, "strider", 100, 2);
  const int nv = 18, nq = 19;
  const Eigen::VectorXd q = nominal("strider"), u = Eigen::VectorXd::Constant(18, 0.1);

  /// With NaN in the base's places.
  static Eigen::VectorXd spoilt(Eigen::VectorXd v, int base) {
    v.head(base).setConstant(nan);
    return v;
  }
  void expectSameMotion() {
    for (int i = 0; i < 50; ++i) {
      world.integrate();
      twin.integrate();
      ASSERT_EQ(world.stateHash(), twin.stateHash()) << i;
      ASSERT_EQ(world.report().flags, 0u);
    }
  }
};

TEST_F(FloatingBase, GainsTargetsAndLimitsOfItAreNotRead) {
  const Eigen::VectorXd kp = Eigen::VectorXd::Constant(nv, 60), kd = 0.05 * kp,
                        most = Eigen::VectorXd::Constant(nv, 30),
                        fast = Eigen::VectorXd::Constant(nv, 20);
  std::vector<Vec<2>> limits(13, Vec<2>(-2.9, 2.9));
  limits[0] =
      Vec<2>(-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity());
  same->setPdGains(kp, kd);
  same->setPdTarget(q, u);
  same->setActuationLimits(most, -most);
  same->setJointVelocityLimits(fast);
  same->enforceJointVelocityLimits(true);
  same->setJointLimits(limits);
  limits[0] = Vec<2>(nan, nan);
  robot->setPdGains(spoilt(kp, 6), spoilt(kd, 6));
  robot->setPdTarget(spoilt(q, 7), spoilt(u, 6));
  robot->setActuationLimits(spoilt(most, 6), spoilt(-most, 6));
  robot->setJointVelocityLimits(spoilt(fast, 6));
  robot->enforceJointVelocityLimits(true);
  robot->setJointLimits(limits);
  expectSameMotion();
  robot->setPTarget(spoilt(q, 7));
  robot->setDTarget(spoilt(u, 6));
  robot->setPGains(spoilt(kp, 6));
  robot->setDGains(spoilt(kd, 6));
  expectSameMotion();
  robot->setSpanningPdGains(spoilt(kp, 6), spoilt(kd, 6));
  robot->setSpanningPdTarget(spoilt(q, 7), spoilt(u, 6));
  expectSameMotion();
  Eigen::VectorXd p, d;
  robot->getPdGains(p, d);
  EXPECT_EQ(p.head(6).norm() + d.head(6).norm(), 0);
  EXPECT_EQ(p.tail(12), kp.tail(12));
  robot->getPdTarget(p, d);
  EXPECT_EQ(d.head(6).norm(), 0);
  EXPECT_EQ(p[3], 1);
  EXPECT_LT((p.tail(12) - q.tail(12)).norm(), 1e-15);
  EXPECT_EQ(robot->getActuationUpperLimits()[5], std::numeric_limits<double>::infinity());
  EXPECT_EQ(robot->getActuationLowerLimits()[17], -30);
  EXPECT_EQ(robot->getJointVelocityLimits()[6], 20);
}

TEST_F(FloatingBase, JointsAreReadAsEver) {
  Eigen::VectorXd kp = Eigen::VectorXd::Constant(nv, 60);
  kp[6] = nan;
  EXPECT_THROW(robot->setPdGains(kp, u), std::invalid_argument);
  kp[6] = -1;
  EXPECT_THROW(robot->setPGains(kp), std::invalid_argument);
  EXPECT_THROW(robot->setActuationLimits(kp, -kp), std::invalid_argument);
  EXPECT_THROW(robot->setJointVelocityLimits(kp), std::invalid_argument);
  Eigen::VectorXd target = q;
  target[7] = nan;
  EXPECT_THROW(robot->setPTarget(target), std::invalid_argument);
  // What acts on the base is checked: the generalized force, dampers, dry friction.
  EXPECT_THROW(robot->setGeneralizedForce(spoilt(u, 6)), std::invalid_argument);
  EXPECT_THROW(robot->setJointDamping(spoilt(u, 6)), std::invalid_argument);
  EXPECT_THROW(robot->setJointFriction(spoilt(u, 6)), std::invalid_argument);
  expectSameMotion();
}

TEST(ControlModes, TargetsTakeUpPd) {
  World world;
  ArticulatedSystem* ball =
      world.addArticulatedSystem(jointedBody(JointKind::Revolute, SphereShape{0.1}, 2, {1, 0, 0}));
  const auto isPd = [&] {
    const bool is = ball->getControlMode() == ControlMode::PD_PLUS_FEEDFORWARD_TORQUE;
    ball->setControlMode(ControlMode::FORCE_AND_TORQUE);
    return is;
  };
  ball->setPTarget(VecDyn{0.1});
  EXPECT_TRUE(isPd());
  ball->setDTarget(VecDyn{0.1});
  EXPECT_TRUE(isPd());
  ball->setPdTarget(VecDyn{0.1}, VecDyn{0.1});
  EXPECT_TRUE(isPd());
  ball->setSpanningPdTarget(VecDyn{0.1}, VecDyn{0.1});
  EXPECT_TRUE(isPd());
  ball->setPGains(VecDyn{5});
  ball->setDGains(VecDyn{5});
  EXPECT_FALSE(isPd());
  EXPECT_THROW(ball->setPTarget(VecDyn{nan}), std::invalid_argument);
  EXPECT_THROW(ball->setDTarget(VecDyn{nan}), std::invalid_argument);
  EXPECT_FALSE(isPd()) << "what is refused changes nothing";
}

// The target of the velocity alone: a damper towards it.
TEST(ControlModes, AVelocityTargetIsReached) {
  World world;
  world.setGravity({0, 0, 0});
  ArticulatedSystem* ball =
      world.addArticulatedSystem(jointedBody(JointKind::Revolute, SphereShape{0.1}, 2, {1, 0, 0}));
  ball->setDGains(VecDyn{1});
  ball->setDTarget(VecDyn{0.7});
  for (int i = 0; i < 500; ++i) world.integrate();
  EXPECT_NEAR(ball->getGeneralizedVelocity()[0], 0.7, 1e-9);
  EXPECT_NEAR(ball->getAppliedGeneralizedForce()[0], 0, 1e-9);
}

TEST(ControlModes, TorqueLimitsAreReadBack) {
  World world;
  ArticulatedSystem* robot = addRobot(world, "arm7", 10, 1);
  EXPECT_EQ(robot->getTorqueLimits(), TorqueLimits::COMMAND);
  robot->setTorqueLimits(TorqueLimits::EXACT);
  EXPECT_EQ(robot->getTorqueLimits(), TorqueLimits::EXACT);
}

// A force on every joint of a linkage does the work of the force on its leader: with
// tau_y = G' tau the motion is the same, and what was applied is what was set.
TEST(SpanningForces, DoTheWorkOfTheForceOnTheLeader) {
  World spanning, reduced;
  ArticulatedSystem* all = spanning.addArticulatedSystem(fourBar({}));
  ArticulatedSystem* leader = reduced.addArticulatedSystem(fourBar({}));
  const int n = all->getSpanningDOF();
  ASSERT_GT(n, all->getDOF());
  const Eigen::VectorXd tau = Eigen::VectorXd::LinSpaced(n, -0.3, 0.4);
  all->setGeneralizedVelocity({1.0});
  leader->setGeneralizedVelocity({1.0});
  const Eigen::VectorXd G = all->getSpanningVelocity();  // of a unit rate
  all->setSpanningForce(tau);
  leader->setGeneralizedForce({G.dot(tau)});
  spanning.integrate();
  reduced.integrate();
  EXPECT_EQ(all->getSpanningAppliedForce(), tau);
  // G is that at the start, the step's that at its middle.
  const double change = all->getGeneralizedVelocity()[0] - 1;
  EXPECT_NEAR(change, leader->getGeneralizedVelocity()[0] - 1, 1e-2 * std::abs(change));
  Eigen::VectorXd bad = tau;
  bad[n - 1] = nan;
  EXPECT_THROW(all->setSpanningForce(bad), std::invalid_argument);
}

TEST(BasePosition, IsSetByEitherName) {
  World world;
  ArticulatedSystem* ball = world.addArticulatedSystem(freeBody("ball", SphereShape{0.1}, 1));
  ball->setBasePosition({1, 2, 3});
  EXPECT_EQ(ball->getBasePosition(), Vec<3>(1, 2, 3));
  ball->setBasePos_e(Eigen::Vector3d(3, 2, 1));
  EXPECT_EQ(ball->getBasePosition(), Vec<3>(3, 2, 1));
  EXPECT_THROW(ball->setBasePosition({nan, 0, 0}), std::invalid_argument);
}

// RaiSim's forms with a body's index: the same wrench.
TEST(SingleBodyForces, InRaiSimsForms) {
  World plain, indexed;
  SingleBodyObject *a = plain.addBox(0.2, 0.3, 0.4, 2), *b = indexed.addBox(0.2, 0.3, 0.4, 2);
  for (int i = 0; i < 20; ++i) {
    a->setExternalForce({5, 0, 1});
    a->setExternalForce(Eigen::Vector3d(0, 0, 3), Eigen::Vector3d(0.1, 0, 0));
    a->setExternalTorque({0, 0.2, 0});
    b->setExternalForce(0, {5, 0, 1});
    b->setExternalForce(0, {0.1, 0, 0}, {0, 0, 3});
    b->setExternalTorque(0, {0, 0.2, 0});
    plain.integrate();
    indexed.integrate();
    ASSERT_EQ(plain.stateHash(), indexed.stateHash()) << i;
  }
  Vec<3> p;
  b->getPosition(0, p);
  EXPECT_EQ(p, b->getPosition());
  EXPECT_THROW(b->getPosition(1, p), std::invalid_argument);
  EXPECT_GT(b->getLinearVelocity().x(), 0.01);
  EXPECT_GT(b->getAngularVelocity().norm(), 0.01);
  EXPECT_THROW(b->setExternalForce(1, {5, 0, 0}), std::invalid_argument);
  EXPECT_THROW(b->setExternalForce(-1, {0, 0, 0}, {5, 0, 0}), std::invalid_argument);
  EXPECT_THROW(b->setExternalTorque(1, {5, 0, 0}), std::invalid_argument);
}

TEST(LargeSlop, IsRemarkedOnOnce) {
  World world;
  const auto warnings = [&] { return world.diagnostics().count(Severity::Warning); };
  world.setERP(0.2, 1e-3);
  EXPECT_EQ(warnings(), 0);
  world.setERP(0.3, 0.002);
  EXPECT_EQ(warnings(), 1);
  EXPECT_NE(world.diagnostics().toString().find("erp2"), std::string::npos);
  world.integrate();
  EXPECT_EQ(warnings(), 1);
  world.setERP(0.2);
  EXPECT_EQ(warnings(), 0);
}

}  // namespace
}  // namespace espalier::testing
