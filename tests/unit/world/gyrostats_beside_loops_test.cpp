// A robot with closed loops does with rotors that are constants of joints what it does with rotors as
// bodies of the loops' clusters.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "espalier/robot/articulated_refs.h"
#include "tests/support/rotor_twins.h"

namespace espalier {
namespace {

using Eigen::VectorXd;
using testing::ownRobot;
using testing::Twins;
using testing::waves;

/// 25 rotors, belt knees, ankles that two push-rods drive each; above the ground, in some motion.
struct Biped : Twins {
  explicit Biped(SystemSpec spec = ownRobot("geared_biped")) : Twins(std::move(spec)) {
    VectorXd q = robots[0]->getGeneralizedCoordinate();
    q[2] = 0.95;
    q.tail(q.size() - 7) += waves(static_cast<int>(q.size()) - 7, 0.3, 0.1);
    setState(q, waves(robots[0]->getDOF(), 1.1, 0.4));
    EXPECT_EQ(robots[0]->getRotorNames().size(), 25u);
  }
};

TEST(GyrostatsBesideLoops, FlyAsWithBodies) {
  for (const Scheme scheme : {Scheme::SEMI_IMPLICIT, Scheme::MIDPOINT, Scheme::RUNGE_KUTTA_4}) {
    Biped t;
    for (World& world : t.worlds) world.setIntegrationScheme(scheme);
    t.step(200);
    t.expectSameState(1e-11);
    EXPECT_EQ(t.worlds[0].report().flags, t.worlds[1].report().flags);
    EXPECT_LT(t.worlds[0].report().closure, 1e-12);
  }
}

/// Loops that are rows of the contact problem.
TEST(GyrostatsBesideLoops, AreThoseOfBodiesBesideRowsToo) {
  SystemSpec spec = ownRobot("geared_biped");
  for (LoopSpec& loop : spec.loops) loop.isBilateral = true;
  Twins t(spec);
  EXPECT_EQ(t.robots[0]->getRotorNames().size(), 25u);
  EXPECT_EQ(t.robots[0]->getDOF(), 43);
  t.step(200);  // it falls, and hangs in its loops
  t.expectSameState(1e-9);
  EXPECT_LT(t.worlds[0].report().closure, 1e-8);
}

TEST(GyrostatsBesideLoops, KeepTheirMomentum) { Biped().expectMomentumKept(); }

TEST(GyrostatsBesideLoops, FallAndStandAsWithBodies) {
  Biped t;
  const int n = t.robots[0]->getDOF();
  for (int i = 0; i < 2; ++i) {
    t.worlds[i].addGround();
    t.robots[i]->setPdTarget(t.robots[0]->getGeneralizedCoordinate(), VectorXd::Zero(n));
    VectorXd kp = VectorXd::Constant(n, 400), kd = VectorXd::Constant(n, 20);
    kp.head(6).setZero();
    kd.head(6).setZero();
    t.robots[i]->setPdGains(kp, kd);
    t.robots[i]->setControlMode(ControlMode::PD_PLUS_FEEDFORWARD_TORQUE);
  }
  t.step(400);
  t.expectSameState(1e-9);
  EXPECT_GT(t.worlds[0].report().contacts, 0);
}

TEST(GyrostatsBesideLoops, FramesTurn) { Biped().expectFramesTurn(1e-11); }

TEST(GyrostatsBesideLoops, QueriesSayTheSame) {
  Biped t;
  for (World& world : t.worlds) world.integrate1();
  const auto expectSame = [&](auto&& ask) {
    const Eigen::MatrixXd a = ask(*t.robots[0]), b = ask(*t.robots[1]);
    EXPECT_LT((a - b).norm(), 1e-10 * (1 + b.norm()));
  };
  expectSame([](ArticulatedSystem& r) { return Eigen::MatrixXd(r.getMassMatrix()); });
  expectSame([](ArticulatedSystem& r) {
    return Eigen::MatrixXd(r.getNonlinearities({0, 0, -9.81}));
  });
  expectSame([](ArticulatedSystem& r) {
    return Eigen::MatrixXd(r.inverseOperationalSpaceInertiaMatrix({"L_knee", "R_ankle_roll"}));
  });
  EXPECT_NEAR(t.robots[0]->getEnergy({0, 0, -9.81}), t.robots[1]->getEnergy({0, 0, -9.81}), 1e-10);
}

/// A crank of an ankle swings, its rotor with it; how far and how fast it may.
TEST(GyrostatsBesideLoops, LimitsOfRotorsHold) {
  const std::string rotor = "L_left_crank_rotor";
  const double start = Biped().robots[0]->getJoint(rotor).getJointAngle();
  const auto swing = [&](double furthest, double fastest) {
    SystemSpec spec = ownRobot("geared_biped");
    for (JointSpec& joint : spec.joints)
      if (joint.name == rotor) {
        joint.limits.upper = furthest;
        joint.limits.velocity = fastest;
      }
    Biped t(std::move(spec));
    for (ArticulatedSystem* robot : t.robots) {
      robot->enforceJointVelocityLimits(true);
      robot->getJoint("L_left_crank").setJointVelocity(VectorXd::Constant(1, 4));
    }
    double most = -HUGE_VAL, rate = 0;
    for (int i = 0; i < 100; ++i) {
      t.step(1);
      most = std::max(most, t.robots[0]->getJoint(rotor).getJointAngle());
      rate = std::max(rate, t.robots[0]->getJoint(rotor).getJointVelocity()[0]);
    }
    t.expectSameState(1e-8);
    return std::pair(most, rate);
  };
  const auto [most, rate] = swing(1e3, 1e3);
  EXPECT_GT(most, start + 0.4);
  EXPECT_GT(rate, 15);
  EXPECT_LT(swing(start + 0.3, 1e3).first, start + 0.3 + 1e-3);
  EXPECT_LT(swing(1e3, 10).second, 10 + 1e-9);
}

}  // namespace
}  // namespace espalier
