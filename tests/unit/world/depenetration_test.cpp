// Penetration is removed at no more than a settable speed.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "espalier/robot/single_body.h"
#include "tests/support/source_folder.h"
#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

/// Height that a box of 0.2 m reaches which starts 0.1 m deep in the ground.
double heightReached(Scheme scheme, double speed) {
  World world;
  world.setIntegrationScheme(scheme);
  world.setERP(0.2);
  if (speed > 0) world.setMaxDepenetrationVelocity(speed);
  world.addGround();
  auto* box = world.addBox(0.2, 0.2, 0.2, 1);
  box->setPosition(0, 0, 0);
  double most = 0;
  for (int i = 0; i < 3000; ++i) {
    world.integrate();
    most = std::max(most, box->getPosition().z());
  }
  EXPECT_NEAR(box->getPosition().z(), 0.1, 1e-3);
  return most;
}

TEST(Depenetration, ABoxInTheGroundIsNotThrownUp) {
  for (const Scheme scheme : {Scheme::MIDPOINT, Scheme::TRAPEZOID, Scheme::SEMI_IMPLICIT}) {
    // It leaves the ground at 3 m/s, with its centre no higher than 0.1 m.
    EXPECT_LE(heightReached(scheme, 0), 0.1 + 9 / (2 * gravity) + 0.01);
    EXPECT_LE(heightReached(scheme, 0.5), 0.1 + 0.25 / (2 * gravity) + 0.01);
  }
}

TEST(Depenetration, WithoutABoundErpAloneSaysHowFast) {
  World world;
  world.setMaxDepenetrationVelocity(std::numeric_limits<double>::infinity());
  world.addGround();
  auto* box = world.addBox(0.2, 0.2, 0.2, 1);
  box->setPosition(0, 0, 0);
  world.integrate();
  EXPECT_NEAR(box->getLinearVelocity().z(), 0.2 * 0.1 / 1e-3, 1e-6);
  EXPECT_TRUE(std::isinf(world.getMaxDepenetrationVelocity()));
}

/// Shallow penetrations, which every heap has, are removed as before.
TEST(Depenetration, DoesNotBoundSlowerBodies) {
  World world;
  world.addGround();
  auto* box = world.addBox(0.2, 0.2, 0.2, 1);
  box->setPosition(0, 0, 0.1 - 1e-3);
  world.integrate();
  EXPECT_NEAR(box->getLinearVelocity().z(), 0.2 * 1e-3 / 1e-3, 1e-9);
}

TEST(Depenetration, OfAJointBeyondItsLimit) {
  World world;
  world.setGravity({0, 0, 0});
  SystemSpec spec = jointedBody(JointKind::Revolute, BoxShape{{0.1, 0.2, 0.3}}, 1);
  spec.joints[0].limits.lower = -0.1;
  spec.joints[0].limits.upper = 0.1;
  ArticulatedSystem* robot = world.addArticulatedSystem(spec);
  robot->setState(Eigen::VectorXd::Constant(1, 1.1), Eigen::VectorXd::Zero(1));
  world.integrate();
  EXPECT_NEAR(robot->getGeneralizedVelocity()[0], -3, 1e-9);
  world.setMaxDepenetrationVelocity(0.5);
  robot->setState(Eigen::VectorXd::Constant(1, 1.1), Eigen::VectorXd::Zero(1));
  world.integrate();
  EXPECT_NEAR(robot->getGeneralizedVelocity()[0], -0.5, 1e-9);
}

/// A quadruped with its base at the height of the ground, or above: legs bent alike, or each in its own way.
/// All of its contacts can rise at once.
void expectPushedOut(double height, unsigned seed, double weight) {
  World world;
  world.setGravity({0, 0, -weight});
  world.addGround();
  ArticulatedSystem* robot =
      world.addArticulatedSystem(sourceFolder() + "/models/quadruped/quadruped.urdf");
  Eigen::VectorXd q = robot->getGeneralizedCoordinate();
  q[2] = height;
  std::mt19937_64 rng(seed);
  std::uniform_real_distribution<double> uniform(-0.5, 0.5);
  for (int i = 7; i < q.size(); ++i) q[i] += seed == 0 ? 0.3 * (i % 3) : uniform(rng);
  robot->setState(q, Eigen::VectorXd::Zero(robot->getDOF()));
  int uncorrected = 0;
  for (int i = 0; i < 100; ++i) {
    const StepReport& report = world.integrate();
    uncorrected += report.uncorrected;
    ASSERT_EQ(report.flags, 0u) << "seed " << seed << ", step " << i;
    ASSERT_LE(report.residual, 1e-8);
    ASSERT_LE(report.iterations, 250);
  }
  EXPECT_LE(uncorrected, 2) << "seed " << seed;
  EXPECT_GT(robot->getBasePosition().z(), height + 0.15);
}

TEST(Depenetration, OfARobotInTheGround) {
  for (const double height : {0.0, 0.2})
    for (unsigned seed = 0; seed < 8; ++seed)
      for (const double weight : {gravity, 0.0}) expectPushedOut(height, seed, weight);
}

TEST(Depenetration, IsPositive) {
  World world;
  EXPECT_EQ(world.getMaxDepenetrationVelocity(), 3);
  for (const double speed : {0.0, -1.0, std::nan("")})
    EXPECT_THROW(world.setMaxDepenetrationVelocity(speed), std::invalid_argument);
  EXPECT_EQ(world.getMaxDepenetrationVelocity(), 3);
  world.setMaxDepenetrationVelocity(0.7);
  EXPECT_EQ(World(world.spec()).getMaxDepenetrationVelocity(), 0.7);
}

}  // namespace
}  // namespace espalier::testing
