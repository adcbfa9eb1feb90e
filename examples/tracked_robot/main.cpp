// Two robots of one URDF template, as RaiSim's users fill it: a short one with three wheels a side
// and a long one with seven. Both drive straight, then turn on the spot.
//
//   example_tracked_robot

#include <cmath>
#include <cstdio>

#include "espalier/raisim.h"

// A robot with so many wheels a side, its motors holding speeds: a gain on velocity alone.
raisim::ArticulatedSystem* addRobot(raisim::World& world, int wheels, double length, double y) {
  // Names of the template with or without @@; what is not given has the template's own value.
  auto* robot = world.addArticulatedSystem(
      "models/tracked_robot/tracked_robot.urdf",
      {{"@@wheels", std::to_string(wheels)}, {"length", std::to_string(length)}});
  robot->setBasePos({0, y, 0.28});
  Eigen::VectorXd kd = Eigen::VectorXd::Zero(robot->getDOF());
  kd.tail(2 * wheels).setConstant(20);
  robot->setPdGains(0 * kd, kd);
  return robot;
}

// Runs for a time with the wheels of either side at a speed (rad/s).
void drive(raisim::World& world, raisim::ArticulatedSystem* robot, double left, double right,
           double time) {
  const int wheels = (robot->getDOF() - 6) / 2;
  Eigen::VectorXd speed = Eigen::VectorXd::Zero(robot->getDOF());
  speed.segment(6, wheels).setConstant(left);
  speed.tail(wheels).setConstant(right);
  robot->setPdTarget(robot->getGeneralizedCoordinate(), speed);
  for (int i = 0; i < std::lround(time / world.getTimeStep()); ++i) world.integrate();
}

int main() {
  raisim::World world;
  world.setTimeStep(0.002);
  world.addGround();
  raisim::ArticulatedSystem* robots[] = {addRobot(world, 3, 0.8, -2), addRobot(world, 7, 1.8, 2)};
  for (auto* robot : robots) {
    drive(world, robot, 0, 0, 0.5);  // settle
    const raisim::Vec<3> start = robot->getBasePosition();
    drive(world, robot, 5, 5, 2);
    const double distance = (robot->getBasePosition() - start).norm();
    const raisim::Mat<3, 3> before = robot->getBaseOrientation();
    drive(world, robot, -5, 5, 1);
    const raisim::Mat<3, 3> turn = before.transpose() * robot->getBaseOrientation();
    std::printf("%d wheels a side, %.1f kg: drove %.2f m, then turned by %.2f rad\n",
                (robot->getDOF() - 6) / 2, robot->getTotalMass(), distance,
                std::atan2(turn(1, 0), turn(0, 0)));
    drive(world, robot, 0, 0, 0.5);  // brake
  }
}
