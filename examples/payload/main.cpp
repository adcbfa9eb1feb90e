// Identification of a payload: its mass, centre of mass and inertia from the torques of a motion.
// Ten point masses in the hand stand for any rigid body, if some may be negative. A kilogram at a point
// takes the torques J' (J udot + Jdot u - g), so those measured, less those of the empty arm, are a sum
// of ten columns, which least squares weighs.
//
//   example_payload

#include <Eigen/QR>
#include <cmath>
#include <cstdio>

#include "espalier/world/world.h"

using Eigen::MatrixXd, Eigen::VectorXd, Eigen::Matrix3d, Eigen::Vector3d;

int main() {
  auto spec = *espalier::io::loadRobot("models/arm7/arm7.urdf");
  espalier::World model, experiment;
  auto* empty = model.addArticulatedSystem(spec);
  espalier::InertialSpec payload{.mass = 1.8, .I = {0.004, 0, 0, 0.006, 0, 0.008}};
  payload.X_LC.p = {0.03, -0.02, 0.15};
  spec.links.push_back({.name = "payload", .inertial = payload});
  spec.joints.push_back({.name = "grip", .parent = "link7", .child = "payload"});  // fixed
  auto* arm = experiment.addArticulatedSystem(spec);
  arm->setJointFriction(VectorXd::Zero(7));
  arm->setJointDamping(VectorXd::Zero(7));
  arm->setPdGains(VectorXd::Constant(7, 400), VectorXd::Constant(7, 40));
  const Matrix3d d = 0.1 * Matrix3d::Identity();
  MatrixXd points(3, 10), columns(14000, 10), J = MatrixXd::Zero(3, 7);
  points << 0 * d.col(0), d, -d, (0.1 - d.array()).matrix();  // m, in the hand
  VectorXd torques(14000), target(7);
  for (int i = 0; i < 2000; ++i) {
    for (int j = 0; j < 7; ++j) target[j] = 0.6 * std::sin((2 + 0.7 * j) * i * 0.001);
    arm->setPdTarget(target, 0 * target);
    const VectorXd q = arm->getGeneralizedCoordinate(), u = arm->getGeneralizedVelocity();
    experiment.integrate();
    const VectorXd um = (u + arm->getGeneralizedVelocity()) / 2;  // in the middle of the step
    empty->setState((q + arm->getGeneralizedCoordinate()) / 2, um);
    const VectorXd udot = arm->getGeneralizedAcceleration(),
                   tau = arm->getAppliedGeneralizedForce();
    torques.segment(7 * i, 7) = tau - empty->computeInverseDynamics(udot);
    for (int k = 0; k < 10; ++k) {
      espalier::SparseJacobian Jdot;
      empty->getDenseJacobian(7, empty->BODY_FRAME, points.col(k), J);
      empty->getTimeDerivativeOfSparseJacobian(7, empty->BODY_FRAME, points.col(k), Jdot);
      const Vector3d acceleration = J * udot + Jdot.times(um) - model.getGravity();
      columns.block(7 * i, k, 7, 1) = J.transpose() * acceleration;
    }
  }

  const VectorXd masses = columns.colPivHouseholderQr().solve(torques);
  const Vector3d centre = points * masses / masses.sum();
  const MatrixXd arms = points.colwise() - centre;
  const Matrix3d S = arms * masses.asDiagonal() * arms.transpose();  // second moments
  std::printf("mass     %.4f kg (true: 1.8)\n", masses.sum());
  std::printf("centre   %.4f %.4f %.4f m (0.03 -0.02 0.15)\n", centre[0], centre[1], centre[2]);
  std::printf("inertia  %.5f %.5f %.5f kg m^2 (0.004 0.006 0.008)\n", S(1, 1) + S(2, 2),
              S(0, 0) + S(2, 2), S(0, 0) + S(1, 1));
}
