// inverseOperationalSpaceInertiaMatrix and applyTestForce against Jacobians, the inverse of M, and
// what a step does.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/four_bar.h"
#include "tests/unit/world/articulated_fixture.h"

namespace espalier::testing {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// [6 frames][nv], of each frame's origin angular rows first.
MatrixXd stackedJacobian(const ArticulatedSystem& robot, const std::vector<FrameOf>& frames) {
  MatrixXd J(6 * static_cast<Eigen::Index>(frames.size()), robot.getDOF());
  Eigen::Index row = 0;
  for (const FrameOf& f : frames) {
    J.middleRows(row, 3) = robot.getDenseFrameRotationalJacobian(f);
    J.middleRows(row + 3, 3) = robot.getDenseFrameJacobian(f);
    row += 6;
  }
  return J;
}

void expectNear(const MatrixXd& a, const MatrixXd& wanted, double tolerance, const char* what) {
  ASSERT_EQ(a.rows(), wanted.rows()) << what;
  ASSERT_EQ(a.cols(), wanted.cols()) << what;
  EXPECT_LT((a - wanted).cwiseAbs().maxCoeff(), tolerance * (1 + wanted.cwiseAbs().maxCoeff()))
      << what;
}

/// Every question, by J and M^-1 of the same robot.
void expectOperational(ArticulatedSystem& robot, const std::vector<FrameOf>& frames) {
  const MatrixXd J = stackedJacobian(robot, frames), inverse = robot.getInverseMassMatrix();
  expectNear(robot.inverseOperationalSpaceInertiaMatrix(frames), J * inverse * J.transpose(), 1e-9,
             "world axes");
  MatrixXd turned = J;
  for (std::size_t k = 0; k < frames.size(); ++k) {
    const Eigen::Matrix3d R = robot.getFrameOrientation(frames[k]);
    for (Eigen::Index row : {6 * k, 6 * k + 3})
      turned.middleRows(row, 3) = R.transpose() * J.middleRows(row, 3);
  }
  expectNear(robot.inverseOperationalSpaceInertiaMatrix(frames, ArticulatedSystem::BODY_FRAME),
             turned * inverse * turned.transpose(), 1e-9, "axes of the frames");

  const Vec<3> force(1, -2, 0.5);
  for (std::size_t k = 0; k < frames.size(); ++k) {
    const MatrixXd Jk = J.middleRows<3>(6 * k + 3);
    const VectorXd wanted = inverse * Jk.transpose() * force;
    VecDyn udot;
    const double felt = robot.applyTestForce(frames[k], force, udot);
    expectNear(udot, wanted, 1e-9, "udot");
    EXPECT_NEAR(felt, force.dot(Jk * wanted), 1e-9 * (1 + felt));
    EXPECT_GE(felt, 0);
  }
  const Vec<3> point(0.1, 0.2, -0.3);
  const int body = robot.getNumberOfJoints() - 1;
  MatrixXd Jp = MatrixXd::Zero(3, robot.getDOF());
  robot.getDenseJacobian(body, ArticulatedSystem::BODY_FRAME, point, Jp);
  VecDyn udot;
  Eigen::Vector3d acceleration;
  const double felt = robot.applyTestForce(body, point, force, udot, acceleration);
  expectNear(udot, inverse * Jp.transpose() * force, 1e-9, "udot of a point");
  EXPECT_LT((acceleration - Jp * udot).norm(), 1e-9 * (1 + acceleration.norm()));
  EXPECT_NEAR(felt, force.dot(acceleration), 1e-9 * (1 + felt));
}

class Operational : public EveryKind {};

TEST_P(Operational, IsJacobiansThroughTheInverseMassMatrix) {
  expectOperational(*robot, {"tool_mount", "revolute", "spherical", "planar", 0});
  robot->getFrameByName("tool_mount").position = Vec<3>(0.3, 0.2, 0.1);
  expectOperational(*robot, {robot->getFrameByName("tool_mount")});
}

TEST_P(Operational, AgreesWithAStep) {
  const Vec<3> force(3, -2, 4);
  VecDyn change;
  const double felt = robot->applyTestForce("tool_mount", force, change);
  EXPECT_GT(felt, 0);
  world.setIntegrationScheme(Scheme::SEMI_IMPLICIT);
  world.setTimeStep(1e-3);
  VectorXd accelerations[2];
  for (const bool pushed : {false, true}) {
    robot->setState(q, VectorXd::Zero(u.size()));
    robot->clearExternalForcesAndTorques();
    if (pushed) robot->setExternalForce("tool_mount", force);
    world.integrate();
    accelerations[pushed] = robot->getGeneralizedAcceleration();
  }
  expectNear(change, accelerations[1] - accelerations[0], 1e-9, "udot");
}

TEST_P(Operational, RefusesImpossibleQueries) {
  VecDyn udot;
  const double none = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(robot->inverseOperationalSpaceInertiaMatrix({"nowhere"}), std::invalid_argument);
  EXPECT_THROW(
      robot->inverseOperationalSpaceInertiaMatrix({"revolute"}, ArticulatedSystem::PARENT_FRAME),
      std::invalid_argument);
  EXPECT_THROW(robot->applyTestForce("nowhere", {1, 0, 0}, udot), std::invalid_argument);
  EXPECT_THROW(robot->applyTestForce("revolute", {none, 0, 0}, udot), std::invalid_argument);
  EXPECT_EQ(robot->inverseOperationalSpaceInertiaMatrix({}).size(), 0);
}

INSTANTIATE_TEST_SUITE_P(Bases, Operational, ::testing::Bool(), baseName);

TEST(OperationalLoops, AreJacobiansThroughTheInverseMassMatrix) {
  for (const bool floats : {false, true}) {
    World world;
    ArticulatedSystem* bar = world.addArticulatedSystem(fourBar({.floats = floats}));
    bar->setGeneralizedVelocity(VectorXd::LinSpaced(bar->getDOF(), -1, 2));
    expectOperational(*bar, {"a", "b", "c"});
  }
}

/// Where the rocker turns round it does not say how the crank moves: what a force does is the same
/// as when the crank is asked.
TEST(OperationalLoops, HoldAtDeadPoints) {
  const double reach = 1.4, ground = 1.0, rocker = 0.8;  // crank and coupler in one line
  const double angle =
      std::acos((ground * ground + rocker * rocker - reach * reach) / (2 * rocker));
  const double crank =
      std::acos((ground * ground + reach * reach - rocker * rocker) / (2 * ground * reach));
  const VecDyn q{crank, 0, std::acos(-1.0) - angle};
  World world;
  ArticulatedSystem* dead = world.addArticulatedSystem(fourBar({.publicRocker = true}));
  ArticulatedSystem* led = world.addArticulatedSystem(fourBar({}));
  for (ArticulatedSystem* bar : {dead, led}) bar->setSpanningCoordinate(q);
  const std::vector<FrameOf> frames{"a", "b", "c"};
  const MatDyn wanted = led->inverseOperationalSpaceInertiaMatrix(frames);
  EXPECT_GT(wanted.norm(), 1);
  expectNear(dead->inverseOperationalSpaceInertiaMatrix(frames), wanted, 1e-9, "Lambda^-1");
  VecDyn ofRocker, ofCrank;
  const Vec<3> across(std::sin(crank), -std::cos(crank), 0);
  const double felt = led->applyTestForce("b", across, ofCrank);
  EXPECT_NEAR(dead->applyTestForce("b", across, ofRocker), felt, 1e-9 * felt);
  EXPECT_GT(std::abs(ofCrank[0]), 1);
  EXPECT_NEAR(ofRocker[0], 0, 1e-9) << "it turns round: no force moves it in first order";
}

}  // namespace
}  // namespace espalier::testing
