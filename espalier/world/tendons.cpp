#include "espalier/world/tendons.h"

#include <algorithm>

#include "espalier/dynamics/jacobian.h"
#include "espalier/world/motion.h"

namespace espalier {
namespace {

/// A point of a tendon from the system's origin, and its velocity.
struct MovingPoint {
  Vec3d r, v;
};

MovingPoint motionOf(const System& sys, const TendonInfo::End& end) {
  if (end.body < 0) return {end.point_L - sys.ws.origin, {0, 0, 0}};
  const Vec3d r = sys.ws.x[end.body] + mul(sys.ws.R[end.body], end.point_C);
  return {r, velocityAt(sys.ws.V[end.body], r)};
}

/// From the rest length: > 0 where the tendon is too short, < 0 where it is too long.
double stretchOf(const TendonSpec& tendon, double length) {
  return std::max(tendon.restLower - length, 0.0) + std::min(tendon.restUpper - length, 0.0);
}

Tension springOf(const TendonSpec& t, double length, double rate, const ImplicitWeights& weights) {
  const double stretch = stretchOf(t, length);
  const double stiffness = stretch != 0 ? t.stiffness : 0;
  return {stiffness * (stretch - weights.lookAhead * rate) - t.damping * rate,
          weights.damping * t.damping + weights.stiffness * stiffness};
}

/// As TorqueLimits::COMMAND has it; EXACT bounds the row of an actuator that has one.
Tension actuatorOf(const ActuatorSpec& a, double length, double rate,
                   const ImplicitWeights& weights, TorqueLimits limits) {
  const double wanted = a.feedforward + a.kp * (a.target - length - weights.lookAhead * rate) +
                        a.kd * (a.targetRate - rate);
  const double weight = weights.damping * a.kd + weights.stiffness * a.kp;
  const bool isBoundedLater = limits == TorqueLimits::EXACT && weight > 0;
  return {isBoundedLater ? wanted : std::min(std::max(wanted, a.lower), a.upper), weight};
}

/// force += J' f of a force at a point r from the origin.
void pushPoint(System& sys, int body, const Vec3d& r, const Vec3d& f) {
  if (body < 0) return;
  const Force<double> wrench{cross(r, f), f};
  const Topology& t = sys.topology();
  if (t.floating) {
    const Vec3d n = cross(r - sys.ws.x[0], f);
    const double base[6] = {f.x, f.y, f.z, n.x, n.y, n.z};
    for (int d = 0; d < 6; ++d) sys.force[d] += base[d];
  }
  for (int d = sys.chainBegin[body]; d < sys.chainBegin[body + 1]; ++d) {
    const int dof = sys.chain[d];
    if (!(t.floating && dof < 6)) sys.force[dof] += dot(sys.ws.S[dof], wrench);
  }
}

void pushBy(System& sys, const TendonInfo& info, const TendonState& state, double force) {
  for (const RotorInfo::Term& term : info.terms) sys.force[term.u] += term.factor * force;
  for (std::size_t i = 0; i < state.segments.size(); ++i) {
    const TendonState::Segment& s = state.segments[i];
    pushPoint(sys, info.segments[i].to.body, s.to, s.pull * force);
    pushPoint(sys, info.segments[i].from.body, s.from, s.pull * -force);
  }
}

}  // namespace

void measureTendons(System& sys, const double* u) {
  for (std::size_t i = 0; i < sys.tendons.size(); ++i) {
    const TendonInfo& info = sys.model->tendons[i];
    TendonState& state = sys.tendons[i];
    state.length = info.jointLength(sys.qm.data());
    state.rate = info.jointRate(u);
    for (std::size_t k = 0; k < state.segments.size(); ++k) {
      const TendonInfo::Segment& segment = info.segments[k];
      const MovingPoint from = motionOf(sys, segment.from), to = motionOf(sys, segment.to);
      const Vec3d way = to.r - from.r;
      const double length = norm(way);
      const Vec3d pull = length > 0 ? way * (segment.share / length) : Vec3d{0, 0, 0};
      state.segments[k] = {from.r, to.r, pull};
      state.length += segment.share * length;
      state.rate += dot(pull, to.v - from.v);
    }
  }
}

double tendonAcceleration(const WorldData& world, const System& sys, int tendon) {
  const TendonInfo& info = sys.model->tendons[static_cast<std::size_t>(tendon)];
  const TendonState& state = sys.tendons[static_cast<std::size_t>(tendon)];
  const auto motionAt = [&](const TendonInfo::End& end, const Vec3d& r) {
    if (end.body < 0) return PointMotion{};
    Endpoint at;
    at.system = const_cast<System*>(&sys);
    at.body = end.body;
    return pointMotion(world, at, r + sys.ws.origin, {0, 0, 0});
  };
  double sum = 0;
  for (std::size_t k = 0; k < state.segments.size(); ++k) {
    const TendonState::Segment& s = state.segments[k];
    const TendonInfo::Segment& segment = info.segments[k];
    const double length = norm(s.to - s.from);
    if (!(length > 0)) continue;
    const PointMotion from = motionAt(segment.from, s.from), to = motionAt(segment.to, s.to);
    const Vec3d v = to.velocity - from.velocity;
    const double along = dot(s.pull, v) / segment.share;
    sum += dot(s.pull, to.acceleration - from.acceleration) +
           segment.share * (dot(v, v) - along * along) / length;
  }
  return sum;
}

void pullTendons(System& sys, const double* u, Scheme scheme, double dt) {
  const ImplicitWeights weights = implicitWeights(scheme, dt);
  measureTendons(sys, u);
  for (std::size_t i = 0; i < sys.tendons.size(); ++i) {
    const TendonInfo& info = sys.model->tendons[i];
    TendonState& state = sys.tendons[i];
    state.spring = springOf(info.spec, state.length, state.rate, weights);
    state.actuator = {};
    if (info.spec.actuator)
      state.actuator = actuatorOf(*info.spec.actuator, state.length, state.rate, weights,
                                  sys.actuation.torqueLimits);
    for (const Tension& tension : {state.spring, state.actuator})
      if (!(tension.weight > 0)) pushBy(sys, info, state, tension.force);
  }
}

}  // namespace espalier
