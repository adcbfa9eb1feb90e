// Setters and getters of an articulated system that no scene of another test needs: each is read
// back, and what it sets acts.

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "tests/support/four_bar.h"
#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

/// A ball of 2 kg on a hinge about x through its middle; no gravity.
ArticulatedSystem* addHinge(World& world) {
  world.setGravity({0, 0, 0});
  world.setTimeStep(1e-3);
  return world.addArticulatedSystem(
      jointedBody(JointKind::Revolute, SphereShape{0.1}, 2, {1, 0, 0}));
}
constexpr double inertia = 0.4 * 2 * 0.01;

TEST(ArticulatedBase, IsPlacedByAnyOfTheNames) {
  World world;
  ArticulatedSystem* body = world.addArticulatedSystem(freeBody("body", SphereShape{0.1}, 2));
  body->setBasePosition({1, 2, 3});
  EXPECT_EQ(body->getBasePosition(), Vec<3>(1, 2, 3));
  body->setBasePos_e(Eigen::Vector3d(-1, 0.5, 2));
  EXPECT_EQ(body->getBasePosition(), Vec<3>(-1, 0.5, 2));
  const Eigen::Matrix3d R = Eigen::AngleAxisd(0.7, Eigen::Vector3d(0.6, 0, 0.8)).matrix();
  body->setBaseOrientation_e(R);
  EXPECT_LT((Eigen::Matrix3d(body->getBaseOrientation()) - R).norm(), 1e-14);
  Eigen::Vector3d position;
  Eigen::Matrix3d orientation;
  body->getBodyPosition(0, position);
  body->getBodyOrientation(0, orientation);
  EXPECT_EQ(position, Eigen::Vector3d(-1, 0.5, 2));
  EXPECT_LT((orientation - R).norm(), 1e-14);
}

TEST(ArticulatedBodies, StandWhereTheirFramesDo) {
  World world;
  ArticulatedSystem* arm = addRobot(world, "arm7", 0, 0);
  for (int body = 1; body <= 7; ++body) {
    const Transformd X_WB = arm->getBodyPose(body);
    Eigen::Vector3d position;
    Eigen::Matrix3d R;
    arm->getBodyPosition(body, position);
    arm->getBodyOrientation(body, R);
    EXPECT_EQ(position, toEigen(X_WB.p));
    EXPECT_EQ(R, Eigen::Matrix3d(Mat<3, 3>(X_WB.R)));
    EXPECT_EQ(arm->getLinkCOM()[body], arm->getBodyCOM_B()[body]);
  }
  // Both names are one list: an edit of the one is an edit of the other.
  const Eigen::Vector3d before = arm->getCOM();
  arm->getLinkCOM()[3][0] += 0.1;
  arm->updateMassInfo();
  EXPECT_GT((Eigen::Vector3d(arm->getCOM()) - before).norm(), 1e-3);
}

TEST(ArticulatedObject, IsAnArticulatedSystem) {
  World world;
  const Object* robot = addHinge(world);
  const Object* ball = world.addSphere(0.1, 1);
  const Object* box = world.addBox(1, 1, 1, 1);
  EXPECT_EQ(robot->getObjectType(), ObjectType::ARTICULATED_SYSTEM);
  EXPECT_EQ(ball->getObjectType(), ObjectType::SPHERE);
  EXPECT_EQ(box->getObjectType(), ObjectType::BOX);
}

// Targets one at a time: the other stays.
TEST(ArticulatedTargets, PositionAndVelocityAlone) {
  World world;
  ArticulatedSystem* hinge = addHinge(world);
  hinge->setPdGains(VecDyn{2}, VecDyn{0.5});
  hinge->setPdTarget(VecDyn{0.1}, VecDyn{0.2});
  Eigen::VectorXd q, u;
  hinge->setPTarget(VecDyn{0.4});
  hinge->getPdTarget(q, u);
  EXPECT_EQ(q[0], 0.4);
  EXPECT_EQ(u[0], 0.2);
  hinge->setDTarget(VecDyn{-0.3});
  hinge->getPdTarget(q, u);
  EXPECT_EQ(q[0], 0.4);
  EXPECT_EQ(u[0], -0.3);
  EXPECT_NEAR(hinge->getGeneralizedForce()[0], 2 * 0.4 + 0.5 * -0.3, 1e-15);
  EXPECT_THROW(hinge->setPTarget(VecDyn{1, 2}), std::invalid_argument);
  EXPECT_THROW(hinge->setDTarget(VecDyn{1, 2}), std::invalid_argument);
  EXPECT_NEAR(hinge->getGeneralizedForce()[0], 2 * 0.4 + 0.5 * -0.3, 1e-15);
}

// A velocity target alone turns the hinge at that rate.
TEST(ArticulatedTargets, AVelocityIsReached) {
  World world;
  ArticulatedSystem* hinge = addHinge(world);
  hinge->setPdGains(VecDyn{0}, VecDyn{0.5});
  hinge->setDTarget(VecDyn{1.5});
  for (int i = 0; i < 1000; ++i) world.integrate();
  EXPECT_NEAR(hinge->getGeneralizedVelocity()[0], 1.5, 1e-9);
}

TEST(ArticulatedTorqueLimits, AreOfTheCommandOrExact) {
  World world;
  ArticulatedSystem* hinge = addHinge(world);
  EXPECT_EQ(hinge->getTorqueLimits(), TorqueLimits::COMMAND);
  hinge->setTorqueLimits(TorqueLimits::EXACT);
  EXPECT_EQ(hinge->getTorqueLimits(), TorqueLimits::EXACT);
  hinge->setActuationLimits(VecDyn{0.01}, VecDyn{-0.01});
  hinge->setPdGains(VecDyn{100}, VecDyn{10});
  hinge->setPTarget(VecDyn{1});
  world.integrate();
  EXPECT_NEAR(hinge->getAppliedGeneralizedForce()[0], 0.01, 1e-12);
  EXPECT_NEAR(hinge->getJoint("joint").getAppliedForce()[0], 0.01, 1e-12);
  EXPECT_NEAR(hinge->getGeneralizedVelocity()[0], 0.01 / inertia * 1e-3, 1e-12);
}

// The dependent joints of a four-bar have forces of their own: what the rocker's motor does is what
// the crank's would, by the ratio of their rates.
TEST(ArticulatedSpanning, ForcesOfDependentJointsAct) {
  World ofCrank, ofRocker;
  const auto add = [](World& world) {
    world.setGravity({0, 0, 0});
    world.setTimeStep(1e-3);
    ArticulatedSystem* bar = world.addArticulatedSystem(fourBar({}));
    bar->setGeneralizedCoordinate({0.8});
    return bar;
  };
  ArticulatedSystem *crank = add(ofCrank), *rocker = add(ofRocker);
  rocker->setGeneralizedVelocity({1.0});
  const double ratio = rocker->getSpanningVelocity()[2];
  rocker->setGeneralizedVelocity({0.0});
  ASSERT_GT(std::abs(ratio), 0.05);
  crank->setGeneralizedForce({0.3 * ratio});
  rocker->setSpanningForce(VecDyn{0, 0, 0.3});
  ofCrank.integrate();
  ofRocker.integrate();
  EXPECT_NEAR(rocker->getGeneralizedVelocity()[0], crank->getGeneralizedVelocity()[0], 1e-8);
  EXPECT_GT(std::abs(crank->getGeneralizedVelocity()[0]), 1e-5);
  const Eigen::VectorXd applied = rocker->getSpanningAppliedForce();
  ASSERT_EQ(applied.size(), 3);
  EXPECT_EQ(applied[0], 0);
  EXPECT_EQ(applied[1], 0);
  EXPECT_NEAR(applied[2], 0.3, 1e-15);
  EXPECT_THROW(rocker->setSpanningForce(VecDyn{1}), std::invalid_argument);
}

TEST(ArticulatedForces, AreClearedByTheShortName) {
  World world;
  ArticulatedSystem* hinge = addHinge(world);
  hinge->setExternalTorque(1, {1, 0, 0});
  hinge->clearExternalForces();
  world.integrate();
  EXPECT_EQ(hinge->getGeneralizedVelocity()[0], 0);
  hinge->setExternalTorque(1, {1, 0, 0});
  world.integrate();
  EXPECT_NEAR(hinge->getGeneralizedVelocity()[0], 1e-3 / inertia, 1e-12);
}

TEST(ArticulatedJointForces, AreAskedFor) {
  World world;
  ArticulatedSystem* hinge = addHinge(world);
  EXPECT_FALSE(hinge->getComputeInverseDynamics());
  hinge->setComputeInverseDynamics(true);
  EXPECT_TRUE(hinge->getComputeInverseDynamics());
  hinge->setComputeInverseDynamics(false);
  EXPECT_FALSE(hinge->getComputeInverseDynamics());
}

// What the rooms above read and write is what the calls of the class do.
TEST(ArticulatedSystemInternals, AreThoseOfTheCalls) {
  World world;
  ArticulatedSystem* hinge = addHinge(world);
  hinge->setPdGains(VecDyn{3}, VecDyn{0.25});
  EXPECT_EQ(hinge->actuation().kp[0], 3);
  EXPECT_EQ(hinge->actuation().kd[0], 0.25);
  EXPECT_EQ(hinge->parametersInForce().bodies[1].I.m, 2);
  hinge->setMass(1, 5);
  EXPECT_EQ(hinge->parametersInForce().bodies[1].I.m, 2) << "not yet";
  hinge->updateMassInfo();
  EXPECT_EQ(hinge->parametersInForce().bodies[1].I.m, 5);
}

TEST(WorldTime, IsSet) {
  World world;
  world.setTimeStep(0.25);
  world.setWorldTime(3);
  world.integrate();
  EXPECT_EQ(world.getWorldTime(), 3.25);
  EXPECT_EQ(world.getState().time, 3.25);
}

}  // namespace
}  // namespace espalier::testing
