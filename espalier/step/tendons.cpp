#include "espalier/step/tendons.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "espalier/dynamics/tree/jacobian.h"
#include "espalier/geometry/wrapping.h"
#include "espalier/step/motion.h"
#include "espalier/step/system_step.h"

namespace espalier {
namespace {

Vec3d placeOf(const Workspace<double>& ws, const TendonInfo::End& end) {
  if (end.body < 0) return end.point_L - ws.origin;
  return ws.x[end.body] + mul(ws.R[end.body], end.point_C);
}

Vec3d velocityOf(const Workspace<double>& ws, int body, const Vec3d& r) {
  return body < 0 ? Vec3d{0, 0, 0} : velocityAt(ws.V[body], r);
}

/// Pose of a surface from the system's origin.
Transformd poseOf(const Workspace<double>& ws, const TendonInfo::Wrap& wrap) {
  const int body = wrap.centre.body;
  return {body < 0 ? wrap.R_C : mul(ws.R[body], wrap.R_C), placeOf(ws, wrap.centre)};
}

/// Ends the segment before a surface and begins the one behind it where the string touches; where it
/// runs straight past, both meet in one point of it, in which their pulls cancel.
///   returns  the length on the surface
double placeOnSurface(const TendonInfo::Wrap& wrap, const Workspace<double>& ws,
                      TendonState::Segment& before, TendonState::Segment& behind, WrapWay& way) {
  const Transformd X = poseOf(ws, wrap);
  const auto inSurface = [&](const Vec3d& r) { return tmul(X.R, r - X.p); };
  std::optional<Vec3d> side;
  if (wrap.side) side = inSurface(placeOf(ws, *wrap.side));
  const Wrapping wrapping =
      espalier::wrap(wrap.surface, inSurface(before.from), inSurface(behind.to), side);
  before.to = X * wrapping.first;
  behind.from = X * wrapping.second;
  way = wrapping.way;
  return wrapping.arc;
}

/// As TorqueLimits::COMMAND has it; EXACT bounds the row of an actuator that has one.
Tension<double> boundedTension(const ActuatorSpec& a, double length, double rate,
                               const ImplicitWeights& weights, TorqueLimits limits) {
  const Motor<double> motor{a.kp, a.kd, a.target - length, a.targetRate, a.feedforward};
  Tension<double> tension = actuatorTension(motor, rate, weights);
  const bool isBoundedLater = limits == TorqueLimits::EXACT && tension.weight > 0;
  if (!isBoundedLater) tension.force = boundedTorque(tension.force, a.lower, a.upper);
  return tension;
}

/// force += J' f of a force at a point r from the origin.
void pushPoint(System& sys, int body, const Vec3d& r, const Vec3d& f) {
  addWrench(
      sys.topology(), body, Force<double>{cross(r, f), f}, [&](int d) { return sys.ws.S[d]; },
      sys.force.data());
}

void pushBy(System& sys, const TendonInfo& info, const TendonState& state, double force) {
  for (const RotorInfo::Term& term : info.terms) sys.force[term.u] += term.factor * force;
  forEachPull(info, state, force,
              [&](int body, const Vec3d& r, const Vec3d& f) { pushPoint(sys, body, r, f); });
}

}  // namespace

void measureTendon(const TendonInfo& info, const Workspace<double>& ws, const double* q,
                   const double* u, TendonState& state) {
  state.length = info.jointLength(q);
  state.rate = info.jointRate(u);
  for (std::size_t k = 0; k < state.segments.size(); ++k) {
    state.segments[k].from = placeOf(ws, info.segments[k].from);
    state.segments[k].to = placeOf(ws, info.segments[k].to);
  }
  for (std::size_t w = 0; w < info.wraps.size(); ++w) {
    const auto k = static_cast<std::size_t>(info.wraps[w].segment);
    state.length += info.segments[k].share * placeOnSurface(info.wraps[w], ws, state.segments[k],
                                                            state.segments[k + 1], state.ways[w]);
  }
  for (std::size_t k = 0; k < state.segments.size(); ++k) {
    const TendonInfo::Segment& segment = info.segments[k];
    TendonState::Segment& s = state.segments[k];
    const Vec3d way = s.to - s.from;
    const double length = norm(way);
    s.pull = length > 0 ? way * (segment.share / length) : Vec3d{0, 0, 0};
    state.length += segment.share * length;
    state.rate += dot(
        s.pull, velocityOf(ws, segment.to.body, s.to) - velocityOf(ws, segment.from.body, s.from));
  }
}

void measureTendons(System& sys, const double* u) {
  for (std::size_t i = 0; i < sys.tendons.size(); ++i)
    measureTendon(sys.model->tendons[i], sys.ws, sys.qm.data(), u, sys.tendons[i]);
}

namespace {

/// Velocity of a body's point at r from the system's origin, at these rates.
Vec3d velocityAtRates(const System& sys, int body, const Vec3d& r, const double* u, int stride) {
  if (body < 0) return {0, 0, 0};
  const Topology& t = sys.topology();
  const int first = t.floating ? 6 : 0;  // whose columns are implied
  const auto three = [&](int d) {
    return Vec3d{u[d * stride], u[(d + 1) * stride], u[(d + 2) * stride]};
  };
  Vec3d v = t.floating ? three(0) + cross(three(3), r) : Vec3d{0, 0, 0};
  for (int d = t.lastDof(body); d >= first; d = t.dofParent[d])
    v += velocityAt(sys.ws.S[d], r) * u[d * stride];
  return v;
}

}  // namespace

double tendonRate(const System& sys, int tendon, const double* u, int stride) {
  const TendonInfo& info = sys.model->tendons[tendon];
  const TendonState& state = sys.tendons[tendon];
  double rate = 0;
  for (const RotorInfo::Term& term : info.terms) rate += term.factor * u[term.u * stride];
  for (std::size_t k = 0; k < state.segments.size(); ++k) {
    const TendonState::Segment& s = state.segments[k];
    rate += dot(s.pull, velocityAtRates(sys, info.segments[k].to.body, s.to, u, stride) -
                            velocityAtRates(sys, info.segments[k].from.body, s.from, u, stride));
  }
  return rate;
}

namespace {

using Jet3 = Vec3<Jet2<double>>;

PointMotion motionAt(const StepData& world, const System& sys, int body, const Vec3d& r) {
  if (body < 0) return {};
  Endpoint at;
  at.system = const_cast<System*>(&sys);
  at.body = body;
  return pointMotion(world, at, r + sys.ws.origin, {0, 0, 0});
}

/// A point of another body as the surface's body sees it: with v and a of the body's own point there
/// taken off, v' = v_p - v, a' = a_p - a - 2 w x v'.
Jet3 motionInSurface(const StepData& world, const System& sys, const TendonInfo::Wrap& wrap,
                     int body, const Vec3d& r) {
  const int of = wrap.centre.body;
  const Transformd X = poseOf(sys.ws, wrap);
  const PointMotion point = motionAt(world, sys, body, r), own = motionAt(world, sys, of, r);
  const Vec3d w = of < 0 ? Vec3d{0, 0, 0} : sys.ws.V[of].w;
  const Vec3d v = point.velocity - own.velocity;
  const Vec3d p = tmul(X.R, r - X.p), d = tmul(X.R, v),
              dd = tmul(X.R, point.acceleration - own.acceleration - cross(w, v) * 2.0);
  return {{p.x, d.x, dd.x}, {p.y, d.y, dd.y}, {p.z, d.z, dd.z}};
}

/// Second derivative of the length of a segment.
double accelerationOf(const StepData& world, const System& sys, const TendonInfo::Segment& segment,
                      const TendonState::Segment& s) {
  const double length = norm(s.to - s.from);
  if (!(length > 0)) return 0;
  const PointMotion from = motionAt(world, sys, segment.from.body, s.from),
                    to = motionAt(world, sys, segment.to.body, s.to);
  const Vec3d v = to.velocity - from.velocity;
  const double along = dot(s.pull, v) / segment.share;
  return dot(s.pull, to.acceleration - from.acceleration) +
         segment.share * (dot(v, v) - along * along) / length;
}

}  // namespace

double tendonAcceleration(const StepData& world, const System& sys, int tendon) {
  const TendonInfo& info = sys.model->tendons[tendon];
  const TendonState& state = sys.tendons[tendon];
  double sum = 0;
  std::size_t w = 0;
  for (std::size_t k = 0; k < state.segments.size(); ++k) {
    const bool isRound = w < info.wraps.size() && info.wraps[w].segment == static_cast<int>(k);
    if (!isRound) {
      sum += accelerationOf(world, sys, info.segments[k], state.segments[k]);
      continue;
    }
    const TendonInfo::Wrap& wrap = info.wraps[w];
    const TendonInfo::Segment& segment = info.segments[k];
    const int behind = info.segments[k + 1].to.body;
    const Vec3d from = state.segments[k].from, to = state.segments[k + 1].to;
    const Jet2<double> length = wrappedLength(
        wrap.surface, state.ways[w++], motionInSurface(world, sys, wrap, segment.from.body, from),
        motionInSurface(world, sys, wrap, behind, to));
    if (std::isfinite(length.dd)) sum += segment.share * length.dd;
    ++k;
  }
  return sum;
}

void pullTendons(System& sys, const double* u, Scheme scheme, double dt) {
  const ImplicitWeights weights = implicitWeights(scheme, dt);
  measureTendons(sys, u);
  for (std::size_t i = 0; i < sys.tendons.size(); ++i) {
    const TendonInfo& info = sys.model->tendons[i];
    TendonState& state = sys.tendons[i];
    state.spring = springTension(info.spec, state.length, state.rate, weights);
    state.actuator = boundedTension(sys.actuation.tendons[i], state.length, state.rate, weights,
                                    sys.actuation.torqueLimits);
    for (const Tension<double>& tension : {state.spring, state.actuator})
      if (!(tension.weight > 0)) pushBy(sys, info, state, tension.force);
  }
}

}  // namespace espalier
