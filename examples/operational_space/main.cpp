// Operational-space control (Khatib, 1987). The motors of an arm make its tool behave as a free unit
// mass on a critically damped spring, whatever the arm's posture:
//
//   tau = J' Lambda (a - Jdot u) + h,   Lambda = (J M^-1 J')^-1,   a = w^2 (goal - x) - 2 w v
//
// so the distance to the goal is that of the closed form, d(t) = d(0) (1 + w t) exp(-w t). The motion
// that the tool does not see is damped.
//
//   example_operational_space

#include <Eigen/LU>
#include <cmath>
#include <cstdio>

#include "espalier/world/world.h"

int main() {
  espalier::World world;
  world.setTimeStep(0.001);
  auto* arm = world.addArticulatedSystem("models/arm7/arm7.urdf");
  const int n = arm->getDOF();
  arm->setJointFriction(Eigen::VectorXd::Zero(n));  // losses that the law does not know of
  arm->setJointDamping(Eigen::VectorXd::Zero(n));
  arm->setGeneralizedCoordinate({0, 0.4, 0, 1.5, 0, 1.24, 0});

  const double w = 4;  // rad/s
  const Eigen::Vector3d start = arm->getFramePosition("tool_mount");
  const Eigen::Vector3d goal = start + Eigen::Vector3d(-0.15, 0.25, 0.2);
  double difference = 0;
  for (int i = 0; i <= 2000; ++i) {
    const Eigen::Vector3d x = arm->getFramePosition("tool_mount");
    const double closed = (goal - start).norm() * (1 + w * i * 0.001) * std::exp(-w * i * 0.001);
    difference = std::max(difference, std::abs((goal - x).norm() - closed));
    if (i % 400 == 0)
      std::printf("%.1f s: %.4f m to go, %.4f by the closed form\n", i * 0.001, (goal - x).norm(),
                  closed);

    const Eigen::VectorXd u = arm->getGeneralizedVelocity();
    const Eigen::MatrixXd J = arm->getDenseFrameJacobian("tool_mount");
    espalier::SparseJacobian Jdot;
    arm->getTimeDerivativeOfSparseFrameJacobian("tool_mount", Jdot);
    const Eigen::MatrixXd Minv = arm->getInverseMassMatrix();
    const Eigen::Matrix3d Lambda = (J * Minv * J.transpose()).inverse();
    const Eigen::Vector3d a = w * w * (goal - x) - 2 * w * (J * u) - Jdot.times(u);
    const Eigen::MatrixXd N =  // projects onto the torques that do not accelerate the tool
        Eigen::MatrixXd::Identity(n, n) - J.transpose() * Lambda * J * Minv;
    const Eigen::VectorXd damping = arm->getMassMatrix() * (-5 * u);
    const Eigen::VectorXd h = arm->getNonlinearities();
    arm->setGeneralizedForce(J.transpose() * Lambda * a + N * damping + h);
    world.integrate();
  }
  std::printf("largest difference: %.1e m\n", difference);
}
