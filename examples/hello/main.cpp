// Hello, world: a quadruped drops onto the ground, its motors hold its legs (PD control), and at rest
// the ground carries its weight.
//
//   example_hello

#include <cstdio>

#include "espalier/world/world.h"

int main() {
  espalier::World world;
  world.addGround();
  espalier::ArticulatedSystem* robot = world.addArticulatedSystem("models/strider/strider.urdf");
  // Base position and quaternion, then hip, thigh and knee of each leg.
  robot->setGeneralizedCoordinate({0, 0, 0.7, 1, 0, 0, 0, 0, 0.6, -1.2, 0, 0.6, -1.2,  //
                                   0, -0.6, 1.2, 0, -0.6, 1.2});
  const Eigen::VectorXd ones = Eigen::VectorXd::Ones(robot->getDOF());
  robot->setPdGains(300 * ones, 10 * ones);
  robot->setPdTarget(robot->getGeneralizedCoordinate(), 0 * ones);
  for (int i = 0; i < 3000; ++i) world.integrate();

  double force = 0;
  for (const espalier::Contact& contact : world.contacts())
    force += contact.impulse.z / world.getTimeStep();
  std::printf("base height   %.4f m\n", robot->getBasePosition()[2]);
  std::printf("ground force  %.2f N, weight %.2f N\n", force, robot->getTotalMass() * 9.81);
}
