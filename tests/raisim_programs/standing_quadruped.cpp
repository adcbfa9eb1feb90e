// A quadruped stands under PD control and is pushed.

#include "espalier/raisim.h"

int main(int, char* argv[]) {
  auto binaryPath = raisim::Path::setFromArgv(argv[0]);
  raisim::World::setActivationKey(binaryPath.getDirectory() + "/rsc/activation.raisim");

  raisim::World world;
  world.setTimeStep(0.002);
  world.addGround();

  auto robot =
      world.addArticulatedSystem(binaryPath.getDirectory() + "/rsc/quadruped/quadruped.urdf");
  robot->setName("quadruped");
  Eigen::VectorXd jointNominalConfig(robot->getGeneralizedCoordinateDim()),
      jointVelocityTarget(robot->getDOF());
  jointNominalConfig << 0, 0, 0.54, 1.0, 0.0, 0.0, 0.0, 0.03, 0.4, -0.8, -0.03, 0.4, -0.8, 0.03,
      -0.4, 0.8, -0.03, -0.4, 0.8;
  jointVelocityTarget.setZero();

  Eigen::VectorXd jointPgain(robot->getDOF()), jointDgain(robot->getDOF());
  jointPgain.setZero();
  jointDgain.setZero();
  jointPgain.tail(12).setConstant(100.0);
  jointDgain.tail(12).setConstant(2.0);

  robot->setGeneralizedCoordinate(jointNominalConfig);
  robot->setGeneralizedForce(Eigen::VectorXd::Zero(robot->getDOF()));
  robot->setControlMode(raisim::ControlMode::PD_PLUS_FEEDFORWARD_TORQUE);
  robot->setPdGains(jointPgain, jointDgain);
  robot->setPdTarget(jointNominalConfig, jointVelocityTarget);

  raisim::RaisimServer server(&world);
  server.focusOn(robot);
  server.launchServer();
  for (int i = 0; i < 500; ++i) {
    RS_TIMED_LOOP(int(world.getTimeStep() * 1e6))
    if (i > 150 && i < 450) robot->setExternalForce(0, {0, 30, 0});
    server.integrateWorldThreadSafe();
  }
  server.killServer();

  Eigen::VectorXd gc, gv;
  robot->getState(gc, gv);
  RSISNAN(gc[2])
  RSFATAL_IF(gc[2] < 0.4, "the robot fell to " << gc[2] << " m")
  RSINFO("it stands at " << gc[2] << " m")
  return 0;
}
