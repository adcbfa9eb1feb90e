// An arm's tool follows a circle by inverse kinematics; the circle and the tool's path are lines.

#include <cmath>

#include "espalier/raisim.h"

int main(int, char* argv[]) {
  auto binaryPath = raisim::Path::setFromArgv(argv[0]);
  raisim::World::setActivationKey(binaryPath.getDirectory() + "/rsc/activation.raisim");

  raisim::World world;
  world.setTimeStep(0.001);
  world.addGround();
  auto* arm = world.addArticulatedSystem(binaryPath.getDirectory() + "/rsc/arm7/arm7.urdf");
  const int dof = arm->getDOF();
  Eigen::VectorXd target(dof), rate = Eigen::VectorXd::Zero(dof);
  target << 0.0, 0.4, 0.0, 1.5, 0.0, 1.24, 0.0;
  arm->setGeneralizedCoordinate(target);
  arm->setPdGains(Eigen::VectorXd::Constant(dof, 5000), Eigen::VectorXd::Constant(dof, 100));
  const auto tool = arm->getFrameIdxByName("tool_mount");
  raisim::Vec<3> start;
  arm->getFramePosition(tool, start);

  raisim::RaisimServer server(&world);
  auto* circle = server.addVisualPolyLine("circle");
  circle->setColor(0.2, 0.6, 0.2, 1);
  auto* path = server.addVisualPolyLine("path");
  path->setColor(0.9, 0.2, 0.2, 1);
  path->width = 0.02;
  const auto wanted = [&](double time) {
    const double angle = M_PI * time;
    return Eigen::Vector3d(start[0], start[1] + 0.1 * std::sin(angle),
                           start[2] + 0.1 * (1 - std::cos(angle)));
  };
  for (int i = 0; i <= 100; ++i) circle->addPoint(wanted(0.02 * i));
  server.launchServer();
  server.focusOn(arm);

  double worst = 0;
  Eigen::MatrixXd jacobian = Eigen::MatrixXd::Zero(3, dof);
  for (int i = 0; i < 1000; ++i) {
    RS_TIMED_LOOP(int(world.getTimeStep() * 1e6))
    raisim::Vec<3> position;
    arm->getFramePosition(tool, position);
    arm->getDenseFrameJacobian(tool, jacobian);
    const double time = world.getWorldTime(), dt = world.getTimeStep();
    const Eigen::Vector3d velocity =
        (wanted(time + dt) - wanted(time)) / dt + 20 * (wanted(time) - position.e());
    const Eigen::Matrix3d damped =
        jacobian * jacobian.transpose() + 1e-4 * Eigen::Matrix3d::Identity();
    rate = jacobian.transpose() * damped.inverse() * velocity;
    target += dt * rate;
    arm->setPdTarget(target, rate);
    arm->setGeneralizedForce(arm->getNonlinearities(world.getGravity()));
    server.integrateWorldThreadSafe();
    if (i % 10 == 0) {
      server.lockVisualizationServerMutex();
      path->addPoint(position.e());
      server.unlockVisualizationServerMutex();
    }
    if (i > 100) worst = std::max(worst, (wanted(time) - position.e()).norm());
  }
  server.killServer();
  RSINFO("the tool was at most " << worst << " m beside the circle")
  RSFATAL_IF(worst > 0.01, "the tool left the circle")
  return 0;
}
