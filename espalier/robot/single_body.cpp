#include "espalier/robot/single_body.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "espalier/core/check.h"
#include "espalier/io/text/rotation_text.h"
#include "espalier/robot/math.h"
#include "espalier/step/free_bodies.h"
#include "espalier/step/pose.h"
#include "espalier/step/sleeping.h"
#include "espalier/step/state_ranges.h"
#include "espalier/step/step_data.h"

namespace espalier {
namespace {

void requireFinite(const Eigen::Vector3d& v, const char* what) {
  ESPALIER_REQUIRE(v.allFinite(), std::string(what) + " must be finite");
}

Transformd poseNow(StepData& world, const FreeBody& body) {
  return body.q0 < 0 ? body.X_WB : readPose(world.qOf(body));
}

void requireMoving(const FreeBody& body) {
  ESPALIER_REQUIRE(body.q0 >= 0, "a STATIC body has no velocity");
}

/// So that a force acts in the step to come. Within a step the set of bodies that move is fixed; one
/// that sleeps then wakes behind it (updateSleep()).
void wakeIfForced(StepData& world, FreeBody& body) {
  if (!world.isBetween && norm(body.force) + norm(body.torque) > 0) setAsleep(world, body, false);
}

void requireOnlyBody(int body) {
  ESPALIER_REQUIRE(body == 0, "a single body has body 0 alone, not " + std::to_string(body));
}

}  // namespace

/// After a user's hand on its state: a sleeper wakes with all others, of which some may lie on it, and its
/// contacts are void.
void SingleBodyObject::wake() {
  if (body_.isAsleep || body_.type == BodyType::STATIC) wakeAll(world_);
  dropContacts(world_, body_.object);
}

void SingleBodyObject::setBodyType(BodyType type) {
  requireBetweenSteps(world_);
  if (type == body_.type) return;
  if (type != BodyType::STATIC)
    ESPALIER_REQUIRE(type_ != ObjectType::HALFSPACE && type_ != ObjectType::HEIGHTMAP,
                     "the ground and height maps cannot move");
  if (type == BodyType::DYNAMIC) {
    ESPALIER_REQUIRE(body_.mass > 0 && isPositiveDefinite(body_.I),
                     "a DYNAMIC body needs a mass and an inertia; call setMass() and setInertia()");
    lower(body_);
  }
  if (body_.type == BodyType::STATIC) insertState(world_, body_);
  if (type == BodyType::STATIC) {
    eraseState(world_, body_);
    body_.inverseMass = 0;  // nothing of the last step stays in force
    body_.inverseInertia = {0, 0, 0, 0, 0, 0};
    body_.v = body_.w = {0, 0, 0};
  }
  body_.type = type;
  body_.knowsL = false;
  for (GeomId id : body_.geoms) {
    world_.scene.setStatic(id, type == BodyType::STATIC);
    world_.scene.setPassive(id, type == BodyType::KINEMATIC);
    if (type == BodyType::STATIC) world_.scene.setPose(id, body_.X_WB * world_.geom(id).X_CG);
  }
  world_.isPrepared = false;
  world_.knowsEnergy = false;
}

Eigen::Vector3d SingleBodyObject::getPosition() const { return Vec<3>(poseNow(world_, body_).p); }
Eigen::Vector4d SingleBodyObject::getQuaternion() const {
  const Quat<double> r = body_.q0 < 0 ? quaternion(body_.X_WB.R) : quaternionOf(world_.qOf(body_));
  return {r.w, r.x, r.y, r.z};
}
Eigen::Matrix3d SingleBodyObject::getRotationMatrix() const {
  return Mat<3, 3>(poseNow(world_, body_).R);
}
Eigen::Vector3d SingleBodyObject::getLinearVelocity() const {
  return body_.u0 < 0 ? Vec<3>() : Vec<3>(vector3(world_.uOf(body_)));
}
Eigen::Vector3d SingleBodyObject::getAngularVelocity() const {
  return body_.u0 < 0 ? Vec<3>() : Vec<3>(vector3(world_.uOf(body_) + 3));
}
Eigen::Vector3d SingleBodyObject::getComPosition() const {
  return Vec<3>(poseNow(world_, body_) * body_.com);
}

void SingleBodyObject::setPosition(const Eigen::Vector3d& position) {
  setPose(position, getQuaternion());
}
void SingleBodyObject::setOrientation(const Vec<4>& quaternion) {
  setPose(getPosition(), quaternion);
}
void SingleBodyObject::setOrientation(const Mat<3, 3>& R_WB) { setPose(getPosition(), R_WB); }
void SingleBodyObject::setPose(const Eigen::Vector3d& position, const Mat<3, 3>& R_WB) {
  ESPALIER_REQUIRE(isRotation(R_WB), "an orientation must be a rotation matrix");
  Eigen::Vector4d q;
  rotMatToQuat(R_WB, q);
  setPose(position, Vec<4>(q));
}
void SingleBodyObject::setPose(const Eigen::Vector3d& position, const Vec<4>& quaternion) {
  requireBetweenSteps(world_);
  requireFinite(position, "a position");
  ESPALIER_REQUIRE(quaternion.allFinite() && quaternion.norm() > 1e-12,
                   "a quaternion must be finite and not zero");
  double q[7];
  put(Vec<3>(position), q);
  putQuaternion({quaternion[0], quaternion[1], quaternion[2], quaternion[3]}, q);
  makeUnit(q + 3);
  world_.knowsEnergy = false;
  body_.knowsL = false;
  wake();
  if (body_.q0 >= 0) {
    std::copy(q, q + 7, world_.qOf(body_));
    return;
  }
  body_.X_WB = readPose(q);
  for (GeomId id : body_.geoms) world_.scene.setPose(id, body_.X_WB * world_.geom(id).X_CG);
}
void SingleBodyObject::setLinearVelocity(const Eigen::Vector3d& velocity) {
  setVelocity(velocity, getAngularVelocity());
}
void SingleBodyObject::setAngularVelocity(const Eigen::Vector3d& velocity) {
  setVelocity(getLinearVelocity(), velocity);
}
void SingleBodyObject::setVelocity(const Eigen::Vector3d& linear, const Eigen::Vector3d& angular) {
  requireBetweenSteps(world_);
  requireMoving(body_);
  requireFinite(linear, "a velocity");
  requireFinite(angular, "an angular velocity");
  wake();
  put(Vec<3>(linear), world_.uOf(body_));
  put(Vec<3>(angular), world_.uOf(body_) + 3);
  body_.knowsL = false;
  world_.knowsEnergy = false;
}

void SingleBodyObject::getOrientation(int body, Eigen::Matrix3d& R_WB) const {
  requireOnlyBody(body);
  R_WB = getRotationMatrix();
}
void SingleBodyObject::getVelocity(int body, Eigen::Vector3d& velocity) const {
  requireOnlyBody(body);
  velocity = getLinearVelocity();
}
void SingleBodyObject::getVelocity(int body, const Vec<3>& point_B,
                                   Eigen::Vector3d& velocity) const {
  requireOnlyBody(body);
  velocity = getLinearVelocity() + getAngularVelocity().cross(getRotationMatrix() * point_B);
}

void SingleBodyObject::setMass(double mass) {
  requireBetweenSteps(world_);
  ESPALIER_REQUIRE(mass > 0 && std::isfinite(mass),
                   "a mass must be positive, not " + std::to_string(mass));
  body_.mass = mass;
  wakeBeforeStep(world_);
  world_.knowsEnergy = false;
}
Eigen::Matrix3d SingleBodyObject::getInertia_B() const {
  const Sym3<double>& I = body_.I;
  Eigen::Matrix3d m;
  m << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
  return m;
}
Eigen::Matrix3d SingleBodyObject::getInertiaMatrix_W() const {
  const Eigen::Matrix3d R = getRotationMatrix();
  return R * getInertia_B() * R.transpose();
}
void SingleBodyObject::setInertia(const Eigen::Matrix3d& I) {
  requireBetweenSteps(world_);
  ESPALIER_REQUIRE((I - I.transpose()).norm() <= 1e-12 * I.norm(), "an inertia must be symmetric");
  const Sym3<double> inertia{I(0, 0), I(0, 1), I(0, 2), I(1, 1), I(1, 2), I(2, 2)};
  ESPALIER_REQUIRE(isPositiveDefinite(inertia), "an inertia must be finite and positive definite");
  body_.I = inertia;
  lower(body_);
  body_.knowsL = false;
  world_.knowsEnergy = false;
}
Eigen::Vector3d SingleBodyObject::getCom_B() const { return Vec<3>(body_.com); }
void SingleBodyObject::setCom(const Eigen::Vector3d& com) {
  requireBetweenSteps(world_);
  requireFinite(com, "a centre of mass");
  body_.com = Vec<3>(com);
  wakeBeforeStep(world_);
  world_.knowsEnergy = false;
}
void SingleBodyObject::setLinearDamping(double damping) {
  ESPALIER_REQUIRE(damping >= 0 && std::isfinite(damping), "damping must not be negative");
  body_.linearDamping = damping;
}
void SingleBodyObject::setAngularDamping(double damping) {
  ESPALIER_REQUIRE(damping >= 0 && std::isfinite(damping), "damping must not be negative");
  body_.angularDamping = damping;
}

void SingleBodyObject::noteForce(const Vec3d& point_B, const Vec3d& force) {
  if (body_.q0 >= 0) body_.pushes.next.push_back({0, point_B, force});  // STATIC ones take no step
}
void SingleBodyObject::setExternalForce(const Eigen::Vector3d& force) {
  setExternalForce(force, Vec<3>(body_.com));
}
void SingleBodyObject::setExternalForce(const Eigen::Vector3d& force,
                                        const Eigen::Vector3d& point_B) {
  requireFinite(force, "a force");
  requireFinite(point_B, "a point");
  const Vec3d f = Vec<3>(force), point = Vec<3>(point_B);
  body_.force += f;
  body_.torque += cross(mul(poseNow(world_, body_).R, point - body_.com), f);
  noteForce(point, f);
  wakeIfForced(world_, body_);
}
void SingleBodyObject::setExternalTorque(const Eigen::Vector3d& torque) {
  requireFinite(torque, "a torque");
  body_.torque += static_cast<Vec3d>(Vec<3>(torque));
  wakeIfForced(world_, body_);
}

void SingleBodyObject::getPosition(int body, Eigen::Vector3d& position) const {
  requireOnlyBody(body);
  position = getPosition();
}
void SingleBodyObject::setExternalForce(int body, const Eigen::Vector3d& force) {
  requireOnlyBody(body);
  setExternalForce(force);
}
void SingleBodyObject::setExternalForce(int body, const Eigen::Vector3d& point_B,
                                        const Eigen::Vector3d& force) {
  requireOnlyBody(body);
  setExternalForce(force, point_B);
}
void SingleBodyObject::setExternalTorque(int body, const Eigen::Vector3d& torque) {
  requireOnlyBody(body);
  setExternalTorque(torque);
}
void SingleBodyObject::clearExternalForcesAndTorques() {
  body_.force = body_.torque = {0, 0, 0};
  body_.pushes.next.clear();
}

double SingleBodyObject::getKineticEnergy() const {
  return body_.q0 < 0 ? 0 : kineticEnergy(body_, world_.qOf(body_), world_.uOf(body_));
}
double SingleBodyObject::getPotentialEnergy(const Eigen::Vector3d& gravity) const {
  return -body_.mass * gravity.dot(getComPosition());
}
double SingleBodyObject::getEnergy(const Eigen::Vector3d& gravity) const {
  return getKineticEnergy() + getPotentialEnergy(gravity);
}
Eigen::Vector3d SingleBodyObject::getLinearMomentum() const {
  const Eigen::Vector3d arm = getComPosition() - getPosition();
  return body_.mass * (getLinearVelocity() + getAngularVelocity().cross(arm));
}
Eigen::Vector3d SingleBodyObject::getAngularMomentum() const {
  const Eigen::Matrix3d R = getRotationMatrix();
  return R * (getInertia_B() * (R.transpose() * getAngularVelocity()));
}

void SingleBodyObject::setMaterial(const std::string& material) {
  for (GeomId id : body_.geoms) world_.geom(id).material = world_.materials.id(material);
  wakeBeforeStep(world_);
}
std::string SingleBodyObject::getMaterial() const {
  return body_.geoms.empty() ? "" : world_.materials.name(world_.geom(body_.geoms[0]).material);
}
void SingleBodyObject::setCollisionGroup(std::uint64_t group, std::uint64_t mask) {
  requireBetweenSteps(world_);
  for (GeomId id : body_.geoms) world_.scene.setFilter(id, group, mask);
  wakeBeforeStep(world_);
}
std::uint64_t SingleBodyObject::getCollisionGroup() const {
  return body_.geoms.empty() ? 0 : world_.scene.group(body_.geoms[0]);
}
std::uint64_t SingleBodyObject::getCollisionMask() const {
  return body_.geoms.empty() ? 0 : world_.scene.mask(body_.geoms[0]);
}
dxGeom* SingleBodyObject::getCollisionObject() const {
  return body_.geoms.empty() ? nullptr : world_.scene.odeGeom(body_.geoms[0]);
}
const Shape& SingleBodyObject::shape() const {
  return body_.geoms.empty() ? body_.spec->collisions[0].shape : world_.scene.shape(body_.geoms[0]);
}

std::string SingleBodyObject::getAppearance() const {
  if (!appearance_.empty() || body_.spec->visuals.empty()) return appearance_;
  return io::shortest(body_.spec->visuals[0].rgba);
}

}  // namespace espalier
