// Bodies that are faster than they are thick are stopped by what is in their way, or it is told that they
// went through (step/tunnelling.h).
#include "espalier/step/tunnelling.h"

#include <gtest/gtest.h>

#include "espalier/robot/single_body.h"
#include "tests/support/floor_mesh.h"
#include "tests/support/lane_twins.h"
#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

bool isTold(World& world) { return world.report().has(StepFlag::Tunnelled); }

/// A ball flies at a thin wall: it does not come out behind it untold.
TEST(Tunnelling, ABallAtAWall) {
  for (const Scheme scheme : {Scheme::MIDPOINT, Scheme::SEMI_IMPLICIT})
    for (const double restitution : {0., 0.8})
      for (const double speed : {5., 20., 60., 150., 400.})
        for (int k = 0; k < 10; ++k) {
          World world;
          world.setGravity({0, 0, 0});
          world.setIntegrationScheme(scheme);
          world.setDefaultMaterial(0.5, restitution, 0.01);
          auto* wall = world.addBox(0.002, 1, 1, 1);
          wall->setBodyType(BodyType::STATIC);
          auto* ball = world.addSphere(0.01, 0.1);
          ball->setPosition(-0.5 - 0.1 * speed * 1e-3 * k, 0, 0);
          ball->setLinearVelocity({speed, 0, 0});
          bool told = false;
          for (int i = 0; i * 1e-3 * speed < 2; ++i) {
            world.integrate();
            told |= isTold(world);
          }
          EXPECT_TRUE(told || ball->getPosition().x() < 0)
              << speed << " m/s, restitution " << restitution << ", start " << k;
        }
}

/// A bat that turns by half a radian and more a step, and a ball in its way.
TEST(Tunnelling, ABatAndABall) {
  int missed = 0;
  for (int k = 0; k < 40; ++k) {
    World world;
    world.setGravity({0, 0, 0});
    auto* bat = world.addBox(1, 0.01, 0.01, 1);
    bat->setBodyType(BodyType::KINEMATIC);
    bat->setAngularVelocity({0, 0, 500 + 15 * k});
    auto* ball = world.addSphere(0.01, 0.1);
    const double angle = 0.5 + 0.03 * k;
    ball->setPosition(0.45 * std::cos(angle), 0.45 * std::sin(angle), 0);
    bool isHit = false, isTold = false;
    for (int i = 0; i < 8; ++i) {  // more than half a turn
      world.integrate();
      isTold |= world.report().has(StepFlag::Tunnelled);
      isHit |= ball->getLinearVelocity().norm() > 0;
    }
    missed += !isHit && !isTold;
  }
  EXPECT_EQ(missed, 0);
}

/// The flag names the two, and only where one went through the other.
TEST(Tunnelling, NamesTheTwo) {
  World world;
  world.setGravity({0, 0, 0});
  world.setDefaultMaterial(0, 0.9, 0.01);  // what bounces arrives with its whole speed
  auto* wall = world.addBox(0.002, 1, 1, 1);
  wall->setBodyType(BodyType::STATIC);
  auto* ball = world.addSphere(0.01, 0.1);
  ball->setPosition(-0.5, 0, 0);
  ball->setLinearVelocity({150, 0, 0});
  for (int i = 0; i < 10; ++i) {
    const StepReport& report = world.integrate();
    if (!report.has(StepFlag::Tunnelled)) {
      EXPECT_EQ(report.tunnelledA, -1);
      continue;
    }
    EXPECT_EQ(std::min(report.tunnelledA, report.tunnelledB),
              std::min<int>(wall->getIndexInWorld(), ball->getIndexInWorld()));
    EXPECT_EQ(std::max(report.tunnelledA, report.tunnelledB),
              std::max<int>(wall->getIndexInWorld(), ball->getIndexInWorld()));
  }
}

/// What rests or lands, and what spins in its place, is not told of.
TEST(Tunnelling, NothingIsToldWithoutCause) {
  World world;
  auto* plate = world.addBox(1, 1, 0.002, 1);
  plate->setBodyType(BodyType::STATIC);
  auto* disc = world.addCylinder(0.1, 0.004, 0.1);
  disc->setPosition(0, 0, 0.5);
  disc->setAngularVelocity({0, 0, 300});
  auto* ball = world.addSphere(0.005, 0.1);
  ball->setPosition(0.3, 0, 1);
  for (int i = 0; i < 1500; ++i) EXPECT_FALSE(world.integrate().has(StepFlag::Tunnelled)) << i;
  EXPECT_GT(ball->getPosition().z(), 0);
  EXPECT_GT(disc->getPosition().z(), 0);
}

TEST(Tunnelling, IsTheSameInLanes) {
  LaneTwins twins(5, [&](World& world, int i) {
    BodySpec wall = fixedShape("wall", BoxShape{{0.001, 2, 2}});
    wall.X_WB.p = {0.3, 0, 0};
    world.addBody(wall);
    ArticulatedSystem* robot = addRobot(world, "double_pendulum", 0, 0);
    robot->setGeneralizedVelocity(Eigen::Vector2d(200 + 30 * i, -150));
  });
  EXPECT_TRUE(twins.expectSame(50));
}

}  // namespace
}  // namespace espalier::testing
