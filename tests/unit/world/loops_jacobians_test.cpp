// Jacobians of robots with closed loops by their non-zero columns, and the rates of these.

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "espalier/io/urdf/urdf.h"
#include "espalier/robot/articulated_system.h"
#include "espalier/world/world.h"
#include "tests/support/source_folder.h"

namespace espalier {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using S = ArticulatedSystem;

MatrixXd denseOf(const SparseJacobian& J, int dof) {
  MatrixXd dense = MatrixXd::Zero(3, dof);
  J.fill(dense);
  return dense;
}

class LoopJacobians : public ::testing::TestWithParam<const char*> {
 protected:
  LoopJacobians() {
    const std::string name = GetParam();
    const std::string file = sourceFolder() + "/models/" + name + "/" + name + ".urdf";
    robot = world.addArticulatedSystem(io::loadRobot(file).value());
    dof = robot->getDOF();
    isFloating = robot->model().topology.floating;
    q = robot->getGeneralizedCoordinate();
    u = VectorXd(dof);
    for (int i = 0; i < dof; ++i) u[i] = 0.5 * std::cos(1.3 * i + 0.4);
    for (Eigen::Index i = isFloating ? 7 : 0; i < q.size(); ++i)
      q[i] += 0.05 * std::sin(2.1 * i + 1);
    moveTo(0);
  }

  /// Along the motion of the independent joints at constant rates.
  void moveTo(double t) {
    VectorXd at = q;
    const int first = isFloating ? 6 : 0;
    at.tail(dof - first) += t * u.tail(dof - first);
    if (isFloating) {
      at.head<3>() += t * u.head<3>();
      const Eigen::Vector3d turn = t * u.segment<3>(3);
      const Eigen::Quaterniond step(Eigen::AngleAxisd(turn.norm(), turn.stableNormalized()));
      const Eigen::Quaterniond now = step * Eigen::Quaterniond(q[3], q[4], q[5], q[6]);
      at.segment<4>(3) << now.w(), now.x(), now.y(), now.z();
    }
    robot->setState(at, u);
  }

  World world;
  ArticulatedSystem* robot;
  int dof;
  bool isFloating;
  VectorXd q, u;
  const Vec<3> point{0.03, -0.02, 0.05};
};

TEST_P(LoopJacobians, SparseOnesAreTheDenseOnes) {
  const int bodies = static_cast<int>(robot->model().topology.nb);
  for (int b = 1; b < bodies; ++b) {
    SparseJacobian J;
    MatrixXd dense = MatrixXd::Zero(3, dof);
    robot->getSparseJacobian(b, S::BODY_FRAME, point, J);
    robot->getDenseJacobian(b, S::BODY_FRAME, point, dense);
    EXPECT_LT((denseOf(J, dof) - dense).norm(), 1e-14);
    Eigen::Vector3d v;
    robot->getVelocity(b, point, v);
    EXPECT_LT((J.times(u) - v).norm(), 1e-12 * (1 + v.norm()));
    dense.setZero();
    robot->getSparseRotationalJacobian(b, J);
    robot->getDenseRotationalJacobian(b, dense);
    EXPECT_LT((denseOf(J, dof) - dense).norm(), 1e-14);
  }
}

TEST_P(LoopJacobians, RatesAgreeWithDifferences) {
  const double h = 1e-4;
  const int bodies = static_cast<int>(robot->model().topology.nb);
  for (int b = 1; b < bodies; b += 1 + bodies / 10) {
    const auto at = [&](double t) {
      moveTo(t);
      SparseJacobian J, turn;
      robot->getSparseJacobian(b, S::BODY_FRAME, point, J);
      robot->getSparseRotationalJacobian(b, turn);
      MatrixXd both(6, dof);
      both << denseOf(J, dof), denseOf(turn, dof);
      return both;
    };
    const MatrixXd wide = (at(2 * h) - at(-2 * h)) / (4 * h), narrow = (at(h) - at(-h)) / (2 * h),
                   wanted = (4 * narrow - wide) / 3;  // of fourth order
    moveTo(0);
    SparseJacobian J, turn;
    robot->getTimeDerivativeOfSparseJacobian(b, S::BODY_FRAME, point, J);
    robot->getTimeDerivativeOfSparseRotationalJacobian(b, turn);
    EXPECT_LT((denseOf(J, dof) - wanted.topRows(3)).norm(), 1e-8 * (1 + wanted.norm())) << b;
    EXPECT_LT((denseOf(turn, dof) - wanted.bottomRows(3)).norm(), 1e-8 * (1 + wanted.norm())) << b;
  }
}

INSTANTIATE_TEST_SUITE_P(Models, LoopJacobians,
                         ::testing::Values("four_bar", "slider_crank", "six_bar", "delta",
                                           "differential_leg", "tello_leg", "geared_biped",
                                           "beest"),
                         [](const auto& robot) { return std::string(robot.param); });

}  // namespace
}  // namespace espalier
