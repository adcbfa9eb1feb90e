//   C = engine axes of a body: R_LC e_z = axis
//   E = (R_LpCp' R_PJ R_LC)',   p = R_LpCp' p_PJ
//   I_C about L's origin: turned by R_LC', moved by R_LC' com

#include "espalier/model/compile/authored.h"

#include <algorithm>

#include "espalier/core/check.h"

namespace espalier {
namespace {

/// Zero stays zero: it is refused elsewhere, with a message.
Vec3d unit(const Vec3d& a) {
  const double length = norm(a);
  return length > 0 ? a * (1 / length) : a;
}

}  // namespace

Mat3d engineAxes(JointKind kind, const AuthoredBody& body) {
  return info(kind).axes == 1 ? rotationToZ(unit(body.axes[0])) : identity3<double>();
}

void lower(const Topology& t, const Authored& authored, Lowered<double>& out) {
  const auto nb = static_cast<std::size_t>(t.nb);
  ESPALIER_ASSERT(authored.bodies.size() == nb);
  ESPALIER_ASSERT(authored.rotorInertia.size() == static_cast<std::size_t>(t.nv));
  out.bodies.resize(nb);
  out.extra.resize(nb);
  for (int b = 0; b < t.nb; ++b) {
    const AuthoredBody& body = authored.bodies[b];
    const int parent = t.bodies[b].parent;
    const Mat3d R_LpCp = parent < 0 ? identity3<double>()
                                    : engineAxes(t.bodies[parent].kind, authored.bodies[parent]);
    const Mat3d R_LC = engineAxes(t.bodies[b].kind, body);
    LoweredBody<double>& low = out.bodies[b];
    low.E = transpose(mul(mul(transpose(R_LpCp), body.X_PJ.R), R_LC));
    low.p = tmul(R_LpCp, body.X_PJ.p);
    low.I =
        toParent(R_LC, tmul(R_LC, body.com), RigidInertia<double>{body.mass, {0, 0, 0}, body.I});
    for (int k = 0; k < 3; ++k) out.extra[b].axes[k] = unit(body.axes[k]);
    out.extra[b].pitch = body.pitch;
  }
  const auto any = [](const std::vector<double>& all) {
    return std::any_of(all.begin(), all.end(), [](double x) { return x != 0; });
  };
  out.armature = authored.rotorInertia;
  for (std::size_t d = 0; d < authored.reflected.size(); ++d)
    out.armature[d] += authored.reflected[d];
  out.spin = authored.spin;
  out.spin.resize(out.armature.size(), 0.0);
  out.geared = authored.geared;
  out.hasRotors = any(out.spin) || any(out.geared);
  out.hasArmature = any(out.armature) || out.hasRotors;
}

}  // namespace espalier
