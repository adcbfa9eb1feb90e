#include <algorithm>
#include <cmath>

#include "espalier/io/mjcf/mjcf_parts.h"
#include "espalier/io/spec_links.h"
#include "espalier/model/spec/principal_axes.h"

namespace espalier::io {
namespace {

/// boundmass, boundinertia, and balanceinertia, which makes moments that no body has equal.
void bound(const MjcfCompiler& compiler, InertialSpec& b) {
  b.mass = std::max(b.mass, compiler.leastMass);
  if (!(compiler.leastInertia > 0) && !compiler.balanceInertia) return;
  auto [m, R] = principalAxes(b.I);
  for (double& moment : m) moment = std::max(moment, compiler.leastInertia);
  const bool isPossible = m[0] + m[1] >= m[2] && m[1] + m[2] >= m[0] && m[2] + m[0] >= m[1];
  if (compiler.balanceInertia && !isPossible) m.fill((m[0] + m[1] + m[2]) / 3);
  b.I = congruence(transpose(R), Sym3<double>{m[0], 0, 0, m[1], 0, m[2]});
}

}  // namespace

InertialSpec readMjcfInertial(const MjcfReading& reading, const MjcfNode& inertial) {
  inertial.expect({"pos", "quat", "axisangle", "xyaxes", "zaxis", "euler", "mass", "diaginertia",
                   "fullinertia"});
  InertialSpec out;
  out.X_LC = readMjcfPose(reading, inertial);
  if (!inertial.has("mass")) inertial.error("<inertial> has no mass", "add mass=\"...\", in kg");
  out.mass = inertial.number("mass", 0);
  if (out.mass < 0) inertial.error("<inertial> has a negative mass", "give its mass in kg");
  double d[3], f[6];
  if (inertial.numbers("fullinertia", f)) {
    out.I = {f[0], f[3], f[4], f[1], f[5], f[2]};
  } else if (inertial.numbers("diaginertia", d)) {
    out.I = {d[0], 0, 0, d[1], 0, d[2]};
  } else if (!inertial.has("fullinertia") && !inertial.has("diaginertia")) {
    inertial.error("<inertial> has no moments of inertia",
                   "add diaginertia=\"...\", in kg m^2 about the centre of mass");
  }
  return out;
}

std::optional<InertialSpec> compileMjcfInertia(const MjcfReading& reading,
                                               const std::optional<InertialSpec>& authored,
                                               const MjcfBody& body) {
  const MjcfCompiler& compiler = reading.compiler;
  std::optional<InertialSpec> result = authored;
  if (compiler.inertiaFromGeoms.value_or(!authored)) {
    RigidInertia<double> sum{0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
    const MjcfGeom* only = nullptr;
    int count = 0;
    for (const MjcfGeom& geom : body.geoms) {
      if (!(geom.inertia.m > 0)) continue;
      sum += geom.inertia;
      only = &geom;
      ++count;
    }
    if (sum.m > 0) result = aboutCentre(sum);  // else the authored one stays, as in MuJoCo
    // Where principal moments are equal, drag depends on which axes are called principal: the geom's.
    if (count == 1 && reading.model.medium.acts()) result = only->ownInertia;
  }
  if (!result && (compiler.leastMass > 0 || compiler.leastInertia > 0)) {
    result = InertialSpec{};
    result->X_LC.p = body.pos;  // where MuJoCo puts the centre of a body without mass
  }
  if (result) bound(compiler, *result);
  return result;
}

void scaleMjcfMasses(MjcfReading& reading) {
  if (!(reading.compiler.totalMass > 0)) return;
  double sum = 0;
  for (const MjcfBody& body : reading.model.bodies) sum += body.inertial ? body.inertial->mass : 0;
  if (!(sum > 0)) return;
  const double k = reading.compiler.totalMass / sum;
  for (MjcfBody& body : reading.model.bodies) {
    if (!body.inertial) continue;
    Sym3<double>& i = body.inertial->I;
    body.inertial->mass *= k;
    i = {i.xx * k, i.xy * k, i.xz * k, i.yy * k, i.yz * k, i.zz * k};
  }
}

}  // namespace espalier::io
