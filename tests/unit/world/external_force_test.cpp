// External forces and torques: what they do, and that they do it for one step only.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

TEST(ExternalForce, ActsForOneStep) {
  World world;
  world.setGravity({0, 0, 0});
  ArticulatedSystem* ball = world.addArticulatedSystem(freeBody("ball", SphereShape{0.1}, 2));
  ball->setExternalForce(0, {4, 0, 0});
  world.integrate();
  EXPECT_NEAR(ball->getGeneralizedVelocity()[0], 0.001 * 4 / 2, 1e-15);
  for (int i = 0; i < 10; ++i) world.integrate();
  EXPECT_NEAR(ball->getGeneralizedVelocity()[0], 0.001 * 4 / 2, 1e-15);
  EXPECT_NEAR(ball->getAppliedGeneralizedForce().norm(), 0, 0) << "not a motor's";
}

// f at r is f and the couple r x f; two calls add up.
TEST(ExternalForce, AtAPointItTurnsTheBody) {
  World world;
  world.setGravity({0, 0, 0});
  ArticulatedSystem* ball = world.addArticulatedSystem(freeBody("ball", SphereShape{0.1}, 2));
  ball->setExternalForce(0, {0.1, 0, 0}, {0, 3, 0});
  ball->setExternalForce(0, {0, 0, 1});
  ball->setExternalTorque(0, {0.05, 0, 0});
  world.integrate();
  const double I = 0.4 * 2 * 0.01;
  Eigen::VectorXd expected(6);
  expected << 0, 3.0 / 2, 1.0 / 2, 0.05 / I, 0, 0.3 / I;
  EXPECT_LT((ball->getGeneralizedVelocity() - 0.001 * expected).norm(), 1e-15);
}

// On any body of a robot it is J' f in the equation of motion.
TEST(ExternalForce, OnALinkItIsJacobianTransposed) {
  World pushed, driven;
  for (World* world : {&pushed, &driven}) {
    world->setIntegrationScheme(Scheme::SEMI_IMPLICIT);
    ArticulatedSystem* robot = addRobot(*world, "strider", 0, 0, {0, 0, 1});
    Eigen::VectorXd q = nominal("strider"), u(18);
    q[2] = 2;
    q.segment<4>(3) << 0.5, 0.5, -0.5, 0.5;
    for (int d = 0; d < 18; ++d) u[d] = 0.3 * std::sin(d);
    robot->setState(q, u);
  }
  ArticulatedSystem *a = pushed.system(0), *b = driven.system(0);
  const int frame = a->getFrameIdxByName("LH_KFE"), body = a->getBodyIdx("LH_shank");
  ASSERT_GE(frame, 0);
  ASSERT_GE(body, 0);
  const Vec3d force{3, -5, 20}, torque{0.2, 0.1, -0.4};
  a->setExternalForce(body, {0, 0, 0}, force);
  a->setExternalTorque(body, torque);
  // The shank's origin is its joint's.
  b->setGeneralizedForce(b->getDenseFrameJacobian(frame).transpose() * toEigen(force) +
                         b->getDenseFrameRotationalJacobian(frame).transpose() * toEigen(torque));
  pushed.integrate();
  driven.integrate();
  const Eigen::VectorXd ua = a->getGeneralizedVelocity(), ub = b->getGeneralizedVelocity();
  EXPECT_LT((ua - ub).norm(), 1e-12 * ua.norm());
}

/// The stages of RUNGE_KUTTA_4 take a force where the body is in each of them: half the time step leaves
/// a sixteenth of the error.
TEST(ExternalForce, KeepsTheFourthOrder) {
  Eigen::VectorXd end[4];
  for (int k = 0; k < 4; ++k) {
    World world;
    world.setGravity({0, 0, 0});
    world.setIntegrationScheme(Scheme::RUNGE_KUTTA_4);
    const int steps = 25 << k;
    world.setTimeStep(0.1 / steps);
    ArticulatedSystem& robot = *addRobot(world, "strider", 0, 0, {0, 0, 2});
    Eigen::VectorXd u(robot.getDOF());
    for (int d = 0; d < u.size(); ++d) u[d] = 2 * std::sin(1.0 + 3 * d);
    robot.setGeneralizedVelocity(u);
    for (int i = 0; i < steps; ++i) {
      robot.setExternalForce(robot.model().nb() - 1, {0, 0, 0}, {3, -2, 5});
      robot.setExternalTorque(3, {0.2, 0.1, -0.1});
      world.integrate();
    }
    end[k] = robot.getGeneralizedVelocity();
  }
  const double coarse = (end[1] - end[0]).norm(), middle = (end[2] - end[1]).norm(),
               fine = (end[3] - end[2]).norm();
  EXPECT_GT(coarse / middle, 12);
  EXPECT_GT(middle / fine, 12);
}

}  // namespace
}  // namespace espalier::testing
