// A robot sways under PD control; a transparent one shows what it is asked for.

#include <cmath>

#include "espalier/raisim.h"

int main(int, char* argv[]) {
  auto binaryPath = raisim::Path::setFromArgv(argv[0]);
  raisim::World::setActivationKey(binaryPath.getDirectory() + "/rsc/activation.raisim");
  const std::string file = binaryPath.getDirectory() + "/rsc/quadruped/quadruped.urdf";

  raisim::World world;
  world.setTimeStep(0.002);
  world.addGround();
  auto* robot = world.addArticulatedSystem(file);
  Eigen::VectorXd pose(19);
  pose << 0, 0, 0.54, 1, 0, 0, 0, 0.03, 0.4, -0.8, -0.03, 0.4, -0.8, 0.03, -0.4, 0.8, -0.03, -0.4,
      0.8;
  robot->setGeneralizedCoordinate(pose);
  Eigen::VectorXd kp = Eigen::VectorXd::Zero(18), kd = Eigen::VectorXd::Zero(18);
  kp.tail(12).setConstant(150);
  kd.tail(12).setConstant(4);
  robot->setPdGains(kp, kd);

  raisim::RaisimServer server(&world);
  raisim::ArticulatedSystemVisual* ghost =
      server.addVisualArticulatedSystem("reference", file, 0.2, 0.5, 0.9, 0.4);
  server.launchServer();
  server.focusOn(robot);
  for (int i = 0; i < 500; ++i) {
    RS_TIMED_LOOP(int(world.getTimeStep() * 1e6))
    Eigen::VectorXd target = pose;
    const double sway = 0.1 * std::sin(2 * M_PI * world.getWorldTime());
    for (int leg = 0; leg < 4; ++leg) target[7 + 3 * leg] += sway;
    robot->setPdTarget(target, Eigen::VectorXd::Zero(18));
    server.lockVisualizationServerMutex();
    ghost->setGeneralizedCoordinate(target);
    server.unlockVisualizationServerMutex();
    server.integrateWorldThreadSafe();
  }
  RSFATAL_IF(server.getVisualArticulatedSystem("reference") != ghost, "the ghost is gone")
  server.removeVisualArticulatedSystem(ghost);
  server.killServer();
  const double height = robot->getBasePosition()[2];
  RSFATAL_IF(height < 0.4, "the robot fell to " << height << " m")
  return 0;
}
