#include "espalier/step/spherical_bounds.h"

#include <cmath>
#include <numbers>

#include "espalier/scalar/atan2.h"
#include "espalier/spatial/rotation.h"

namespace espalier {
namespace {

constexpr double undefined = 1e-9;  // length of a vector whose direction is rounding

struct Angle {
  double value;
  Vec3d direction;
  double acceleration;
};

/// Along w, or any direction where that is zero.
Vec3d along(const Vec3d& w, const Vec3d& any) {
  const double length = norm(w);
  return length > undefined ? w * (1 / length) : any;
}

/// theta = 2 atan2(|v|, |w_q|);  at constant w  theta'' = cot(theta / 2) |w across n|^2 / 2.
Angle rotationAngle(const Quat<double>& q, const Vec3d& w) {
  const Vec3d v = Vec3d{q.x, q.y, q.z} * (q.w < 0 ? -1.0 : 1.0);
  const double sine = norm(v), cosine = std::abs(q.w);
  const double theta = 2 * espalier::atan2(sine, cosine);
  if (sine < undefined) return {theta, along(w, {1, 0, 0}), 0};
  const Vec3d n = v * (1 / sine);
  const double rate = dot(n, w);
  return {theta, n, 0.5 * cosine / sine * (dot(w, w) - rate * rate)};
}

/// cos sigma = a . b with b = R a;  at constant w
///   sigma'' = (|w|^2 cos sigma - (a . w)(b . w) - cos sigma sigma'^2) / sin sigma
Angle swingAngle(const Vec3d& a, const Vec3d& b, const Vec3d& w) {
  const Vec3d normal = cross(a, b);
  const double sine = norm(normal), cosine = dot(a, b);
  const double sigma = espalier::atan2(sine, cosine);
  if (sine < undefined) {
    const Mat3d R = rotationToZ(a);
    return {sigma, along(w - a * dot(a, w), columnX(R)) * (cosine > 0 ? 1.0 : -1.0), 0};
  }
  const Vec3d s = normal * (1 / sine);
  const double rate = dot(s, w);
  return {sigma, s, (cosine * (dot(w, w) - rate * rate) - dot(a, w) * dot(b, w)) / sine};
}

/// tau = 2 atan2(v . a, w_q);  at constant w  tau'' = tau' (a x b . w) / (1 + a . b)
Angle twistAngle(const Quat<double>& q, const Vec3d& a, const Vec3d& b, const Vec3d& w) {
  const double sign = q.w < 0 ? -1 : 1;
  const double tau = 2 * espalier::atan2(sign * dot(Vec3d{q.x, q.y, q.z}, a), sign * q.w);
  const double share = 1 / (1 + dot(a, b));
  const Vec3d t = (a + b) * share;
  return {tau, t, dot(t, w) * dot(cross(a, b), w) * share};
}

/// The bounds of the twist, for an angle that is told within half a turn of their middle, so that one
/// that passes a bound by a little is beyond that bound, also where the bound is pi.
void addTwist(double lower, double upper, Angle twist, const auto& add) {
  constexpr double pi = std::numbers::pi;
  if (!std::isfinite(lower) && !std::isfinite(upper)) return;
  if (!std::isfinite(lower)) lower = -pi;
  if (!std::isfinite(upper)) upper = pi;
  if (upper - lower >= 2 * pi) return;
  const double middle = 0.5 * (lower + upper);
  if (twist.value > middle + pi) twist.value -= 2 * pi;
  if (twist.value < middle - pi) twist.value += 2 * pi;
  add(LimitedAngle::TWIST, false, lower, twist);
  add(LimitedAngle::TWIST, true, upper, twist);
}

}  // namespace

LimitedBall limitedBall(const Model& model, int body, const SphericalLimits& limits) {
  const BodyTopology& t = model.topology.bodies[body];
  return {body, t.q, t.u, model.bodies[body].axes[0], limits};
}

std::vector<LimitedBall> limitedBalls(const Model& model) {
  std::vector<LimitedBall> balls;
  for (int b = 0; b < model.nb(); ++b) {
    if (model.topology.bodies[b].kind != JointKind::Spherical) continue;
    const SphericalLimits limits = sphericalLimits(model.bodies[b].limits);
    if (!limits.areNone()) balls.push_back(limitedBall(model, b, limits));
  }
  return balls;
}

int boundsAt(const LimitedBall& ball, const double* q, const Vec3d& w,
             std::array<SphericalBound, 4>& bounds) {
  const SphericalLimits& l = ball.limits;
  const Quat<double> quat{q[0], q[1], q[2], q[3]};
  int count = 0;
  const auto add = [&](LimitedAngle which, bool isUpper, double bound, const Angle& angle) {
    if (!std::isfinite(bound)) return;
    const double gap = isUpper ? bound - angle.value : angle.value - bound;
    bounds[count++] = {which, isUpper, gap, angle.direction, angle.acceleration};
  };
  if (std::isfinite(l.angle)) add(LimitedAngle::ROTATION, true, l.angle, rotationAngle(quat, w));
  if (!l.useAxis()) return count;
  const Vec3d a = ball.axis, b = mul(rotation(quat), a);
  add(LimitedAngle::SWING, true, l.swing, swingAngle(a, b, w));
  if (1 + dot(a, b) < 1e-4) return count;
  addTwist(l.twistLower, l.twistUpper, twistAngle(quat, a, b, w), add);
  return count;
}

}  // namespace espalier
