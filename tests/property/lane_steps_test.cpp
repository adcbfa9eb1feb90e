// A world's steps are the same to the bit in lanes and alone: whatever the robot, the scheme
// and what it touches, with neighbours that do something else, as many as there are.

#include <gtest/gtest.h>

#include "tests/support/four_bar.h"
#include "tests/support/lane_twins.h"
#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

/// Robots from models/ on the ground, each a little higher than the one before and otherwise moving.
void fill(World& world, int i, const std::string& model, Scheme scheme, double kp) {
  world.setIntegrationScheme(scheme);
  world.setTimeStep(1e-3);
  world.addGround();
  ArticulatedSystem& robot = *addRobot(world, model, kp, 0.05 * kp);
  if (robot.model().topology.floating) {
    Eigen::VectorXd q = robot.getGeneralizedCoordinate();
    q[2] += 0.004 * i;
    robot.setGeneralizedCoordinate(q);
  }
  Eigen::VectorXd u(robot.getDOF());
  for (int d = 0; d < u.size(); ++d) u[d] = 0.05 * i * std::sin(1.0 + 3 * d + i);
  robot.setGeneralizedVelocity(u);
}

struct Case {
  std::string model;
  double kp;
  bool touches;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.model; }

class RobotsInLanes : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(
    Models, RobotsInLanes,
    ::testing::Values(Case{"strider", 100, true}, Case{"quadruped", 60, true},
                      Case{"biped", 200, true}, Case{"geared_strider", 100, true},
                      Case{"geared_biped", 100, true}, Case{"beest", 0, true},
                      Case{"arm7", 50, false}, Case{"chain20", 0, false},
                      Case{"cartpole", 0, false}, Case{"delta", 0, false},
                      Case{"slider_crank", 0, false}, Case{"tello_leg", 0, false},
                      Case{"differential_leg", 0, false}, Case{"linkage_arm", 20, false},
                      Case{"revolute_triple_with_rotor", 0, false}),
    [](const auto& c) { return c.param.model; });

TEST_P(RobotsInLanes, HaveTheBitsOfWorldsAlone) {
  const auto& [model, kp, touches] = GetParam();
  for (const Scheme scheme : {Scheme::MIDPOINT, Scheme::SEMI_IMPLICIT}) {
    LaneTwins twins(11, [&](World& world, int i) { fill(world, i, model, scheme, kp); });
    EXPECT_TRUE(twins.expectSame(150));
    EXPECT_EQ(twins.contacts > 0, touches);
    EXPECT_LT(twins.steppedAlone, 15);  // of 1,650
  }
}

TEST(WorldsInLanes, JointsThatSlideAndStopComeToTheSame) {
  for (const char* model : {"arm7", "biped", "delta"}) {
    LaneTwins twins(11, [&](World& world, int i) {
      fill(world, i, model, Scheme::MIDPOINT, 0);
      ArticulatedSystem& robot = *world.system(0);
      Eigen::VectorXd dry = Eigen::VectorXd::Constant(robot.getDOF(), 0.1 + 0.05 * (i % 3));
      if (robot.model().topology.floating) dry.head<6>().setZero();
      robot.setJointFriction(dry);
    });
    EXPECT_TRUE(twins.expectSame(300)) << model;
  }
}

TEST(WorldsInLanes, EverySchemeComesToTheSame) {
  for (const Scheme scheme : {Scheme::TRAPEZOID, Scheme::EULER, Scheme::RUNGE_KUTTA_4})
    for (const char* model : {"strider", "geared_biped"}) {
      LaneTwins twins(5, [&](World& world, int i) { fill(world, i, model, scheme, 100); });
      EXPECT_TRUE(twins.expectSame(60));
      const bool hasLoops = !twins.inLanes(0).system(0)->model().mechanism.isTree();
      EXPECT_EQ(twins.steppedAlone, hasLoops && scheme == Scheme::RUNGE_KUTTA_4 ? 300 : 0) << model;
    }
}

/// Falling on their sides, into their limits; no two touch the same way for long.
TEST(WorldsInLanes, HasTheScalarBitsInHeaps) {
  for (const char* model : {"strider", "geared_biped"}) {
    LaneTwins twins(6, [&](World& world, int i) {
      fill(world, i, model, Scheme::MIDPOINT, 0);
      ArticulatedSystem& robot = *world.system(0);
      Eigen::VectorXd q = robot.getGeneralizedCoordinate();
      q.segment<4>(3) = Eigen::Vector4d(1, 0.4 * i, 0.2, 0).normalized();
      q[2] += 0.1;
      robot.setGeneralizedCoordinate(q);
    });
    EXPECT_TRUE(twins.expectSame(800));
    EXPECT_GT(twins.solvedAlone, 100);
    EXPECT_GT(twins.contacts, 1000);
  }
}

/// Beside worlds that stand, lie and fly.
TEST(WorldsInLanes, NeighboursMayBeElsewhere) {
  LaneTwins twins(8, [&](World& world, int i) {
    fill(world, 0, "strider", Scheme::MIDPOINT, 100);
    ArticulatedSystem& robot = *world.system(0);
    Eigen::VectorXd q = robot.getGeneralizedCoordinate();
    if (i % 3 == 1) q[2] += 5;
    if (i % 3 == 2) q.segment<4>(3) = Eigen::Vector4d(1, 1, 0, 0).normalized();
    robot.setGeneralizedCoordinate(q);
  });
  EXPECT_TRUE(twins.expectSame(500));
  EXPECT_EQ(twins.steppedAlone, 0);
  EXPECT_LT(twins.solvedAlone, 2500);
}

/// Whom a linkage's dead points and change points concern steps alone there, and then in a lane again.
TEST(WorldsInLanes, HasTheScalarBitsAtDeadAndChangePoints) {
  const FourBarOptions flat{.crank = 1, .coupler = 2, .rocker = 1, .ground = 2};
  const FourBarOptions rocks{.crank = 0.25, .coupler = 0.35, .rocker = 0.25, .ground = 0.3};
  for (const FourBarOptions& sides : {flat, rocks}) {
    LaneTwins twins(5, [&](World& world, int i) {
      world.setGravity({0, 0, 0});
      world.setTimeStep(1e-3);
      ArticulatedSystem& robot = *world.addArticulatedSystem(fourBar(sides));
      robot.setGeneralizedCoordinate({0.8});
      robot.setGeneralizedVelocity({4.0 + i});
    });
    EXPECT_TRUE(twins.expectSame(3000));
    EXPECT_GT(twins.steppedAlone, 10);
    EXPECT_LT(twins.steppedAlone, 12000);
  }
}

/// A beest walks, its crank driven: many legs, the predictor and changing feet.
TEST(WorldsInLanes, WalkingComesToTheSame) {
  LaneTwins twins(3, [&](World& world, int i) { fill(world, i, "beest", Scheme::MIDPOINT, 0); });
  const auto drive = [](World& world, int i) {
    ArticulatedSystem& robot = *world.system(0);
    Eigen::VectorXd tau = Eigen::VectorXd::Zero(robot.getDOF());
    tau[6] = 20 * (3 - 0.5 * i - robot.getGeneralizedVelocity()[6]);
    robot.setControlMode(ControlMode::FORCE_AND_TORQUE);
    robot.setGeneralizedForce(tau);
  };
  EXPECT_TRUE(twins.expectSame(1000, drive));
  EXPECT_LT(twins.steppedAlone, 30);
}

}  // namespace
}  // namespace espalier::testing
