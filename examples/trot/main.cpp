// The contact forces of a trot. The four legs of a quadruped follow a simple gait, diagonal legs
// together, and the vertical force on each foot is written as a table: t, LF, RF, LH, RH (s, N).
// Over any time the ground's impulse is that of the weight and the change of momentum, up to the error
// of the steps.
//
//   example_trot [forces.csv]

#include <cmath>
#include <cstdio>
#include <fstream>
#include <numbers>

#include "espalier/world/world.h"

const char* const legs[] = {"LF", "RF", "LH", "RH"};

// Angles of all joints at a time: each leg is a triangle of two sides of 0.3 m that shortens, and swings.
Eigen::VectorXd gait(double time) {
  Eigen::VectorXd q(19);
  q << 0, 0, 0.53, 1, 0, 0, 0, Eigen::VectorXd::Zero(12);
  for (int leg = 0; leg < 4; ++leg) {
    const bool isFront = leg < 2, isFirstPair = leg == 0 || leg == 3;
    const double phase = 2 * std::numbers::pi * (2 * time + (isFirstPair ? 0 : 0.5));
    const double length = 0.5 - 0.05 * std::max(0.0, std::sin(phase));
    const double bend = std::acos(length / 0.6) * (isFront ? 1 : -1);
    q[7 + 3 * leg + 1] = bend + 0.06 * std::cos(phase);
    q[7 + 3 * leg + 2] = -2 * bend;
  }
  return q;
}

int main(int count, char** arguments) {
  espalier::World world;
  world.setTimeStep(0.001);
  world.addGround();
  auto* robot = world.addArticulatedSystem("models/strider/strider.urdf");
  robot->setPdGains(Eigen::VectorXd::Constant(18, 500), Eigen::VectorXd::Constant(18, 15));
  robot->setGeneralizedCoordinate(gait(0));
  std::ofstream table(count > 1 ? arguments[1] : "/dev/null");

  double impulse = 0, momentum = robot->getLinearMomentum()[2];
  for (int i = 0; i < 4000; ++i) {
    robot->setPdTarget(gait(i * 0.001), Eigen::VectorXd::Zero(18));
    world.integrate();
    double force[4] = {};
    for (const espalier::ContactView& contact : robot->getContacts())
      for (int leg = 0; leg < 4; ++leg)
        if (contact.getlocalBodyIndex() == robot->getBodyIdx(std::string(legs[leg]) + "_shank"))
          force[leg] += contact.getImpulseOnThis()[2] / 0.001;
    table << i * 0.001 << ',' << force[0] << ',' << force[1] << ',' << force[2] << ',' << force[3]
          << '\n';
    for (double f : force) impulse += f * 0.001;
  }
  momentum = robot->getLinearMomentum()[2] - momentum;
  std::printf("walked %.3f m in 4 s\n", robot->getBasePosition()[0]);
  std::printf("impulse of the ground      %.4f N s\n", impulse);
  std::printf("weight, change of momentum %.4f N s\n", robot->getTotalMass() * 9.81 * 4 + momentum);
}
