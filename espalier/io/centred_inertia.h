#pragma once

// Converts between inertias about a frame's origin and those of a Spec, about the centre of mass.

#include "espalier/model/spec/spec.h"
#include "espalier/spatial/inertia.h"

namespace espalier::io {

/// I_C = I_O - m (c.c 1 - c c'), the parallel axis theorem.
///   pre  b.m > 0
inline InertialSpec aboutCentre(const RigidInertia<double>& b) {
  InertialSpec result;
  const Vec3d c = b.h * (1 / b.m);
  const double cc = dot(c, c);
  result.mass = b.m;
  result.X_LC.p = c;
  result.I = {b.I.xx - b.m * (cc - c.x * c.x), b.I.xy + b.m * c.x * c.y,
              b.I.xz + b.m * c.x * c.z,        b.I.yy - b.m * (cc - c.y * c.y),
              b.I.yz + b.m * c.y * c.z,        b.I.zz - b.m * (cc - c.z * c.z)};
  return result;
}

/// About the link's origin, in its axes.
inline RigidInertia<double> inLink(const InertialSpec& b) {
  return toParent(transpose(b.X_LC.R), b.X_LC.p, RigidInertia<double>{b.mass, {0, 0, 0}, b.I});
}

}  // namespace espalier::io
