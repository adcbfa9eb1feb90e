// integrate() is integrate1() then integrate2(): what may happen between, and what it sees.

#include <gtest/gtest.h>

#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/model/coordinates.h"
#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

/// A strider just above the ground, moving.
struct Landing {
  World world;
  ArticulatedSystem* robot;

  explicit Landing(Scheme scheme) {
    world.setIntegrationScheme(scheme);
    world.setTimeStep(0.002);
    world.addGround();
    robot = addRobot(world, "strider", 100, 2, {0, 0, 0.01});
    Eigen::VectorXd u = Eigen::VectorXd::Constant(18, 0.1);
    u[2] = -0.5;
    robot->setGeneralizedVelocity(u);
  }
};

class SplitStep : public ::testing::TestWithParam<Scheme> {};
INSTANTIATE_TEST_SUITE_P(Schemes, SplitStep,
                         ::testing::Values(Scheme::MIDPOINT, Scheme::SEMI_IMPLICIT),
                         [](const auto& scheme) {
                           return scheme.param == Scheme::MIDPOINT ? "Midpoint" : "SemiImplicit";
                         });

TEST_P(SplitStep, HalvesEqualTheWhole) {
  Landing whole(GetParam()), halves(GetParam());
  for (int i = 0; i < 300; ++i) {
    whole.world.integrate();
    halves.world.integrate1();
    // Looking changes nothing.
    halves.robot->getFramePose(0);
    halves.robot->getMassMatrix();
    halves.robot->getKineticEnergy();
    halves.robot->getNonlinearities();
    halves.world.integrate2();
    ASSERT_EQ(whole.world.stateHash(), halves.world.stateHash()) << i;
  }
  EXPECT_GT(whole.world.report().activeContacts, 0);
}

TEST_P(SplitStep, ControlSetBetweenActsInThisStep) {
  Landing before(GetParam()), between(GetParam());
  const auto control = [](ArticulatedSystem& robot, int i) {
    robot.setPdGains(jointGains(robot, 100 + i), jointGains(robot, 2 + 0.01 * i));
    Eigen::VectorXd target = nominal("strider");
    target[8] += 0.001 * i;
    robot.setPdTarget(target, Eigen::VectorXd::Constant(18, 0.01));
    robot.setGeneralizedForce(jointGains(robot, 0.1 * i));
    robot.setActuationLimits(Eigen::VectorXd::Constant(18, 30), Eigen::VectorXd::Constant(18, -30));
    // At the body's origin: other points turn with the body, from q to q_m.
    robot.setExternalForce(0, {0, 0, 0}, {1.0 * i, 0, 0});
    robot.setExternalTorque(0, {0, 0.1 * i, 0});
  };
  for (int i = 0; i < 100; ++i) {
    control(*before.robot, i);
    before.world.integrate();
    between.world.integrate1();
    control(*between.robot, i);
    between.world.integrate2();
    ASSERT_EQ(before.world.stateHash(), between.world.stateHash()) << i;
  }
}

// At q, SEMI_IMPLICIT needs dt only in the second half; the law of open gaps included.
TEST(SplitStep, TimeStepMayChangeBetween) {
  Landing before(Scheme::SEMI_IMPLICIT), between(Scheme::SEMI_IMPLICIT);
  for (int i = 0; i < 100; ++i) {
    const double dt = i % 2 ? 0.001 : 0.002;
    before.world.setTimeStep(dt);
    before.world.integrate();
    between.world.integrate1();
    between.world.setTimeStep(dt);
    between.world.integrate2();
    ASSERT_EQ(before.world.stateHash(), between.world.stateHash()) << i;
  }
  EXPECT_NEAR(before.world.getWorldTime(), 0.15, 1e-12);
}

// Between the halves every getter speaks of the evaluation point: q_m = q (+) dt/2 u, or q.
TEST_P(SplitStep, GettersBetweenSpeakOfTheEvaluationPoint) {
  Landing scene(GetParam()), other(GetParam());
  const Topology& t = scene.robot->model().topology;
  const double lead = GetParam() == Scheme::MIDPOINT ? 0.001 : 0;
  const Eigen::VectorXd q = scene.robot->getGeneralizedCoordinate();
  const Eigen::VectorXd step = lead * scene.robot->getGeneralizedVelocity();
  Eigen::VectorXd qm(q.size());
  advance(t, q.data(), step.data(), qm.data());
  other.robot->setGeneralizedCoordinate(qm);

  scene.world.integrate1();
  const ArticulatedSystem &a = *scene.robot, &b = *other.robot;
  EXPECT_LT((a.getMassMatrix() - b.getMassMatrix()).norm(), 1e-12);
  EXPECT_LT((a.getInverseMassMatrix() - b.getInverseMassMatrix()).norm(), 1e-9);
  EXPECT_LT((a.getNonlinearities() - b.getNonlinearities()).norm(), 1e-10);
  EXPECT_LT((a.getCOM() - b.getCOM()).norm(), 1e-14);
  EXPECT_NEAR(a.getKineticEnergy(), b.getKineticEnergy(), 1e-12);
  EXPECT_NEAR(a.getPotentialEnergy(), b.getPotentialEnergy(), 1e-11);
  for (int frame = 0; frame < 16; ++frame) {
    EXPECT_LT(norm(a.getFramePose(frame).p - b.getFramePose(frame).p), 1e-14);
    EXPECT_LT((a.getFrameVelocity(frame) - b.getFrameVelocity(frame)).norm(), 1e-13);
    EXPECT_LT((a.getDenseFrameJacobian(frame) - b.getDenseFrameJacobian(frame)).norm(), 1e-13);
  }
  EXPECT_EQ(a.getGeneralizedCoordinate(), q) << "the state itself has not moved";
  scene.world.integrate2();
}

TEST(SplitStep, WrongOrderIsRefused) {
  Landing scene(Scheme::MIDPOINT);
  World& world = scene.world;
  EXPECT_THROW(world.integrate2(), std::invalid_argument);
  world.integrate1();
  EXPECT_THROW(world.integrate1(), std::invalid_argument);
  EXPECT_THROW(world.integrate(), std::invalid_argument);
  EXPECT_THROW(world.addGround(), std::invalid_argument);
  EXPECT_THROW(world.addArticulatedSystem(freeBody("ball", SphereShape{0.1}, 1)),
               std::invalid_argument);
  EXPECT_THROW(world.setIntegrationScheme(Scheme::SEMI_IMPLICIT), std::invalid_argument);
  EXPECT_THROW(world.setMaxContacts(10), std::invalid_argument);
  EXPECT_THROW(scene.robot->setState(nominal("strider"), Eigen::VectorXd::Zero(18)),
               std::invalid_argument);
  EXPECT_THROW(scene.robot->setGeneralizedVelocity(Eigen::VectorXd::Zero(18)),
               std::invalid_argument);
  // What was refused left no trace.
  world.integrate2();
  EXPECT_THROW(world.integrate2(), std::invalid_argument);
  Landing untouched(Scheme::MIDPOINT);
  untouched.world.integrate();
  EXPECT_EQ(world.stateHash(), untouched.world.stateHash());
  EXPECT_EQ(world.systemCount(), 1);
}

}  // namespace
}  // namespace espalier::testing
