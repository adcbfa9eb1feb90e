#pragma once

// A pendulum on a spherical joint at the origin, hanging along -z: 2 kg, its centre of mass half a
// metre below.

#include "espalier/model/spec/spherical_limits.h"
#include "tests/support/world_scenes.h"

namespace espalier::testing {

inline SystemSpec pendulum(JointKind kind, const Vec3d& axis) {
  SystemSpec spec = jointedBody(kind, SphereShape{0.1}, 2, axis);
  spec.links[1].inertial->X_LC.p = {0, 0, -0.5};
  return spec;
}

inline SystemSpec ballPendulum(const Vec3d& axis, const SphericalLimits& limits) {
  SystemSpec spec = pendulum(JointKind::Spherical, axis);
  JointLimits& l = spec.joints[0].limits;
  if (std::isfinite(limits.angle)) l.lower = 0;
  l.upper = limits.angle;
  l.swing = limits.swing;
  l.twistLower = limits.twistLower;
  l.twistUpper = limits.twistUpper;
  return spec;
}

}  // namespace espalier::testing
