#include "espalier/core/check.h"
#include "espalier/world/articulated_system.h"
#include "espalier/world/joint_forces.h"

namespace espalier {

void ArticulatedSystem::setComputeInverseDynamics(bool on) {
  if (on == getComputeInverseDynamics()) return;
  system_.jointForces = on ? std::make_shared<JointForces>(model().topology) : nullptr;
}
bool ArticulatedSystem::getComputeInverseDynamics() const { return system_.jointForces != nullptr; }

const JointForces& ArticulatedSystem::jointForces() const {
  ESPALIER_REQUIRE(system_.jointForces, "call setComputeInverseDynamics(true) first");
  ESPALIER_REQUIRE(system_.jointForces->isKnown, "no step was taken since inverse dynamics is on");
  return *system_.jointForces;
}

Vec<3> ArticulatedSystem::getForceAtJointInWorldFrame(int joint) const {
  return jointForces().wrench[static_cast<std::size_t>(bodyAt(joint))].f;
}
Vec<3> ArticulatedSystem::getTorqueAtJointInWorldFrame(int joint) const {
  return jointForces().wrench[static_cast<std::size_t>(bodyAt(joint))].n;
}

void ArticulatedSystem::getFrameAcceleration(const FrameOf& which,
                                             Eigen::Vector3d& acceleration) const {
  const CoordinateFrame& f = frameAt(which);
  const JointForces& forces = jointForces();
  const auto b = static_cast<std::size_t>(f.parentId);
  acceleration = Vec<3>(accelerationAt(forces.ws.V[b], forces.A[b], originOf(forces.ws, f)));
}
Vec<3> ArticulatedSystem::getFrameAcceleration(const FrameOf& frame) const {
  Vec<3> acceleration;
  getFrameAcceleration(frame, acceleration);
  return acceleration;
}
Vec<3> ArticulatedSystem::getFrameAngularAcceleration(const FrameOf& frame) const {
  const CoordinateFrame& f = frameAt(frame);
  return jointForces().A[static_cast<std::size_t>(f.parentId)].w;
}

}  // namespace espalier
