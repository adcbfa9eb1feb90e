// Live editing of collision bodies and of a fixed base.

#include <gtest/gtest.h>
#include <ode/ode.h>

#include "tests/unit/world/editing_scene.h"

namespace espalier::testing {
namespace {

// ---- collision bodies

TEST(Editing, CollisionBodiesAreNamedAndPlacedAsInTheFile) {
  const SystemSpec spec = hopper();
  World world;
  ArticulatedSystem* robot = world.addArticulatedSystem(spec);
  const auto& bodies = robot->getCollisionBodies();
  ASSERT_EQ(bodies.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(bodies[i].name, "link" + std::to_string(i) + "/0");
    EXPECT_EQ(bodies[i].bodyIdx, i);
    EXPECT_EQ(bodies[i].posOffset, Vec<3>(spec.links[i].collisions[0].X_LG.p));
    EXPECT_EQ(bodies[i].getMaterial(), "default");
    EXPECT_NE(robot->getCollisionBodies()[i].getCollisionObject(), nullptr);
  }
}

TEST(Editing, ACollisionBodyFollowsItsMaterialAndItsMask) {
  World world;
  world.addGround();
  world.setMaterialPairProp("ice", "default", 0, 0, 0.01);
  ArticulatedSystem* crate = world.addArticulatedSystem(freeBody("crate", BoxShape{{1, 1, 1}}, 1));
  Eigen::VectorXd q(7), u = Eigen::VectorXd::Zero(6);
  q << 0, 0, 0.5, 1, 0, 0, 0;
  u[0] = 1;
  crate->setState(q, u);
  for (int i = 0; i < 500; ++i) world.integrate();
  EXPECT_NEAR(crate->getGeneralizedVelocity()[0], 0, 1e-9);  // rough
  CollisionBody& box = crate->getCollisionBody("crate/0");
  box.setMaterial("ice");
  EXPECT_EQ(box.getMaterial(), "ice");
  crate->setState(q, u);
  for (int i = 0; i < 500; ++i) world.integrate();
  EXPECT_NEAR(crate->getGeneralizedVelocity()[0], 1, 1e-9);
  box.setCollisionMask(0);
  EXPECT_EQ(box.getCollisionMask(), 0u);
  for (int i = 0; i < 500; ++i) world.integrate();
  EXPECT_LT(crate->getGeneralizedCoordinate()[2], -0.5);  // through the floor
}

/// A ball of 0.25 m at rest on the ground, after a step.
ArticulatedSystem* restingBall(World& world) {
  world.addGround();
  ArticulatedSystem* ball = world.addArticulatedSystem(freeBody("ball", SphereShape{0.25}, 1));
  place(*ball, {0, 0, 0.25});
  world.integrate();
  return ball;
}

TEST(Editing, AMovedCollisionBodyCarriesTheRobotElsewhere) {
  World world;
  ArticulatedSystem* ball = restingBall(world);
  ball->getCollisionBody("ball/0").posOffset[2] = -0.5;
  place(*ball, {0, 0, 0.75});
  for (int i = 0; i < 20; ++i) world.integrate();
  EXPECT_NEAR(ball->getGeneralizedCoordinate()[2], 0.75, 1e-6);
}

TEST(Editing, AChangedGeomOfOdeCollidesAsItWasChanged) {
  World world;
  ArticulatedSystem* ball = restingBall(world);
  dGeomID geom = ball->getCollisionBody("ball/0").getCollisionObject();
  EXPECT_EQ(dGeomSphereGetRadius(geom), 0.25);
  dGeomSphereSetRadius(geom, 0.5);
  place(*ball, {0, 0, 0.5});
  for (int i = 0; i < 20; ++i) world.integrate();
  EXPECT_NEAR(ball->getGeneralizedCoordinate()[2], 0.5, 1e-6);
  const Shape& shape = std::as_const(*ball).getCollisionBodies()[0].getShape();
  EXPECT_EQ(std::get<SphereShape>(shape).radius, 0.5);
}

// ---- the base

TEST(Editing, AFixedBaseIsMovedByHandAndKeptByOtherEdits) {
  SystemSpec spec = randomSpec(17, {.links = 4, .welds = false, .fixedBase = true});
  SystemSpec moved = spec;
  moved.X_WB = {axisRotation(Vec3d{0, 0, 1}, 0.6, 0.8), {1, 2, 3}};
  moved.links[1].inertial->mass *= 2;
  World world, other;
  ArticulatedSystem* arm = world.addArticulatedSystem(spec);
  ArticulatedSystem* there = other.addArticulatedSystem(moved);
  const Eigen::Vector3d before = arm->getFramePosition(0);
  arm->setBasePos(Vec<3>(1, 2, 3));
  EXPECT_LT((arm->getFramePosition(0) - before - Eigen::Vector3d(1, 2, 3)).norm(), 1e-12);
  arm->setBaseOrientation(Mat<3, 3>(moved.X_WB.R));
  arm->setMass(1, 2 * arm->getMass(1));
  arm->updateMassInfo();
  EXPECT_LT((arm->getBasePosition() - Eigen::Vector3d(1, 2, 3)).norm(), 1e-15);
  for (int f = 0; f < 3; ++f)
    EXPECT_LT((arm->getFramePosition(f) - there->getFramePosition(f)).norm(), 1e-14);
  EXPECT_LT((arm->getMassMatrix() - there->getMassMatrix()).norm(), 1e-13);
  EXPECT_NEAR(arm->getLowestCollisionPoint(), there->getLowestCollisionPoint(), 1e-14);
}

TEST(Editing, BodiesOfAFixedBaseMoveWithIt) {
  // A ball lies on a pedestal, which sinks.
  World world;
  world.addGround();
  SystemSpec pedestal = freeBody("pedestal", BoxShape{{1, 1, 1}}, 1);
  pedestal.fixedBase = true;
  ArticulatedSystem* base = world.addArticulatedSystem(pedestal);
  ArticulatedSystem* ball = world.addArticulatedSystem(freeBody("ball", SphereShape{0.25}, 1));
  base->setBasePos(Vec<3>(0, 0, 1));
  Eigen::VectorXd q(7);
  q << 0, 0, 1.75, 1, 0, 0, 0;
  ball->setGeneralizedCoordinate(q);
  for (int i = 0; i < 50; ++i) world.integrate();
  EXPECT_NEAR(ball->getGeneralizedCoordinate()[2], 1.75, 1e-6);
  base->setBasePos(Vec<3>(0, 0, 0.5));
  for (int i = 0; i < 1000; ++i) world.integrate();
  EXPECT_NEAR(ball->getGeneralizedCoordinate()[2], 1.25, 1e-6);
}

}  // namespace
}  // namespace espalier::testing
