#include "espalier/robot/articulated_refs.h"

#include <utility>

#include "espalier/core/check.h"
#include "espalier/robot/articulated_system.h"

namespace espalier {
namespace {

const BodyTopology& topologyOf(const ArticulatedSystem& system, int body) {
  return system.model().topology.bodies[body];
}
/// Of a joint among all joints, those that loops make dependent too.
int firstDof(const ArticulatedSystem& system, const BodyTopology& t) {
  return system.model().spanningDof[t.u];
}
/// Of a joint that turns a rotor that is no body; else null.
const RotorInfo* rotorOf(ArticulatedSystem& system, int frame) {
  const int rotor = system.getFrameByIdx(frame).rotor;
  return rotor < 0 ? nullptr : &system.model().rotors[rotor];
}
void requireIndependent(int place, const std::string& joint) {
  ESPALIER_REQUIRE(place >= 0, "joint '" + joint +
                                   "' follows from others by its loops: set those, or use the "
                                   "spanning calls");
}
void requireSize(const Eigen::VectorXd& v, int size, const std::string& joint) {
  ESPALIER_REQUIRE(v.size() == size, "joint '" + joint + "' has " + std::to_string(size) +
                                         " numbers, not " + std::to_string(v.size()));
}

}  // namespace

// ---- joints

JointRef::JointRef(ArticulatedSystem& system, int frame) : system_(&system), frame_(frame) {}

const std::string& JointRef::getName() const { return system_->getFrameByIdx(frame_).name; }
JointKind JointRef::getType() const { return system_->getFrameByIdx(frame_).jointType; }
bool JointRef::isMovable() const { return system_->getFrameByIdx(frame_).isChild; }
int JointRef::getIndex() const { return system_->getFrameByIdx(frame_).parentId; }
int JointRef::movable() const {
  ESPALIER_REQUIRE(!rotorOf(*system_, frame_),
                   "joint '" + getName() +
                       "' turns a geared rotor, which follows from other joints and is part of its "
                       "carrier: set those, flag the joint independent=\"true\", or compile with "
                       "SystemSpec::rotorsAsBodies");
  ESPALIER_REQUIRE(isMovable(), "joint '" + getName() + "' does not move");
  return getIndex();
}
int JointRef::getIdxInGeneralizedVelocity() const {
  if (!isMovable()) return -1;
  return system_->getMappingFromBodyIndexToGeneralizedVelocityIndex()[std::size_t(getIndex())];
}
int JointRef::getIdxInGeneralizedCoordinate() const {
  if (!isMovable()) return -1;
  return system_->getMappingFromBodyIndexToGeneralizedCoordinateIndex()[std::size_t(getIndex())];
}

void JointRef::getPosition(Eigen::Vector3d& position) const {
  system_->getFramePosition(frame_, position);
}
Mat<3, 3> JointRef::getOrientation() const { return system_->getFrameOrientation(frame_); }
void JointRef::getPose(Eigen::Vector3d& position, Eigen::Matrix3d& R_WF) const {
  system_->getFramePosition(frame_, position);
  system_->getFrameOrientation(frame_, R_WF);
}
Vec<3> JointRef::getLinearVelocity() const { return system_->getFrameVelocity(frame_); }
Vec<3> JointRef::getAngularVelocity() const { return system_->getFrameAngularVelocity(frame_); }
Vec<3> JointRef::getAxis() const { return system_->getJointAxis(movable()); }
Vec<3> JointRef::getPositionInParentFrame() const {
  return std::as_const(*system_).getJointPos_P()[movable()];
}
Vec<3> JointRef::getJointAxis() const {
  return std::as_const(*system_).getJointAxis_P()[movable()];
}

VecDyn JointRef::getJointCoordinate() const {
  if (const RotorInfo* rotor = rotorOf(*system_, frame_))
    return system_->getRotorCoordinate().segment(rotor - system_->model().rotors.data(), 1);
  const BodyTopology& t = topologyOf(*system_, movable());
  const int first = system_->model().spanningCoordinate[t.q];
  return system_->getSpanningCoordinate().segment(first, t.nq);
}
void JointRef::getJointCoordinate(Eigen::VectorXd& q) const { q = getJointCoordinate(); }
VecDyn JointRef::getJointVelocity() const {
  if (const RotorInfo* rotor = rotorOf(*system_, frame_))
    return system_->getRotorVelocity().segment(rotor - system_->model().rotors.data(), 1);
  const BodyTopology& t = topologyOf(*system_, movable());
  return system_->getSpanningVelocity().segment(firstDof(*system_, t), t.nv);
}
void JointRef::setJointCoordinate(const Eigen::VectorXd& q) {
  const BodyTopology& t = topologyOf(*system_, movable());
  requireSize(q, t.nq, getName());
  requireIndependent(getIdxInGeneralizedVelocity(), getName());
  VecDyn all = system_->getGeneralizedCoordinate();
  all.segment(getIdxInGeneralizedCoordinate(), t.nq) = q;
  system_->setGeneralizedCoordinate(all);
}
void JointRef::setJointVelocity(const Eigen::VectorXd& u) {
  const BodyTopology& t = topologyOf(*system_, movable());
  requireSize(u, t.nv, getName());
  requireIndependent(getIdxInGeneralizedVelocity(), getName());
  VecDyn all = system_->getGeneralizedVelocity();
  all.segment(getIdxInGeneralizedVelocity(), t.nv) = u;
  system_->setGeneralizedVelocity(all);
}
double JointRef::getJointAngle() const { return getJointCoordinate()[0]; }
void JointRef::setJointAngle(double q) { setJointCoordinate(VecDyn{q}); }

VecDyn JointRef::getAppliedForce() const {
  const BodyTopology& t = topologyOf(*system_, movable());
  return system_->getSpanningAppliedForce().segment(firstDof(*system_, t), t.nv);
}
void JointRef::setFeedForwardForce(const Eigen::VectorXd& tau) {
  const BodyTopology& t = topologyOf(*system_, movable());
  requireSize(tau, t.nv, getName());
  requireIndependent(getIdxInGeneralizedVelocity(), getName());
  VecDyn all = system_->getFeedForwardGeneralizedForce();
  all.segment(getIdxInGeneralizedVelocity(), t.nv) = tau;
  system_->setGeneralizedForce(all);
}
Vec<2> JointRef::getLimits() const { return system_->getJointLimits()[movable()]; }
void JointRef::setLimits(double lower, double upper) {
  auto limits = system_->getJointLimits();
  limits[movable()] = {lower, upper};
  system_->setJointLimits(limits);
}

// ---- links

namespace {

const FrameInfo& linkOf(const ArticulatedSystem& system, int link) {
  return system.model().links[link];
}

/// A torque on a rotor drives the joints it is geared to, too.
void requireNoRotor(const FrameInfo& link) {
  ESPALIER_REQUIRE(link.rotor < 0, "link '" + link.name +
                                       "' is a geared rotor and part of its carrier: push that, or "
                                       "compile with SystemSpec::rotorsAsBodies");
}

/// The frame of a rotor, which is that of its link too.
const std::string& jointOf(const ArticulatedSystem& system, int rotor) {
  return system.model().rotors[rotor].joint;
}

}  // namespace

const std::string& LinkRef::getName() const { return linkOf(*system_, link_).name; }
int LinkRef::getBodyIndex() const { return linkOf(*system_, link_).body; }

Vec<3> LinkRef::inBody(const Vec<3>& point_L) const {
  return linkOf(*system_, link_).X_LF * static_cast<Vec3d>(point_L);
}
void LinkRef::getPosition(Eigen::Vector3d& position) const {
  system_->getPosition(getBodyIndex(), inBody({0, 0, 0}), position);
}
void LinkRef::getOrientation(Eigen::Matrix3d& R_WL) const {
  const FrameInfo& link = linkOf(*system_, link_);
  if (link.rotor >= 0) {
    R_WL = system_->getFrameOrientation(jointOf(*system_, link.rotor));
    return;
  }
  system_->getBodyOrientation(getBodyIndex(), R_WL);
  R_WL *= Mat<3, 3>(link.X_LF.R);
}
void LinkRef::getPose(Eigen::Vector3d& position, Eigen::Matrix3d& R_WL) const {
  getPosition(position);
  getOrientation(R_WL);
}
Vec<3> LinkRef::getLinearVelocity() const {
  Vec<3> velocity;
  system_->getVelocity(getBodyIndex(), inBody({0, 0, 0}), velocity);
  return velocity;
}
Vec<3> LinkRef::getAngularVelocity() const {
  const int rotor = linkOf(*system_, link_).rotor;
  if (rotor >= 0) return system_->getFrameAngularVelocity(jointOf(*system_, rotor));
  Vec<3> velocity;
  system_->getAngularVelocity(getBodyIndex(), velocity);
  return velocity;
}
void LinkRef::setExternalForce(const Vec<3>& force) {
  system_->setExternalForce(getBodyIndex(), force);
}
void LinkRef::setExternalForce(const Vec<3>& point_L, const Vec<3>& force) {
  requireNoRotor(linkOf(*system_, link_));
  system_->setExternalForce(getBodyIndex(), inBody(point_L), force);
}
void LinkRef::setExternalTorque(const Vec<3>& torque) {
  requireNoRotor(linkOf(*system_, link_));
  system_->setExternalTorque(getBodyIndex(), torque);
}

double LinkRef::getWeight() const { return system_->getMass(getBodyIndex()); }
void LinkRef::setWeight(double mass) { system_->setMass(getBodyIndex(), mass); }
Mat<3, 3> LinkRef::getInertia() const {
  return std::as_const(*system_).getInertia()[getBodyIndex()];
}
void LinkRef::setInertia(const Mat<3, 3>& inertia) { system_->setInertia(getBodyIndex(), inertia); }
Vec<3> LinkRef::getComPositionInParentFrame() const {
  return std::as_const(*system_).getBodyCOM_B()[getBodyIndex()];
}
void LinkRef::setComPositionInParentFrame(const Vec<3>& com) {
  system_->setCOM(getBodyIndex(), com);
}

namespace {

template <class Part>
std::unordered_map<std::string, Part*> byName(std::vector<Part>& parts, int body) {
  std::unordered_map<std::string, Part*> found;
  for (Part& part : parts)
    if (part.localIdx == static_cast<std::size_t>(body)) found.emplace(part.name, &part);
  return found;
}
template <class Part>
Part* find(const std::unordered_map<std::string, Part*>& parts, const std::string& name) {
  const auto found = parts.find(name);
  return found == parts.end() ? nullptr : found->second;
}

}  // namespace

std::unordered_map<std::string, CollisionBody*> LinkRef::getCollisionSet() const {
  return byName(system_->getCollisionBodies(), getBodyIndex());
}
std::unordered_map<std::string, VisObject*> LinkRef::getVisualSet() const {
  return byName(system_->getVisOb(), getBodyIndex());
}
CollisionBody* LinkRef::getCollisionDefinition(const std::string& name) const {
  return find(getCollisionSet(), name);
}
VisObject* LinkRef::getVisualObject(const std::string& name) const {
  return find(getVisualSet(), name);
}

}  // namespace espalier
