#include "espalier/model/compile/check_authored.h"

#include <cmath>

#include "espalier/model/compile/singular.h"
#include "espalier/model/model.h"
#include "espalier/model/spec/checks.h"
#include "espalier/spatial/finite.h"

namespace espalier {
namespace {

bool isFinite(const AuthoredBody& b) {
  bool finite = std::isfinite(b.mass) && isFinite(b.com) && isFinite(b.X_PJ.p) &&
                isFinite(b.X_PJ.R) && std::isfinite(b.pitch) &&
                isFinite(Vec3d{b.I.xx, b.I.xy, b.I.xz}) && isFinite(Vec3d{b.I.yy, b.I.yz, b.I.zz});
  for (const Vec3d& axis : b.axes) finite = finite && isFinite(axis);
  return finite;
}

AuthoredFault faultOf(JointKind kind, const AuthoredBody& body) {
  if (!isFinite(body)) return AuthoredFault::NotFinite;
  if (body.mass < 0) return AuthoredFault::NegativeMass;
  if (hasNegativeMoment(body.I, body.mass)) return AuthoredFault::NegativeInertia;
  if (!isRotation(body.X_PJ.R)) return AuthoredFault::NotARotation;
  const int axes = info(kind).axes;
  for (int i = 0; i < axes; ++i)
    if (norm(body.axes[i]) < 1e-12) return AuthoredFault::ZeroAxis;
  for (int i = 0; i + 1 < axes; ++i) {
    const Vec3d &a = body.axes[i], &b = body.axes[i + 1];
    if (norm(cross(a, b)) <= 1e-6 * norm(a) * norm(b)) return AuthoredFault::ParallelAxes;
  }
  return AuthoredFault::None;
}

const char* text(AuthoredFault fault) {
  switch (fault) {
    case AuthoredFault::None: return "nothing is wrong";
    case AuthoredFault::NotFinite: return "a number is not finite";
    case AuthoredFault::NegativeMass: return "its mass is negative";
    case AuthoredFault::NegativeInertia: return "its inertia is not positive";
    case AuthoredFault::NotARotation: return "its joint's orientation is not a rotation";
    case AuthoredFault::ZeroAxis: return "its joint's axis is zero";
    case AuthoredFault::ParallelAxes: return "two axes of its joint are parallel";
    case AuthoredFault::NegativeRotor: return "its rotor inertia is negative or not finite";
    case AuthoredFault::MovesNothing: return "it can move but has no inertia along that motion";
  }
  return "";
}

}  // namespace

AuthoredVerdict judge(const Topology& t, const Authored& authored, const Lowered<double>& lowered,
                      const Mechanism& mechanism, std::vector<RigidInertia<double>>& carried) {
  for (int b = 0; b < t.nb; ++b) {
    const BodyTopology& joint = t.bodies[b];
    const AuthoredFault fault = faultOf(joint.kind, authored.bodies[b]);
    if (fault != AuthoredFault::None) return {fault, b};
    for (int d = joint.u; d < joint.u + joint.nv; ++d)
      if (!(authored.rotorInertia[d] >= 0 && std::isfinite(authored.rotorInertia[d])))
        return {AuthoredFault::NegativeRotor, b};
  }
  SingularJoints singular(t, lowered, authored.rotorInertia, mechanism, carried);
  for (int b = t.floating ? 0 : 1; b < t.nb; ++b)
    if (singular.contains(b)) return {AuthoredFault::MovesNothing, b};
  return {};
}

std::string explain(const Model& model, const AuthoredVerdict& verdict) {
  if (verdict.body < 0) return text(verdict.fault);
  return "link '" + model.bodies[verdict.body].name + "': " + text(verdict.fault);
}

}  // namespace espalier
