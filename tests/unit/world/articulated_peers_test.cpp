// States, velocities and forces in the peers' conventions and back.

#include "espalier/robot/articulated_conventions.h"

#include <gtest/gtest.h>

#include "espalier/robot/model_coordinates.h"
#include "tests/unit/world/articulated_fixture.h"

namespace espalier::testing {
namespace {

using Peers = EveryKind;
INSTANTIATE_TEST_SUITE_P(Bases, Peers, ::testing::Bool(), baseName);

// A quarter turn about z: x of the body is y of the world.
TEST(PeersByHand, AFloatingBodyInClosedForm) {
  const Model m = compile(freeBody("ball", SphereShape{0.1}, 2)).value();
  const double s = std::sqrt(0.5);
  const VecDyn q{1, 2, 3, s, 0, 0, s}, u{10, 20, 30, 1, 2, 3};
  const PeerConvention pinocchio(m, Peer::PINOCCHIO), mujoco(m, Peer::MUJOCO);
  const auto near = [](const Eigen::VectorXd& a, const VecDyn& b) {
    return a.size() == b.size() && (a - b).norm() < 1e-13;
  };
  EXPECT_TRUE(near(pinocchio.coordinateTo(q), {1, 2, 3, 0, 0, s, s}));
  EXPECT_TRUE(near(mujoco.coordinateTo(q), q));
  EXPECT_TRUE(near(pinocchio.velocityTo(q, u), {20, -10, 30, 2, -1, 3}));
  EXPECT_TRUE(near(mujoco.velocityTo(q, u), {10, 20, 30, 2, -1, 3}));
  EXPECT_TRUE(near(pinocchio.forceTo(q, u), {20, -10, 30, 2, -1, 3}));
  EXPECT_TRUE(near(mujoco.forceTo(q, u), {10, 20, 30, 2, -1, 3}));
  // Uniform motion: w x v = (0, 0, 0) + (2*30 - 3*20, 3*10 - 1*30, 1*20 - 2*10) = 0 here, so turn v.
  const VecDyn v{1, 0, 0, 0, 0, 2}, none(6);
  EXPECT_TRUE(near(pinocchio.accelerationTo(q, v, none), {-2, 0, 0, 0, 0, 0}));
  EXPECT_TRUE(near(mujoco.accelerationTo(q, v, none), none));
}

// On a fixed base it counts from the joint's frame, MuJoCo's from the world's origin.
TEST(PeersByHand, AFloatingJointInTheTree) {
  SystemSpec spec = jointedBody(JointKind::Floating, SphereShape{0.1}, 2);
  const double s = std::sqrt(0.5);
  spec.joints[0].X_PJ = {rotation(Quat<double>{s, 0, 0, s}), {1, 2, 3}};
  const Model m = compile(spec).value();
  ASSERT_TRUE(jointInWorld(m, 1).has_value());
  EXPECT_EQ(jointInWorld(m, 1)->p.z, 3);
  EXPECT_FALSE(jointInWorld(compile(freeBody("ball", SphereShape{0.1}, 2)).value(), 0));
  const PeerConvention mujoco(m, Peer::MUJOCO);
  const VecDyn q{1, 0, 0, 1, 0, 0, 0}, u{10, 0, 0, 0, 5, 0};
  const auto near = [](const Eigen::VectorXd& a, const VecDyn& b) {
    return (a - b).norm() < 1e-13;
  };
  EXPECT_TRUE(near(mujoco.coordinateTo(q), {1, 3, 3, s, 0, 0, s}));
  EXPECT_TRUE(near(mujoco.coordinateFrom(mujoco.coordinateTo(q)), q));
  EXPECT_TRUE(near(mujoco.velocityTo(q, u), {0, 10, 0, 0, 5, 0}));
  EXPECT_TRUE(near(mujoco.velocityFrom(q, mujoco.velocityTo(q, u)), u));
}

TEST_P(Peers, AndBack) {
  const Model& m = robot->model();
  for (const Peer peer : {Peer::PINOCCHIO, Peer::MUJOCO}) {
    const PeerConvention c(m, peer);
    // The hinge has no limits: (cos, sin) for Pinocchio.
    EXPECT_EQ(c.coordinateDim(), m.nq() + (peer == Peer::PINOCCHIO));
    EXPECT_LT((c.coordinateFrom(c.coordinateTo(q)) - q).norm(), 1e-14);
    EXPECT_LT((c.velocityFrom(q, c.velocityTo(q, u)) - u).norm(), 1e-14);
    const Eigen::VectorXd udot = Eigen::VectorXd::LinSpaced(u.size(), -1, 2);
    EXPECT_LT((c.accelerationFrom(q, u, c.accelerationTo(q, u, udot)) - udot).norm(), 1e-13);
    const Eigen::VectorXd tau = Eigen::VectorXd::LinSpaced(u.size(), 3, -2);
    EXPECT_LT((c.forceFrom(q, c.forceTo(q, tau)) - tau).norm(), 1e-13);
    EXPECT_NEAR(c.forceTo(q, tau).dot(c.velocityTo(q, u)), tau.dot(u), 1e-12) << "power";
    // With udot = 0 the peer's acceleration is the rate of its velocity.
    const double t = 1e-5;
    const Eigen::VectorXd rate =
        (c.velocityTo(moved(u, t), u) - c.velocityTo(moved(u, -t), u)) / (2 * t);
    EXPECT_LT((c.accelerationTo(q, u, 0 * u) - rate).norm(), 1e-8);
    EXPECT_THROW(c.coordinateTo(u), std::invalid_argument);
  }
  EXPECT_EQ(PeerConvention(m, Peer::PINOCCHIO, false).coordinateDim(), m.nq());
}

}  // namespace
}  // namespace espalier::testing
