#include <algorithm>
#include <array>
#include <cmath>

#include "espalier/core/check.h"
#include "espalier/model/coordinates.h"
#include "espalier/robot/articulated_order.h"
#include "espalier/robot/articulated_system.h"
#include "espalier/step/step_data.h"

namespace espalier {

using namespace authored_order;

namespace {

void requireBall(const Model& model, int joint) {
  ESPALIER_REQUIRE(
      joint >= 0 && joint < model.nb() && model.topology.bodies[joint].kind == JointKind::Spherical,
      "joint " + std::to_string(joint) + " is no spherical joint");
}

/// In force; of a spherical joint.
SphericalLimits limitsOf(const System& sys, int joint) {
  for (const LimitedBall& ball : sys.limitedBalls)
    if (ball.body == joint) return ball.limits;
  return {};
}

}  // namespace

// ---- limits of position

std::vector<Vec<2>> ArticulatedSystem::getJointLimits() const {
  std::vector<Vec<2>> limits(static_cast<std::size_t>(model().nb()), {-unlimited, unlimited});
  for (const LimitedDof& l : system_.limits)
    limits[model().topology.dofBody[l.u]] = {l.lower, l.upper};
  for (const LimitedBall& ball : system_.limitedBalls)
    if (std::isfinite(ball.limits.angle)) limits[ball.body] = {0, ball.limits.angle};
  return limits;
}

void ArticulatedSystem::setJointLimits(const std::vector<Vec<2>>& limits) {
  requireBetweenSteps(world_);
  ESPALIER_REQUIRE(limits.size() == static_cast<std::size_t>(model().nb()),
                   "there are " + std::to_string(model().nb()) + " joints, and limits of " +
                       std::to_string(limits.size()));
  std::vector<LimitedDof> limited;
  std::vector<LimitedBall> balls;
  for (std::size_t b = model().topology.floating ? 1 : 0; b < limits.size(); ++b) {
    const BodyTopology& t = model().topology.bodies[b];
    const double lower = limits[b][0], upper = limits[b][1];
    const bool isLimited = std::isfinite(lower) || std::isfinite(upper);
    ESPALIER_REQUIRE(lower <= upper, "limits of joint " + std::to_string(b) + ": " +
                                         std::to_string(lower) + " is not below " +
                                         std::to_string(upper));
    if (t.kind == JointKind::Spherical) {
      const SphericalLimits present = limitsOf(system_, static_cast<int>(b));
      const JointLimits asked{.lower = lower,
                              .upper = upper,
                              .swing = present.swing,
                              .twistLower = present.twistLower,
                              .twistUpper = present.twistUpper};
      const std::string fault = faultOfSpherical(asked);
      ESPALIER_REQUIRE(fault.empty(), "joint " + std::to_string(b) + " " + fault);
      const SphericalLimits ball = sphericalLimits(asked);
      if (!ball.areNone()) balls.push_back(limitedBall(model(), static_cast<int>(b), ball));
      continue;
    }
    ESPALIER_REQUIRE(t.nq == t.nv || !isLimited || lower == upper,
                     "joint " + std::to_string(b) + " floats and is not limited");
    if (t.nq != t.nv || !isLimited) continue;
    for (int k = 0; k < t.nv; ++k) limited.push_back({t.q + k, t.u + k, lower, upper});
  }
  system_.limits = std::move(limited);
  system_.limitedBalls = std::move(balls);
  world_.isPrepared = false;
}

SphericalLimits ArticulatedSystem::getSphericalLimits(int joint) const {
  requireBall(model(), joint);
  return limitsOf(system_, joint);
}

void ArticulatedSystem::setSphericalLimits(int joint, const SphericalLimits& limits) {
  requireBetweenSteps(world_);
  requireBall(model(), joint);
  const std::string fault = faultOf(limits);
  ESPALIER_REQUIRE(fault.empty(), "joint " + std::to_string(joint) + " " + fault);
  const LimitedBall ball = limitedBall(model(), joint, limits);
  const double length = norm(ball.axis);
  ESPALIER_REQUIRE(!limits.useAxis() || std::abs(length - 1) < 1e-9,
                   "joint " + std::to_string(joint) +
                       " has limits of swing or twist, and no axis that they could speak of");
  std::erase_if(system_.limitedBalls, [&](const LimitedBall& b) { return b.body == joint; });
  if (!limits.areNone()) system_.limitedBalls.push_back(ball);
  std::sort(system_.limitedBalls.begin(), system_.limitedBalls.end(),
            [](const LimitedBall& a, const LimitedBall& b) { return a.body < b.body; });
  world_.isPrepared = false;
}

std::vector<JointLimitViolation> ArticulatedSystem::getJointLimitViolations() const {
  std::vector<JointLimitViolation> all;
  const double* q = coordinatesNow();
  for (const LimitedDof& l : system_.limits)
    for (const bool isUpper : {false, true}) {
      const double depth = isUpper ? q[l.q] - l.upper : l.lower - q[l.q];
      const double impulse =
          system_.warmOf(isUpper ? JointRowKind::UPPER : JointRowKind::LOWER, l.u);
      if (!(depth >= 0) && !(impulse > 0)) continue;
      const auto u = static_cast<std::size_t>(l.u);
      all.push_back({model().topology.dofBody[u], model().publicDof[u], isUpper, depth, impulse});
    }
  std::array<SphericalBound, 4> bounds;
  for (const LimitedBall& ball : system_.limitedBalls) {
    const int count = boundsAt(ball, q + ball.q, {0, 0, 0}, bounds);
    for (int i = 0; i < count; ++i) {
      const SphericalBound& bound = bounds[i];
      const double impulse = system_.warmOf(
          bound.isUpper ? JointRowKind::UPPER : JointRowKind::LOWER, slotOf(bound.angle, ball.u));
      if (!(bound.gap <= 0) && !(impulse > 0)) continue;
      all.push_back(
          {ball.body, model().publicDof[ball.u], bound.isUpper, -bound.gap, impulse, bound.angle});
    }
  }
  return all;
}

// ---- limits of velocity

VecDyn ArticulatedSystem::getJointVelocityLimits() const {
  return gather(system_.actuation.speed.data(), model().publicDof);
}
void ArticulatedSystem::setJointVelocityLimits(const Eigen::VectorXd& limits) {
  ESPALIER_REQUIRE(limits.size() == getDOF(), "limits of velocity have one number for each dof");
  const std::vector<int>& place = model().publicDof;
  const auto base = static_cast<std::size_t>(baseDofs(model()));
  for (std::size_t d = base; d < place.size(); ++d)
    ESPALIER_REQUIRE(place[d] < 0 || limits[place[d]] > 0, "limits of velocity must be positive");
  for (std::size_t d = base; d < place.size(); ++d)
    if (place[d] >= 0) system_.actuation.speed[d] = limits[place[d]];
}
void ArticulatedSystem::enforceJointVelocityLimits(bool on) {
  requireBetweenSteps(world_);
  system_.actuation.limitsSpeed = on;
  world_.isPrepared = false;
}

// ---- dampers and dry friction

void ArticulatedSystem::setJointDamping(const Eigen::VectorXd& damping) {
  scatter(damping, model().publicDof, "the damping", system_.actuation.damping.data());
}
VecDyn ArticulatedSystem::getJointDamping() const {
  return gather(system_.actuation.damping.data(), model().publicDof);
}
void ArticulatedSystem::setJointFriction(const Eigen::VectorXd& friction) {
  requireBetweenSteps(world_);
  checkNotNegative(friction, model().publicDof, "the friction");
  scatter(friction, model().publicDof, "the friction", system_.actuation.friction.data());
  system_.noteActuation();
  world_.isPrepared = false;
}
VecDyn ArticulatedSystem::getJointFriction() const {
  return gather(system_.actuation.friction.data(), model().publicDof);
}

// ---- springs

void ArticulatedSystem::setSpringStiffness(const Eigen::VectorXd& stiffness) {
  checkNotNegative(stiffness, model().publicDof, "the stiffness");
  scatter(stiffness, model().publicDof, "the stiffness", system_.actuation.stiffness.data());
  system_.noteActuation();
  world_.knowsEnergy = false;
}
VecDyn ArticulatedSystem::getSpringStiffness() const {
  return gather(system_.actuation.stiffness.data(), model().publicDof);
}
void ArticulatedSystem::setSpringMount(const Eigen::VectorXd& q) {
  double* to = system_.actuation.springMount.data();
  scatter(q, model().publicCoordinate, "the spring mount", to);
  normalize(model().topology, to);
  world_.knowsEnergy = false;
}
VecDyn ArticulatedSystem::getSpringMount() const {
  return gather(system_.actuation.springMount.data(), model().publicCoordinate);
}

void ArticulatedSystem::addSpring(const SpringElement& spring) {
  const BodyTopology& t = model().topology.bodies[bodyAt(spring.childBodyId)];
  ESPALIER_REQUIRE(t.nv > 0 && t.nq <= 4,
                   "joint " + std::to_string(spring.childBodyId) + " cannot have such a spring");
  ESPALIER_REQUIRE(
      spring.stiffness >= 0 && std::isfinite(spring.stiffness) && spring.q_ref.allFinite(),
      "a spring's stiffness must be finite and not negative, its mount finite");
  Actuation& a = system_.actuation;
  ESPALIER_REQUIRE(a.stiffness[t.u] == 0,
                   "joint " + std::to_string(spring.childBodyId) +
                       " has a spring; change it by setSpringStiffness() and setSpringMount()");
  for (int k = 0; k < t.nv; ++k) a.stiffness[t.u + k] = spring.stiffness;
  for (int k = 0; k < t.nq; ++k) a.springMount[t.q + k] = spring.q_ref[k];
  normalize(model().topology, a.springMount.data());
  system_.noteActuation();
  world_.knowsEnergy = false;
}
std::vector<SpringElement> ArticulatedSystem::getSprings() const {
  std::vector<SpringElement> springs;
  const Actuation& a = system_.actuation;
  for (int b = 0; b < model().nb(); ++b) {
    const BodyTopology& t = model().topology.bodies[b];
    if (t.nv == 0 || a.stiffness[t.u] == 0) continue;
    SpringElement spring{b, a.stiffness[t.u], {}};
    for (int k = 0; k < std::min(t.nq, 4); ++k) spring.q_ref[k] = a.springMount[t.q + k];
    springs.push_back(spring);
  }
  return springs;
}

}  // namespace espalier
