// The pieces of code in RaiSim's documentation of articulated systems, as a user would bring them:
// only the namespace and the include are ours. It must compile and do what the text says.

#include "espalier/world/world.h"

#include <cstdio>

// Mass-less "foot" marks a point of the shank, as the text advises.
constexpr char kRobot[] = R"(
<robot name="leg">
  <link name="base">
    <inertial><mass value="5"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><capsule radius="0.1" height="0.2"/></geometry></collision>
  </link>
  <joint name="hip" type="revolute">
    <origin xyz="0.2 0 0"/> <parent link="base"/> <child link="shank"/> <axis xyz="0 1 0"/>
    <limit lower="-2" upper="2" effort="50" velocity="10"/>
    <dynamics rotor_inertia="0.01" spring_mount="0" stiffness="0" damping="0.1"/>
  </joint>
  <link name="shank">
    <inertial><origin xyz="0 0 -0.15"/><mass value="1"/>
      <inertia ixx="0.01" iyy="0.01" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <joint name="foot_joint" type="fixed">
    <origin xyz="0 0 -0.3"/> <parent link="shank"/> <child link="foot"/>
  </joint>
  <link name="foot"/>
</robot>)";

void frames() {
  espalier::World world;
  auto anymal = world.addArticulatedSystem(kRobot);
  auto footFrameIndex =
      anymal->getFrameIdxByName("foot_joint");  // the URDF has a joint named "foot_joint"
  espalier::Vec<3> footPosition, footVelocity, footAngularVelocity;
  espalier::Mat<3, 3> footOrientation;
  anymal->getFramePosition(footFrameIndex, footPosition);
  anymal->getFrameOrientation(footFrameIndex, footOrientation);
  anymal->getFrameVelocity(footFrameIndex, footVelocity);
  anymal->getFrameAngularVelocity(footFrameIndex, footAngularVelocity);
  std::printf("foot at %.2f %.2f %.2f\n", footPosition[0], footPosition[1], footPosition[2]);

  // "You can replace getFrameIdxByName by getFrameByName", and modify what it returns.
  auto& footFrame = anymal->getFrameByName("foot_joint");
  footFrame.position[2] -= 0.1;
  anymal->getFramePosition(footFrame, footPosition);
  std::printf("lowered to %.2f\n", footPosition[2]);

  // "The matrix should be initialized to a zero matrix of an appropriate size."
  Eigen::MatrixXd jacobian(3, anymal->getDOF());
  jacobian.setZero();
  anymal->getDenseJacobian(anymal->getBodyIdx("shank"), footPosition, jacobian);
  espalier::SparseJacobian sparse;
  anymal->getSparseJacobian(anymal->getBodyIdx("shank"), footPosition, sparse);
  double difference = 0;
  for (int i = 0; i < sparse.size; i++)
    difference += (jacobian.col(sparse.idx[i]) - sparse.v.col(i)).norm();
  const Eigen::VectorXd u = anymal->getGeneralizedVelocity().e();
  std::printf("columns %d, difference %.1f, energy %.4f\n", sparse.size, difference,
              0.5 * u.dot(anymal->getMassMatrix().e() * u) - anymal->getKineticEnergy());
}

void pd() {
  espalier::World world;
  world.setTimeStep(0.002);
  auto robot = world.addArticulatedSystem(kRobot);
  robot->setGeneralizedCoordinate({0, 0, 1, 1, 0, 0, 0, 0.2});
  world.setGravity({0, 0, 0});

  Eigen::VectorXd pGain(robot->getDOF()), dGain(robot->getDOF());
  pGain << 0, 0, 0, 0, 0, 0, 200;  // set your proportional gain values here
  dGain << 0, 0, 0, 0, 0, 0, 5;    // set your differential gain values here
  robot->setPdGains(pGain, dGain);

  Eigen::VectorXd pTarget(robot->getGeneralizedCoordinateDim()), vTarget(robot->getDOF());
  pTarget << 0, 0, 1, 1, 0, 0, 0, 0.5;  // set your position target
  vTarget << 0, 0, 0, 0, 0, 0, 0;       // set your velocity target
  robot->setPdTarget(pTarget, vTarget);
  for (int i = 0; i < 2000; i++) {
    world.integrate1();
    const Eigen::VectorXd h = robot->getNonlinearities(world.getGravity()).e();
    const Eigen::MatrixXd inverse = robot->getInverseMassMatrix().e();
    if (!(inverse * h).allFinite()) std::puts("not finite");
    world.integrate2();
  }
  std::printf("held at %.4f\n", robot->getGeneralizedCoordinate()[7]);
}

void description() {
  espalier::World world;
  auto robot = world.addArticulatedSystem(kRobot);
  robot->getMass()[1] += 0.5;
  robot->updateMassInfo();  // "IMPORTANT! You must call updateMassInfo"
  robot->getBodyCOM_B()[1][0] += 0.01;
  robot->getJointPos_P()[1][2] -= 0.02;
  auto& body = robot->getCollisionBody("base/0");
  body.setMaterial("rubber");
  robot->setExternalForce(0, {0, 0, 10});
  robot->setExternalTorque(0, {0, 0, 1});
  robot->ignoreCollisionBetween(0, 1);
  world.integrate();
  const auto names = robot->getMovableJointNames();
  const auto& toU = robot->getMappingFromBodyIndexToGeneralizedVelocityIndex();
  const auto& toQ = robot->getMappingFromBodyIndexToGeneralizedCoordinateIndex();
  std::printf("%zu joints, %s at %d and %d, %.1f kg\n", names.size(), names[1].c_str(), toU[1],
              toQ[1], robot->getTotalMass());
}

int main() {
  frames();
  pd();
  description();
}
