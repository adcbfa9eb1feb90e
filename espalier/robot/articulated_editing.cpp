// The description of a robot, read and edited: see editing.h for how edits take effect.

#include <algorithm>
#include <cmath>

#include "espalier/core/check.h"
#include "espalier/robot/articulated_system.h"
#include "espalier/robot/editing.h"
#include "espalier/step/step_data.h"

namespace espalier {
namespace {

/// Something the caller may keep a reference to.
template <class T>
std::vector<T>& handOut(StepData& world, System& sys, HandedOut what,
                        std::vector<T> Description::*member) {
  Editing& e = editingOf(world, sys);
  e.handedOut |= static_cast<unsigned>(what);
  return e.written.*member;
}

/// One entry, written by a setter.
template <class T, class V>
void write(StepData& world, System& sys, std::vector<T> Description::*member, int body,
           const V& value) {
  ESPALIER_REQUIRE(body >= 0 && body < sys.model->nb(), "there is no body " + std::to_string(body));
  Editing& e = editingOf(world, sys);
  ESPALIER_REQUIRE(body < std::ssize(e.written.*member), "entries of the description were removed");
  (e.written.*member)[body] = value;
  e.isTouched = true;
}

}  // namespace

std::vector<double>& ArticulatedSystem::getMass() {
  return handOut(world_, system_, HandedOut::Mass, &Description::mass);
}
std::vector<Vec<3>>& ArticulatedSystem::getBodyCOM_B() {
  return handOut(world_, system_, HandedOut::Com, &Description::com_B);
}
std::vector<Vec<3>>& ArticulatedSystem::getLinkCOM() { return getBodyCOM_B(); }
std::vector<Mat<3, 3>>& ArticulatedSystem::getInertia() {
  return handOut(world_, system_, HandedOut::Inertia, &Description::inertia_B);
}
std::vector<Vec<3>>& ArticulatedSystem::getJointPos_P() {
  return handOut(world_, system_, HandedOut::JointPos, &Description::jointPos_P);
}
std::vector<Mat<3, 3>>& ArticulatedSystem::getJointOrientation_P() {
  return handOut(world_, system_, HandedOut::JointRot, &Description::jointRot_P);
}
std::vector<Vec<3>>& ArticulatedSystem::getJointAxis_P() {
  return handOut(world_, system_, HandedOut::JointAxis, &Description::jointAxis_P);
}
std::vector<CollisionBody>& ArticulatedSystem::getCollisionBodies() {
  Editing& e = editingOf(world_, system_);
  e.handedOut |= static_cast<unsigned>(HandedOut::Collisions);
  return e.collisionBodies;
}

const std::vector<double>& ArticulatedSystem::getMass() const {
  return editingOf(world_, system_).written.mass;
}
const std::vector<Vec<3>>& ArticulatedSystem::getBodyCOM_B() const {
  return editingOf(world_, system_).written.com_B;
}
const std::vector<Mat<3, 3>>& ArticulatedSystem::getInertia() const {
  return editingOf(world_, system_).written.inertia_B;
}
const std::vector<Vec<3>>& ArticulatedSystem::getJointPos_P() const {
  return editingOf(world_, system_).written.jointPos_P;
}
const std::vector<Mat<3, 3>>& ArticulatedSystem::getJointOrientation_P() const {
  return editingOf(world_, system_).written.jointRot_P;
}
const std::vector<Vec<3>>& ArticulatedSystem::getJointAxis_P() const {
  return editingOf(world_, system_).written.jointAxis_P;
}
const std::vector<CollisionBody>& ArticulatedSystem::getCollisionBodies() const {
  return editingOf(world_, system_).collisionBodies;
}

double ArticulatedSystem::getMass(int body) const {
  ESPALIER_REQUIRE(body >= 0 && body < system_.model->nb(),
                   "there is no body " + std::to_string(body));
  return system_.editing ? system_.editing->written.mass.at(body)
                         : system_.model->authored.bodies[body].mass;
}
void ArticulatedSystem::setMass(int body, double mass) {
  ESPALIER_REQUIRE(body < 0 || body >= system_.model->nb() || (std::isfinite(mass) && mass >= 0),
                   "the mass of link '" + system_.model->bodies[body].name + "' is " +
                       std::to_string(mass) + ": it must be finite and not negative");
  write(world_, system_, &Description::mass, body, mass);
}
void ArticulatedSystem::setCOM(int body, const Vec<3>& com_B) {
  write(world_, system_, &Description::com_B, body, com_B);
}
void ArticulatedSystem::setInertia(int body, const Mat<3, 3>& inertia_B) {
  write(world_, system_, &Description::inertia_B, body, inertia_B);
}

VecDyn ArticulatedSystem::getRotorInertia() const {
  const std::vector<double>& rotor = system_.editing ? system_.editing->written.rotorInertia
                                                     : system_.model->authored.rotorInertia;
  VecDyn inPublicOrder(rotor.size());
  for (std::size_t d = 0; d < rotor.size(); ++d)
    inPublicOrder[system_.model->spanningDof[d]] = rotor[d];
  return inPublicOrder;
}
void ArticulatedSystem::setRotorInertia(const Eigen::VectorXd& inertia) {
  Editing& e = editingOf(world_, system_);
  std::vector<double>& rotor = e.written.rotorInertia;
  ESPALIER_REQUIRE(inertia.size() == static_cast<Eigen::Index>(rotor.size()),
                   "the rotor inertia has " + std::to_string(inertia.size()) + " numbers, not " +
                       std::to_string(rotor.size()));
  for (std::size_t d = system_.topology().floating ? 6 : 0; d < rotor.size(); ++d)
    rotor[d] = inertia[system_.model->spanningDof[d]];
  e.isTouched = true;
}

void ArticulatedSystem::updateMassInfo() {
  requireBetweenSteps(world_);
  relowerIfChanged(world_, system_);
}

namespace {

template <class Bodies>
auto& named(Bodies& all, const std::string& name) {
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&name](const CollisionBody& c) { return c.name == name; });
  ESPALIER_REQUIRE(found != all.end(), "there is no collision body '" + name + "'");
  return *found;
}

/// The shape with other lengths.
Shape resized(const Shape& shape, const Vec<4>& l) {
  int next = 0;
  const auto changed = solidNamed(shapeName(shape), [&](const auto& p, auto& value) {
    forEachNumber(p.name, value, [&](const char*, double& x) { x = l[next++]; });
  });
  if (changed) return *changed;
  ESPALIER_REQUIRE(false, std::string("a ") + shapeName(shape) + " has no lengths to change");
  return shape;
}

}  // namespace

CollisionBody& ArticulatedSystem::getCollisionBody(const std::string& name) {
  return named(getCollisionBodies(), name);
}
const CollisionBody& ArticulatedSystem::getCollisionBody(const std::string& name) const {
  return named(getCollisionBodies(), name);
}
CollisionBody& ArticulatedSystem::collisionAt(int collision) {
  std::vector<CollisionBody>& all = getCollisionBodies();
  ESPALIER_REQUIRE(collision >= 0 && collision < static_cast<int>(all.size()),
                   "there is no collision body " + std::to_string(collision));
  return all[collision];
}
void ArticulatedSystem::setCollisionObjectShapeParameters(int collision, const Vec<4>& lengths) {
  requireBetweenSteps(world_);
  CollisionBody& body = collisionAt(collision);
  body.setShape(resized(body.getShape(), lengths));
}
void ArticulatedSystem::setCollisionObjectPositionOffset(int collision, const Vec<3>& position_B) {
  collisionAt(collision).posOffset = position_B;
}
void ArticulatedSystem::setCollisionObjectOrientationOffset(int collision, const Mat<3, 3>& R_B) {
  collisionAt(collision).rotOffset = R_B;
}

}  // namespace espalier
