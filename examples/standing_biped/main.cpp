// Inverse dynamics of a robot that floats. A biped stands and is pushed; no motor has a PD of its own.
// At each step the accelerations that bring it back to its pose are chosen, and the torques and the
// wrenches f on the two feet that give them follow from
//
//   M udot + h = S' tau + J' f
//
// The base has no motors: its six rows say f (the smallest there is), the others tau.
//
//   example_standing_biped

#include <Eigen/QR>
#include <cstdio>
#include <string>

#include "espalier/world/world.h"

int main() {
  espalier::World world;
  world.setTimeStep(0.001);
  world.addGround();
  auto* robot = world.addArticulatedSystem("models/biped/biped.urdf");
  robot->setBasePos({0, 0, 0.8853});
  for (const std::string side : {"L", "R"}) {
    robot->getJoint(side + "_hip_pitch").setJointAngle(-0.35);
    robot->getJoint(side + "_knee").setJointAngle(0.7);
    robot->getJoint(side + "_ankle_pitch").setJointAngle(-0.35);
  }
  const Eigen::VectorXd pose = robot->getGeneralizedCoordinate();
  const int n = robot->getDOF();

  for (int i = 0; i <= 4000; ++i) {
    const Eigen::VectorXd q = robot->getGeneralizedCoordinate();
    Eigen::VectorXd back(n);  // from q to the pose: base position, its rotation vector, joints
    back << pose.head(3) - q.head(3), -2 * q.segment(4, 3), pose.tail(n - 6) - q.tail(n - 6);
    const Eigen::VectorXd udot = 100 * back - 20 * robot->getGeneralizedVelocity();
    const Eigen::VectorXd force = robot->computeInverseDynamics(udot);  // M udot + h

    Eigen::MatrixXd J(12, n);
    J << robot->getDenseFrameRotationalJacobian("L_ankle_roll"),
        robot->getDenseFrameJacobian("L_ankle_roll"),
        robot->getDenseFrameRotationalJacobian("R_ankle_roll"),
        robot->getDenseFrameJacobian("R_ankle_roll");
    const Eigen::MatrixXd base = J.leftCols(6).transpose();
    const Eigen::VectorXd f = base.completeOrthogonalDecomposition().solve(force.head(6));
    robot->setGeneralizedForce(force - J.transpose() * f);              // the first six are zero
    if (1000 <= i && i < 1200) robot->setExternalForce(0, {60, 0, 0});  // N, at the pelvis
    world.integrate();

    if (i % 500 != 0) continue;
    double ground = 0;
    for (const espalier::Contact& contact : world.contacts()) ground += contact.impulse.z / 0.001;
    std::printf("%.1f s: pelvis at %+.4f %.4f m, feet planned %.2f N, measured %.2f N\n", i * 0.001,
                q[0], q[2], f[5] + f[11], ground);
  }
  std::printf("weight %.2f N\n", robot->getTotalMass() * 9.81);
}
