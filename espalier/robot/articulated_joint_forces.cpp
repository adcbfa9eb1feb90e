#include "espalier/core/check.h"
#include "espalier/robot/articulated_system.h"
#include "espalier/step/joint_forces.h"

namespace espalier {

void ArticulatedSystem::setComputeInverseDynamics(bool on) {
  if (on == getComputeInverseDynamics()) return;
  system_.jointForces =
      on ? std::make_shared<JointForces>(model().topology, model().mechanism) : nullptr;
}
bool ArticulatedSystem::getComputeInverseDynamics() const { return system_.jointForces != nullptr; }

const JointForces& ArticulatedSystem::jointForces() const {
  ESPALIER_REQUIRE(system_.jointForces, "call setComputeInverseDynamics(true) first");
  ESPALIER_REQUIRE(system_.jointForces->isKnown, "no step was taken since inverse dynamics is on");
  return *system_.jointForces;
}

Vec<3> ArticulatedSystem::getForceAtJointInWorldFrame(int joint) const {
  return jointForces().wrench[bodyAt(joint)].f;
}
Vec<3> ArticulatedSystem::getTorqueAtJointInWorldFrame(int joint) const {
  return jointForces().wrench[bodyAt(joint)].n;
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
  const JointForces& forces = jointForces();
  const auto b = static_cast<std::size_t>(f.parentId);
  if (f.rotor < 0) return forces.A[b].w;
  const RotorInfo& rotor = model().rotors[f.rotor];
  const Vec3d a = axisOf(forces.ws, rotor);
  return forces.A[b].w + a * rotor.rate(forces.udot.data()) +
         cross(forces.ws.V[b].w, a) * rotor.rate(forces.rates.data());
}

}  // namespace espalier
