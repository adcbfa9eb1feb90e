#include "espalier/step/welds.h"

#include "espalier/step/motion.h"

namespace espalier {
namespace {

/// Angular acceleration at udot = 0.
Vec3d turnOf(const Endpoint& end) {
  return end.system ? end.system->ws.A[end.body].w : Vec3d{0, 0, 0};
}

}  // namespace

Vec3d spinOf(const Endpoint& end) {
  if (end.system) return end.system->ws.V[end.body].w;
  return end.free ? end.free->w : Vec3d{0, 0, 0};
}

WeldState stateOf(const StepData& world, const Weld& weld) {
  const Transformd X_WFa = poseOf(weld.a) * weld.X_AF, X_WFb = poseOf(weld.b) * weld.X_BF;
  WeldState s;
  s.point = (X_WFa.p + X_WFb.p) * 0.5;
  s.gap = X_WFa.p - X_WFb.p;
  s.turn = logQuat(quaternion(mul(X_WFa.R, transpose(X_WFb.R))));
  const PointMotion a = pointMotion(world, weld.a, s.point, {0, 0, 0});
  const PointMotion b = pointMotion(world, weld.b, s.point, {0, 0, 0});
  s.velocity = a.velocity - b.velocity;
  s.acceleration = a.acceleration - b.acceleration;
  s.angularVelocity = spinOf(weld.a) - spinOf(weld.b);
  s.angularAcceleration = turnOf(weld.a) - turnOf(weld.b);
  return s;
}

}  // namespace espalier
