// External forces and torques: what they do, and that they do it for one step only.

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace espalier::testing
