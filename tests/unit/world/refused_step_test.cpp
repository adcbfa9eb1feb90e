// A robot or a body whose step cannot be taken keeps its state, and so does what is in contact with
// it; all else in the world moves as if it were alone.

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "espalier/robot/single_body.h"
#include "tests/support/lane_twins.h"
#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

/// Drives a four-bar by 1,000 N m, more than a step of 1 ms can follow.
ArticulatedSystem* addDrivenFourBar(World& world) {
  ArticulatedSystem* robot = world.addArticulatedSystem(modelFile("four_bar"));
  robot->setControlMode(ControlMode::FORCE_AND_TORQUE);
  robot->setActuationLimits(Eigen::VectorXd::Constant(1, 1e9), Eigen::VectorXd::Constant(1, -1e9));
  robot->setGeneralizedForce(Eigen::VectorXd::Constant(1, 1000));
  return robot;
}

/// What a body dropped from rest has fallen after so many steps, by every scheme but EULER and
/// SEMI_IMPLICIT.
double fallen(const World& world) {
  return 0.5 * gravity * world.getWorldTime() * world.getWorldTime();
}

/// A coupling rod on parallel cranks of 0.3 m, 0.2 m apart, as URDF.
std::string coupledCranks(int count) {
  const auto link = [](const std::string& name, const std::string& mass, const std::string& at) {
    return "<link name='" + name + "'><inertial><origin xyz='" + at + "'/><mass value='" + mass +
           "'/><inertia ixx='.01' iyy='.01' izz='.01' ixy='0' ixz='0' iyz='0'/></inertial></link>";
  };
  const auto joint = [](const std::string& name, const std::string& parent,
                        const std::string& child, const std::string& at) {
    return "<joint name='" + name + "' type='continuous'><parent link='" + parent +
           "'/><child link='" + child + "'/><origin xyz='" + at + "'/><axis xyz='0 1 0'/></joint>";
  };
  std::string text = "<robot name='r'><link name='world'/>" + link("rod", "2", ".5 0 0");
  for (int k = 0; k < count; ++k) {
    const std::string n = std::to_string(k), x = std::to_string(0.2 * k) + " 0 0";
    text += link("crank" + n, "1", "0 0 .1") + joint("j" + n, "world", "crank" + n, x);
    if (k == 0) continue;
    text += "<loop name='l" + n + "' type='revolute'><predecessor link='rod'><origin xyz='" + x +
            "'/></predecessor><successor link='crank" + n +
            "'><origin xyz='0 0 .3'/></successor><axis xyz='0 1 0'/></loop>";
  }
  return text + joint("rod_joint", "crank0", "rod", "0 0 .3") + "</robot>";
}

// Where its cranks and the rod lie on one line a step may not be finite, and the robot still turns on.
TEST(RefusedStep, CoupledCranksGetPastTheirChangePoint) {
  World world;
  ArticulatedSystem* robot = world.addArticulatedSystem(coupledCranks(6));
  robot->setGeneralizedVelocity(Eigen::VectorXd::Constant(1, 2));
  int refused = 0, last = 0;
  for (int i = 0; i < 1000; ++i)
    if (world.integrate().refused > 0) ++refused, last = i;
  EXPECT_LT(refused, 20);
  EXPECT_LT(last, 900) << "steps are taken again";
  EXPECT_GT(robot->getGeneralizedCoordinate()[0], 2.5)
      << "the change point is at a quarter of a turn";
}

TEST(RefusedStep, ABallBesideALinkageThatCannotCloseFalls) {
  World world;
  ArticulatedSystem* robot = addDrivenFourBar(world);
  auto* ball = world.addSphere(0.1, 1);
  ball->setPosition(5, 0, 100);
  int refused = 0;
  for (int i = 0; i < 1000; ++i) {
    const StepReport& report = world.integrate();
    refused += report.refused;
    ASSERT_TRUE(report.refused == 0 || report.has(StepFlag::LoopOpen)) << i;
  }
  EXPECT_GT(refused, 0);
  EXPECT_NEAR(ball->getPosition().z(), 100 - fallen(world), 1e-9);
  EXPECT_TRUE(robot->getGeneralizedVelocity().allFinite());
}

TEST(RefusedStep, ALinkageMovesAgainWhenTheLoadIsTakenAway) {
  World world;
  ArticulatedSystem* robot = addDrivenFourBar(world);
  int refused = 0;
  for (int i = 0; i < 300; ++i) refused += world.integrate().refused;
  ASSERT_GT(refused, 0);
  robot->setGeneralizedForce(Eigen::VectorXd::Zero(1));
  for (int i = 0; i < 200; ++i) world.integrate();  // it slows down where it is still too fast
  double way = 0;
  for (int i = 0; i < 500; ++i) {
    const double before = robot->getGeneralizedCoordinate()[0];
    ASSERT_EQ(world.integrate().refused, 0) << i;
    way += std::abs(robot->getGeneralizedCoordinate()[0] - before);
  }
  EXPECT_GT(way, 0.1);
}

/// Each step that is refused takes energy out of the linkage, and leaves its loops closed.
TEST(RefusedStep, ALinkageGainsNoEnergyInIt) {
  World world;
  world.setGravity({0, 0, 0});
  ArticulatedSystem* robot = addDrivenFourBar(world);
  int refused = 0;
  for (int i = 0; i < 1000; ++i) {
    const double before = robot->getKineticEnergy();
    if (world.integrate().refused == 0) continue;
    ++refused;
    ASSERT_LE(robot->getKineticEnergy(), before * (1 + 1e-12)) << i;
    ASSERT_NO_THROW(world.setState(State(world.getState()))) << i;  // refuses loops that are open
  }
  EXPECT_GT(refused, 0);
}

TEST(RefusedStep, ABallBesideOneThatOverflowsFalls) {
  for (const Scheme scheme : {Scheme::MIDPOINT, Scheme::TRAPEZOID, Scheme::RUNGE_KUTTA_4}) {
    World world;
    world.setIntegrationScheme(scheme);
    auto* ball = world.addSphere(0.1, 1);
    ball->setPosition(5, 0, 100);
    auto* wild = world.addSphere(0.1, 1);
    wild->setLinearVelocity({1.7e308, 0, 0});
    int refused = 0;
    for (int i = 0; i < 1500; ++i) {  // its place overflows after 1.06 s
      const StepReport& report = world.integrate();
      refused += report.refused;
      ASSERT_EQ(report.has(StepFlag::NotFinite), report.refused == 1) << i;
    }
    EXPECT_GT(refused, 0);
    EXPECT_NEAR(ball->getPosition().z(), 100 - fallen(world), 1e-9);
  }
}

/// What rests on the ground beside a failing robot is solved as exactly as without it.
TEST(RefusedStep, ContactsElsewhereAreSolved) {
  World world;
  world.addGround();
  ArticulatedSystem* strider = addRobot(world, "strider", 100, 5);
  auto* box = world.addBox(0.2, 0.2, 0.2, 2);
  box->setPosition(4, 0, 0.1);
  box->setLinearVelocity({1, 0, 0});
  World alone;
  alone.addGround();
  auto* other = alone.addBox(0.2, 0.2, 0.2, 2);
  other->setPosition(4, 0, 0.1);
  other->setLinearVelocity({1, 0, 0});
  Eigen::VectorXd tau = Eigen::VectorXd::Zero(strider->getDOF());
  tau[8] = 1e200;
  strider->setActuationLimits(Eigen::VectorXd::Constant(tau.size(), HUGE_VAL),
                              Eigen::VectorXd::Constant(tau.size(), -HUGE_VAL));
  strider->setGeneralizedForce(tau);
  const Eigen::VectorXd start = strider->getGeneralizedCoordinate();
  for (int i = 0; i < 200; ++i) {
    ASSERT_TRUE(world.integrate().has(StepFlag::NotFinite));
    ASSERT_EQ(world.report().refused, 1);
    alone.integrate();
  }
  EXPECT_EQ(strider->getGeneralizedCoordinate(), start);
  EXPECT_LT((box->getPosition() - other->getPosition()).norm(), 1e-9);
}

/// The island goes back together: what pushes on a robot that is put back does not move away from it.
TEST(RefusedStep, TheContactIslandIsRefusedTogether) {
  World world;
  world.addGround();
  auto* low = world.addBox(0.4, 0.3, 0.2, 2);
  low->setPosition(0, 0, 0.1);
  auto* high = world.addBox(0.3, 0.4, 0.2, 1);
  high->setPosition(0, 0, 0.3);
  auto* beside = world.addSphere(0.1, 1);
  beside->setPosition(3, 0, 5);
  for (int i = 0; i < 20; ++i) world.integrate();
  const Eigen::Vector3d pLow = low->getPosition(), pHigh = high->getPosition();
  const double z = beside->getPosition().z();
  high->setExternalTorque(0, {1e308, 1e308, -1e308});
  const StepReport& report = world.integrate();
  ASSERT_TRUE(report.has(StepFlag::NotFinite));
  EXPECT_EQ(report.refused, 2);
  EXPECT_EQ(low->getPosition(), pLow);
  EXPECT_EQ(high->getPosition(), pHigh);
  EXPECT_LT(beside->getPosition().z(), z);
  EXPECT_EQ(report.activeContacts, 0);
  for (int i = 0; i < 50; ++i) {
    ASSERT_EQ(world.integrate().flags, 0u) << i;
    ASSERT_EQ(world.report().refused, 0);
  }
  EXPECT_NEAR(high->getPosition().z(), pHigh.z(), 1e-6);
}

TEST(RefusedStep, IsTheSameInLanes) {
  LaneTwins twins(5, [](World& world, int i) {
    world.setTimeStep(1e-3);
    ArticulatedSystem* robot = addDrivenFourBar(world);
    if (i % 2 == 0) robot->setGeneralizedForce(Eigen::VectorXd::Constant(1, 0.01));
    auto* ball = world.addSphere(0.1, 1);
    ball->setPosition(5, 0, 100);
  });
  int refused = 0;
  EXPECT_TRUE(twins.expectSame(600, [&](World& world, int i) {
    refused += i % 2 == 1 ? world.report().refused : 0;
    EXPECT_TRUE(i % 2 == 1 || world.report().refused == 0);
  }));
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace espalier::testing
