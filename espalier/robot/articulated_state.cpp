#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "espalier/core/check.h"
#include "espalier/model/coordinates.h"
#include "espalier/model/loops/loop_ties.h"
#include "espalier/robot/articulated_order.h"
#include "espalier/robot/articulated_system.h"
#include "espalier/robot/bilateral_dynamics.h"
#include "espalier/robot/editing.h"
#include "espalier/step/pose.h"
#include "espalier/step/step_data.h"

namespace espalier {

using namespace authored_order;

// ---- q and u

void ArticulatedSystem::setGeneralizedCoordinate(const Eigen::VectorXd& q) {
  requireBetweenSteps(world_);
  double* to = world_.qOf(system_);
  if (model().hasLoops()) {
    check(q, model().publicCoordinate, "the generalized coordinate");
    std::vector<double> all(to, to + model().nq());
    scatter(q, model().publicCoordinate, "the generalized coordinate", all.data());
    takeAssembled(std::move(all));
  } else {
    scatter(q, model().publicCoordinate, "the generalized coordinate", to);
    makeUnit(system_, to);
  }
  dropContacts(world_, system_.object);
  for (double& impulse : system_.warm) impulse = 0;  // of limits it may be far from now
  world_.knowsEnergy = false;
}
void ArticulatedSystem::setGeneralizedCoordinate(std::initializer_list<double> q) {
  setGeneralizedCoordinate(VecDyn(q));
}
void ArticulatedSystem::setGeneralizedVelocity(const Eigen::VectorXd& u) {
  requireBetweenSteps(world_);
  double* to = world_.uOf(system_);
  const std::vector<double> before(to, to + model().nv());
  check(u, model().publicDof, "the generalized velocity");
  std::optional<VecDyn> wanted = VecDyn(u);
  if (!system_.loopImpulses.empty())
    wanted = consistentVelocity(model(), system_.parameters, world_.qOf(system_), u);
  bool follow = wanted.has_value();
  if (follow) scatter(*wanted, model().publicDof, "the generalized velocity", to);
  if (follow && !model().mechanism.isTree()) {
    follow = settleVelocities(system_, world_.qOf(system_), to);
    if (!follow) std::copy(before.begin(), before.end(), to);
  }
  ESPALIER_REQUIRE(follow, "robot '" + getName() +
                               "': where it is now its independent joints do not determine "
                               "how the others move; set other coordinates first");
  dropContacts(world_, system_.object);
  world_.knowsEnergy = false;
}
void ArticulatedSystem::setGeneralizedVelocity(std::initializer_list<double> u) {
  setGeneralizedVelocity(VecDyn(u));
}
void ArticulatedSystem::setState(const Eigen::VectorXd& q, const Eigen::VectorXd& u) {
  check(u, model().publicDof, "the generalized velocity");  // before q is changed
  setGeneralizedCoordinate(q);
  setGeneralizedVelocity(u);
}
void ArticulatedSystem::getState(Eigen::VectorXd& q, Eigen::VectorXd& u) const {
  getGeneralizedCoordinate(q);
  getGeneralizedVelocity(u);
}
VecDyn ArticulatedSystem::getGeneralizedCoordinate() const {
  return gather(world_.qOf(system_), model().publicCoordinate);
}
VecDyn ArticulatedSystem::getGeneralizedVelocity() const {
  return gather(world_.uOf(system_), model().publicDof);
}
void ArticulatedSystem::getGeneralizedCoordinate(Eigen::VectorXd& q) const {
  gather(world_.qOf(system_), model().publicCoordinate, q);
}
void ArticulatedSystem::getGeneralizedVelocity(Eigen::VectorXd& u) const {
  gather(world_.uOf(system_), model().publicDof, u);
}
VecDyn ArticulatedSystem::getGeneralizedAcceleration() const {
  return gather(system_.acceleration.data(), model().publicDof);
}

// ---- the base

void ArticulatedSystem::getBasePosition(Eigen::Vector3d& position) const {
  const Topology& t = model().topology;
  const double* q = coordinatesNow();
  const Vec3d p = t.floating ? Vec3d{q[0], q[1], q[2]} : system_.parameters.bodies[0].p;
  position = Vec<3>(p);
}
void ArticulatedSystem::getBaseOrientation(Eigen::Matrix3d& R_WB) const {
  const Topology& t = model().topology;
  const double* q = coordinatesNow();
  R_WB =
      Mat<3, 3>(t.floating ? rotation(quaternionOf(q)) : transpose(system_.parameters.bodies[0].E));
}
void ArticulatedSystem::getBaseOrientation(Eigen::Vector4d& quaternion) const {
  const double* q = coordinatesNow();
  if (model().topology.floating)
    quaternion << q[3], q[4], q[5], q[6];
  else
    rotMatToQuat(getBaseOrientation(), quaternion);
}
Vec<3> ArticulatedSystem::getBasePosition() const {
  Vec<3> position;
  getBasePosition(position);
  return position;
}
Mat<3, 3> ArticulatedSystem::getBaseOrientation() const {
  Mat<3, 3> R_WB;
  getBaseOrientation(R_WB);
  return R_WB;
}

namespace {

/// What a user sets of a floating base that loops tie to the world: its numbers among all those of the
/// public order, at `first` of the base's.
///   in  place  of each number there; -1 where it depends on others, and cannot be set
template <class Numbers>
VecDyn withBase(VecDyn all, const std::vector<int>& place, int first, const Numbers& numbers) {
  for (int i = 0; i < numbers.size(); ++i)
    if (place[first + i] >= 0) all[place[first + i]] = numbers[i];
  return all;
}

}  // namespace

void ArticulatedSystem::setBasePos(const Vec<3>& position) {
  requireBetweenSteps(world_);
  ESPALIER_REQUIRE(position.allFinite(), "the position of the base must be finite");
  if (!model().topology.floating)
    return setBasePose(world_, system_, {static_cast<Mat3d>(getBaseOrientation()), position});
  if (isBaseTied(model()))
    return setGeneralizedCoordinate(
        withBase(getGeneralizedCoordinate(), model().publicCoordinate, 0, position));
  for (int i = 0; i < 3; ++i) world_.qOf(system_)[i] = position[i];
  dropContacts(world_, system_.object);
  world_.knowsEnergy = false;
}
void ArticulatedSystem::setBaseOrientation(const Vec<4>& q) {
  requireBetweenSteps(world_);
  ESPALIER_REQUIRE(q.allFinite() && q.norm() > 0, "a quaternion must be finite and not zero");
  if (!model().topology.floating) {
    const Quat<double> unit = normalized(Quat<double>{q[0], q[1], q[2], q[3]});
    return setBasePose(world_, system_, {rotation(unit), getBasePosition()});
  }
  if (isBaseTied(model()))
    return setGeneralizedCoordinate(
        withBase(getGeneralizedCoordinate(), model().publicCoordinate, 3, q));
  for (int i = 0; i < 4; ++i) world_.qOf(system_)[3 + i] = q[i];
  makeUnit(system_, world_.qOf(system_));
  dropContacts(world_, system_.object);
  world_.knowsEnergy = false;
}
void ArticulatedSystem::setBaseOrientation(const Mat<3, 3>& R_WB) {
  ESPALIER_REQUIRE((R_WB.transpose() * R_WB - Eigen::Matrix3d::Identity()).norm() < 1e-6 &&
                       R_WB.determinant() > 0,
                   "the orientation of the base must be a rotation");
  Vec<4> q;
  rotMatToQuat(R_WB, q);
  setBaseOrientation(q);
}

namespace {

void checkBaseTwist(const Model& model, const Vec<3>& v, const char* what) {
  ESPALIER_REQUIRE(model.topology.floating, "a fixed base has no velocity");
  ESPALIER_REQUIRE(v.allFinite(), std::string(what) + " must be finite");
}

}  // namespace

void ArticulatedSystem::setBaseVelocity(const Vec<3>& velocity) {
  requireBetweenSteps(world_);
  checkBaseTwist(model(), velocity, "the velocity of the base");
  if (isBaseTied(model()))
    return setGeneralizedVelocity(
        withBase(getGeneralizedVelocity(), model().publicDof, 0, velocity));
  for (int i = 0; i < 3; ++i) world_.uOf(system_)[i] = velocity[i];
  dropContacts(world_, system_.object);
  world_.knowsEnergy = false;
}
void ArticulatedSystem::setBaseAngularVelocity(const Vec<3>& velocity) {
  requireBetweenSteps(world_);
  checkBaseTwist(model(), velocity, "the angular velocity of the base");
  if (isBaseTied(model()))
    return setGeneralizedVelocity(
        withBase(getGeneralizedVelocity(), model().publicDof, 3, velocity));
  for (int i = 0; i < 3; ++i) world_.uOf(system_)[3 + i] = velocity[i];
  dropContacts(world_, system_.object);
  world_.knowsEnergy = false;
}

}  // namespace espalier
