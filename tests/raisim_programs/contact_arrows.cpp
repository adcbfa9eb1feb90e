// The contact forces under a robot's feet as arrows, as long as they are strong.

#include <string>
#include <vector>

#include "espalier/raisim.h"

int main(int, char* argv[]) {
  auto binaryPath = raisim::Path::setFromArgv(argv[0]);
  raisim::World::setActivationKey(binaryPath.getDirectory() + "/rsc/activation.raisim");

  raisim::World world;
  world.setTimeStep(0.001);
  world.addGround();
  auto* robot = world.addArticulatedSystem(binaryPath.getDirectory() + "/rsc/strider/strider.urdf");
  Eigen::VectorXd pose(19);
  pose << 0, 0, 0.53, 1, 0, 0, 0, 0, 0.6, -1.2, 0, 0.6, -1.2, 0, -0.6, 1.2, 0, -0.6, 1.2;
  robot->setGeneralizedCoordinate(pose);
  Eigen::VectorXd kp = Eigen::VectorXd::Zero(18), kd = Eigen::VectorXd::Zero(18);
  kp.tail(12).setConstant(200);
  kd.tail(12).setConstant(5);
  robot->setPdGains(kp, kd);
  robot->setPdTarget(pose, Eigen::VectorXd::Zero(18));

  raisim::RaisimServer server(&world);
  std::vector<raisim::Visuals*> arrows;
  for (int i = 0; i < 8; ++i)
    arrows.push_back(
        server.addVisualArrow("force " + std::to_string(i), 0.02, 0.01, 0.9, 0.4, 0.1, 1));
  server.launchServer();
  server.focusOn(robot);

  const double metresPerNewton = 0.003;
  raisim::Vec<3> sum;
  for (int i = 0; i < 1000; ++i) {
    RS_TIMED_LOOP(int(world.getTimeStep() * 1e6))
    server.integrateWorldThreadSafe();
    server.lockVisualizationServerMutex();
    std::size_t used = 0;
    sum.setZero();
    for (auto& contact : robot->getContacts()) {
      if (contact.skip() || used == arrows.size()) continue;
      Eigen::Vector3d force = contact.getContactFrame().e().transpose() *
                              contact.getImpulse()->e() / world.getTimeStep();
      if (!contact.isObjectA()) force = -force;
      sum += force;
      raisim::Visuals* arrow = arrows[used++];
      arrow->setPosition(contact.getPosition().e());
      arrow->setOrientation(
          Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), force.normalized()));
      arrow->setCylinderSize(0.02, 1e-3 + metresPerNewton * force.norm());
    }
    for (; used < arrows.size(); ++used) arrows[used]->setCylinderSize(0.02, 1e-3);
    server.unlockVisualizationServerMutex();
  }
  server.killServer();

  const double weight = robot->getTotalMass() * 9.81;
  RSFATAL_IF(std::abs(sum[2] - weight) > 0.05 * weight,
             "the feet carry " << sum[2] << " N of " << weight << " N")
  return 0;
}
