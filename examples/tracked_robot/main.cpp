// Two robots of one URDF template, as RaiSim's users fill it: a short one with three wheels a side
// and a long one with seven. Both drive straight, then turn on the spot.
//
//   example_tracked_robot models/tracked_robot/tracked_robot.urdf

#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
#include <unordered_map>

#include "espalier/raisim.h"

namespace {

/// One robot and how it is driven.
class Vehicle {
 public:
  Vehicle(raisim::World& world, const std::string& urdf, int wheels, double length, double y)
      : wheels_(wheels) {
    // Names of the template with or without @@; what is not given has the template's own value.
    std::unordered_map<std::string, std::string> parameters;
    parameters["@@wheels"] = std::to_string(wheels);
    parameters["length"] = std::to_string(length);
    robot_ = world.addArticulatedSystem(urdf, parameters);
    robot_->setBasePos({0, y, 0.28});
    // Wheels are held to a speed: a gain on velocity alone.
    Eigen::VectorXd kp = Eigen::VectorXd::Zero(robot_->getDOF()), kd = kp;
    kd.tail(2 * wheels).setConstant(20);
    robot_->setPdGains(kp, kd);
    target_ = Eigen::VectorXd::Zero(robot_->getDOF());
  }

  /// rad/s of all wheels on either side.
  void drive(double left, double right) {
    target_.segment(6, wheels_).setConstant(left);
    target_.tail(wheels_).setConstant(right);
    robot_->setPdTarget(robot_->getGeneralizedCoordinate(), target_);
  }
  raisim::Vec<3> position() const { return robot_->getBasePosition(); }
  /// rad, of the hull about the vertical.
  double heading() const {
    const raisim::Mat<3, 3> R = robot_->getBaseOrientation();
    return std::atan2(R(1, 0), R(0, 0));
  }
  int wheels() const { return wheels_; }
  double mass() const { return robot_->getTotalMass(); }

 private:
  raisim::ArticulatedSystem* robot_;
  int wheels_;
  Eigen::VectorXd target_;
};

void run(raisim::World& world, double time) {
  for (int i = 0; i < std::lround(time / world.getTimeStep()); ++i) world.integrate();
}

void show(const std::string& urdf) {
  raisim::World world;
  world.setTimeStep(0.002);
  world.addGround();
  Vehicle vehicles[] = {{world, urdf, 3, 0.8, -2}, {world, urdf, 7, 1.8, 2}};
  run(world, 0.5);  // settle

  for (Vehicle& v : vehicles) {
    const raisim::Vec<3> start = v.position();
    v.drive(5, 5);
    run(world, 2);
    const double distance = (v.position() - start).norm();
    v.drive(-5, 5);
    const double before = v.heading();
    run(world, 1);
    std::printf("%d wheels a side, %.1f kg: drove %.2f m, then turned by %.2f rad\n", v.wheels(),
                v.mass(), distance, v.heading() - before);
    v.drive(0, 0);
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return std::fputs("give the template's file\n", stderr), 2;
  try {
    show(arguments[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
