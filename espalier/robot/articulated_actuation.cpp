#include <algorithm>
#include <cmath>

#include "espalier/core/check.h"
#include "espalier/model/coordinates.h"
#include "espalier/robot/articulated_order.h"
#include "espalier/robot/articulated_system.h"
#include "espalier/step/step_data.h"

namespace espalier {

using namespace authored_order;

void ArticulatedSystem::setControlMode(ControlMode mode) { system_.actuation.mode = mode; }
ControlMode ArticulatedSystem::getControlMode() const { return system_.actuation.mode; }

// ---- gains and targets

// A floating base has no motors: its numbers are not read, and stay zero (its target: neutral).

void ArticulatedSystem::setPdGains(const Eigen::VectorXd& kp, const Eigen::VectorXd& kd) {
  checkNotNegative(kp, model().publicDof, "kp", baseDofs(model()));
  checkNotNegative(kd, model().publicDof, "kd", baseDofs(model()));  // before kp is changed
  setPGains(kp);
  setDGains(kd);
  setControlMode(ControlMode::PD_PLUS_FEEDFORWARD_TORQUE);
}
void ArticulatedSystem::setPGains(const Eigen::VectorXd& kp) {
  checkNotNegative(kp, model().publicDof, "kp", baseDofs(model()));
  scatter(kp, model().publicDof, "kp", system_.actuation.kp.data(), baseDofs(model()));
}
void ArticulatedSystem::setDGains(const Eigen::VectorXd& kd) {
  checkNotNegative(kd, model().publicDof, "kd", baseDofs(model()));
  scatter(kd, model().publicDof, "kd", system_.actuation.kd.data(), baseDofs(model()));
}
void ArticulatedSystem::getPdGains(Eigen::VectorXd& kp, Eigen::VectorXd& kd) const {
  gather(system_.actuation.kp.data(), model().publicDof, kp);
  gather(system_.actuation.kd.data(), model().publicDof, kd);
}

void ArticulatedSystem::setPdTarget(const Eigen::VectorXd& q, const Eigen::VectorXd& u) {
  check(u, model().publicDof, "the velocity target", baseDofs(model()));  // before q's is changed
  setPTarget(q);
  setDTarget(u);
}
void ArticulatedSystem::setPTarget(const Eigen::VectorXd& q) {
  double* to = system_.actuation.targetQ.data();
  scatter(q, model().publicCoordinate, "the position target", to, baseCoordinates(model()));
  normalize(model().topology, to);
  setControlMode(ControlMode::PD_PLUS_FEEDFORWARD_TORQUE);
}
void ArticulatedSystem::setDTarget(const Eigen::VectorXd& u) {
  scatter(u, model().publicDof, "the velocity target", system_.actuation.targetU.data(),
          baseDofs(model()));
  setControlMode(ControlMode::PD_PLUS_FEEDFORWARD_TORQUE);
}
void ArticulatedSystem::getPdTarget(Eigen::VectorXd& q, Eigen::VectorXd& u) const {
  gather(system_.actuation.targetQ.data(), model().publicCoordinate, q);
  gather(system_.actuation.targetU.data(), model().publicDof, u);
}

// ---- forces

void ArticulatedSystem::setGeneralizedForce(const Eigen::VectorXd& tau) {
  scatter(tau, model().publicDof, "the generalized force", system_.actuation.feedforward.data());
}
void ArticulatedSystem::setGeneralizedForce(std::initializer_list<double> tau) {
  setGeneralizedForce(VecDyn(tau));
}
VecDyn ArticulatedSystem::getFeedForwardGeneralizedForce() const {
  return gather(system_.actuation.feedforward.data(), model().publicDof);
}
VecDyn ArticulatedSystem::getGeneralizedForce() const {
  const Topology& t = model().topology;
  const Actuation& a = system_.actuation;
  const double* u = velocitiesNow();
  std::vector<double> command(a.feedforward.begin(), a.feedforward.end());
  std::vector<double> toTarget(command.size());
  difference(t, coordinatesNow(), a.targetQ.data(), toTarget.data());
  const bool pd = a.mode == ControlMode::PD_PLUS_FEEDFORWARD_TORQUE;
  for (std::size_t d = 0; d < command.size(); ++d) {
    if (pd && !(t.floating && d < 6))
      command[d] += a.kp[d] * toTarget[d] + a.kd[d] * (a.targetU[d] - u[d]);
    command[d] = std::clamp(command[d], a.lower[d], a.upper[d]);
  }
  return gather(command.data(), model().publicDof);
}
VecDyn ArticulatedSystem::getAppliedGeneralizedForce() const {
  return gather(system_.applied.data(), model().publicDof);
}

void ArticulatedSystem::setActuationLimits(const Eigen::VectorXd& upper,
                                           const Eigen::VectorXd& lower) {
  ESPALIER_REQUIRE(upper.size() == getDOF() && lower.size() == getDOF(),
                   "actuation limits have one number for each dof");
  const std::vector<int>& place = model().publicDof;
  const auto base = static_cast<std::size_t>(baseDofs(model()));
  for (std::size_t d = base; d < place.size(); ++d)
    ESPALIER_REQUIRE(place[d] < 0 || lower[place[d]] <= upper[place[d]],
                     "actuation limits of dof " + std::to_string(place[d]) + ": " +
                         std::to_string(lower[place[d]]) + " is not below " +
                         std::to_string(upper[place[d]]));
  for (std::size_t d = base; d < place.size(); ++d) {
    if (place[d] < 0) continue;
    system_.actuation.upper[d] = upper[place[d]];
    system_.actuation.lower[d] = lower[place[d]];
  }
}
VecDyn ArticulatedSystem::getActuationUpperLimits() const {
  return gather(system_.actuation.upper.data(), model().publicDof);
}
VecDyn ArticulatedSystem::getActuationLowerLimits() const {
  return gather(system_.actuation.lower.data(), model().publicDof);
}
/// RaiSim's PD goes beyond the limits by its implicit part; EXACT keeps to them.
void ArticulatedSystem::setTorqueLimits(TorqueLimits limits) {
  system_.actuation.torqueLimits = limits;
}
TorqueLimits ArticulatedSystem::getTorqueLimits() const { return system_.actuation.torqueLimits; }

}  // namespace espalier
