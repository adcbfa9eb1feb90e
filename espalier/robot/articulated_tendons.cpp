// Tendons as users see them: names, lengths, rates and moment arms.

#include <vector>

#include "espalier/core/check.h"
#include "espalier/robot/articulated_system.h"
#include "espalier/robot/dynamics_query.h"
#include "espalier/step/step_data.h"
#include "espalier/step/tendons.h"

namespace espalier {
namespace {

void requireOnePerTendon(const Eigen::VectorXd& numbers, std::size_t tendons, const char* name,
                         bool canBeNegative = true) {
  ESPALIER_REQUIRE(numbers.size() == static_cast<Eigen::Index>(tendons),
                   std::string(name) + " of tendons has " + std::to_string(numbers.size()) +
                       " numbers; give one for each of " + std::to_string(tendons));
  ESPALIER_REQUIRE(numbers.allFinite() && (canBeNegative || !(numbers.array() < 0).any()),
                   std::string(name) + " of tendons is " +
                       (canBeNegative ? "not finite" : "negative or not finite"));
}

using Actuators = std::vector<ActuatorSpec>;

void put(const Eigen::VectorXd& numbers, double ActuatorSpec::*to, Actuators& actuators) {
  for (std::size_t i = 0; i < actuators.size(); ++i)
    actuators[i].*to = numbers[static_cast<Eigen::Index>(i)];
}
Eigen::VectorXd numbersOf(const Actuators& actuators, double ActuatorSpec::*from) {
  Eigen::VectorXd numbers(static_cast<Eigen::Index>(actuators.size()));
  for (std::size_t i = 0; i < actuators.size(); ++i)
    numbers[static_cast<Eigen::Index>(i)] = actuators[i].*from;
  return numbers;
}

}  // namespace

std::vector<std::string> ArticulatedSystem::getTendonNames() const {
  std::vector<std::string> names;
  for (const TendonInfo& tendon : model().tendons) names.push_back(tendon.spec.name);
  return names;
}

/// Lengths, rates and segments at the state that queries speak of.
std::vector<TendonState> ArticulatedSystem::tendonsNow() const {
  std::vector<TendonState> tendons = system_.tendons;
  for (std::size_t i = 0; i < tendons.size(); ++i)
    measureTendon(model().tendons[i], kinematicsNow(), coordinatesNow(), velocitiesNow(),
                  tendons[i]);
  return tendons;
}

VecDyn ArticulatedSystem::getTendonLength() const {
  const std::vector<TendonState> tendons = tendonsNow();
  VecDyn lengths(static_cast<int>(tendons.size()));
  for (std::size_t i = 0; i < tendons.size(); ++i) lengths[static_cast<int>(i)] = tendons[i].length;
  return lengths;
}
VecDyn ArticulatedSystem::getTendonVelocity() const {
  const std::vector<TendonState> tendons = tendonsNow();
  VecDyn rates(static_cast<int>(tendons.size()));
  for (std::size_t i = 0; i < tendons.size(); ++i) rates[static_cast<int>(i)] = tendons[i].rate;
  return rates;
}

MatDyn ArticulatedSystem::getTendonJacobian() const {
  const std::vector<TendonState> tendons = tendonsNow();
  MatDyn J = MatDyn::Zero(static_cast<int>(tendons.size()), getDOF());
  const Vec3d& origin = kinematicsNow().origin;
  const DynamicsQuery query(system_, coordinatesNow(), velocitiesNow());
  for (std::size_t i = 0; i < tendons.size(); ++i) {
    const TendonInfo& info = model().tendons[i];
    auto row = J.row(static_cast<int>(i));
    const auto add = [&](int body, const Vec3d& r, const Vec3d& pull) {
      if (body < 0) return;
      Eigen::MatrixXd points = Eigen::MatrixXd::Zero(3, getDOF());
      getDenseJacobian(body, Vec<3>(r + origin), points);
      row += Vec<3>(pull).transpose() * points;
    };
    for (std::size_t k = 0; k < info.segments.size(); ++k) {
      const TendonState::Segment& s = tendons[i].segments[k];
      add(info.segments[k].to.body, s.to, s.pull);
      add(info.segments[k].from.body, s.from, -s.pull);
    }
    Eigen::MatrixXd rates = Eigen::MatrixXd::Zero(3, getDOF());
    for (const RotorInfo::Term& term : info.terms)
      query.addRate(term.u, {term.factor, 0, 0}, rates);
    row += rates.row(0);
  }
  return J;
}

// ---- actuators

void ArticulatedSystem::setTendonGains(const Eigen::VectorXd& kp, const Eigen::VectorXd& kd) {
  Actuators& actuators = system_.actuation.tendons;
  requireOnePerTendon(kp, actuators.size(), "kp", false);
  requireOnePerTendon(kd, actuators.size(), "kd", false);
  put(kp, &ActuatorSpec::kp, actuators);
  put(kd, &ActuatorSpec::kd, actuators);
}
void ArticulatedSystem::getTendonGains(Eigen::VectorXd& kp, Eigen::VectorXd& kd) const {
  kp = numbersOf(system_.actuation.tendons, &ActuatorSpec::kp);
  kd = numbersOf(system_.actuation.tendons, &ActuatorSpec::kd);
}

void ArticulatedSystem::setTendonTarget(const Eigen::VectorXd& length,
                                        const Eigen::VectorXd& velocity) {
  Actuators& actuators = system_.actuation.tendons;
  requireOnePerTendon(velocity, actuators.size(), "the velocity target");
  setTendonTarget(length);
  put(velocity, &ActuatorSpec::targetRate, actuators);
}
void ArticulatedSystem::setTendonTarget(const Eigen::VectorXd& length) {
  Actuators& actuators = system_.actuation.tendons;
  requireOnePerTendon(length, actuators.size(), "the length target");
  put(length, &ActuatorSpec::target, actuators);
}
void ArticulatedSystem::getTendonTarget(Eigen::VectorXd& length, Eigen::VectorXd& velocity) const {
  length = numbersOf(system_.actuation.tendons, &ActuatorSpec::target);
  velocity = numbersOf(system_.actuation.tendons, &ActuatorSpec::targetRate);
}

void ArticulatedSystem::setTendonForce(const Eigen::VectorXd& feedforward) {
  Actuators& actuators = system_.actuation.tendons;
  requireOnePerTendon(feedforward, actuators.size(), "the force");
  put(feedforward, &ActuatorSpec::feedforward, actuators);
}
VecDyn ArticulatedSystem::getTendonForce() const {
  return numbersOf(system_.actuation.tendons, &ActuatorSpec::feedforward);
}

}  // namespace espalier
