// A robot with its real loops, and the same robot as a tree: its loops left out, as simulators of trees
// need it. Both start in one pose under the same PD on the same motors. Where rods carry the load, in
// Cassie's shanks or at a biped's ankles, the tree's legs give way.
//
//   example_loops_and_tree [examples/loops_and_tree/biped.xml]    or Cassie with a floor, scene.xml

#include <cstdio>

#include "espalier/io/world_xml/world_xml.h"
#include "espalier/world/world.h"

// The motors hold their joints where they are: those of the file's actuators, or else those that the
// file marks independent.
void holdMotors(espalier::ArticulatedSystem* robot, const espalier::SystemSpec& spec) {
  std::vector<std::string> motors;
  for (const espalier::TransmissionSpec& motor : spec.transmissions) motors.push_back(motor.joint);
  for (const espalier::JointSpec& joint : spec.joints)
    if (joint.independent.value_or(false)) motors.push_back(joint.name);

  Eigen::VectorXd kp = Eigen::VectorXd::Zero(robot->getDOF()), kd = kp;
  for (const std::string& joint : motors) {
    kp[robot->getGeneralizedVelocityIndex(joint)] = 1000;
    kd[robot->getGeneralizedVelocityIndex(joint)] = 30;
  }
  robot->setPdGains(kp, kd);
  robot->setPdTarget(robot->getGeneralizedCoordinate(), 0 * kd);
}

int main(int count, char** arguments) {
  const char* file = count > 1 ? arguments[1] : "examples/loops_and_tree/biped.xml";
  espalier::WorldSpec spec = espalier::io::loadWorld(file).value();
  spec.timeStep = 0.001;
  espalier::World realWorld(spec);
  espalier::ArticulatedSystem* real = realWorld.system(0);

  const Eigen::VectorXd q = real->getSpanningCoordinate();  // of all joints
  spec.systems[0].q.assign(q.begin(), q.end());
  spec.systems[0].system.loops.clear();
  espalier::World treeWorld(spec);
  espalier::ArticulatedSystem* tree = treeWorld.system(0);

  std::printf("degrees of freedom: %d with loops, %d as a tree\n", real->getDOF(), tree->getDOF());
  for (auto* robot : {real, tree}) holdMotors(robot, spec.systems[0].system);
  for (int i = 0; i <= 3000; ++i) {
    if (i % 500 == 0)
      std::printf("%.1f s: base at %.4f m with loops, %.4f m as a tree\n", i * 0.001,
                  real->getBasePosition()[2], tree->getBasePosition()[2]);
    realWorld.integrate();
    treeWorld.integrate();
  }
  std::printf("largest gap of a loop: %.1e m\n", real->getClosureResidual());
}
