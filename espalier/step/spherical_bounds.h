#pragma once

// The bounds of a spherical joint at a state, as one-sided rows of the contact problem. With q = R_JC
// the coordinates of the joint, w its angular velocity u in J, and a its axis, R a where the child
// carries it (model/spec/spherical_limits.h), the rates of the three angles are
//
//   angle   n . w                        n the axis of the rotation
//   swing   s . w                        s = a x R a / |a x R a|
//   twist   t . w                        t = (a + R a) / (1 + a . R a)
//
// Where n or s is not defined (no rotation, no swing, a swing of pi) it is taken along the velocity,
// because the angle grows so whatever its direction. The twist has no bound within 0.015 rad of a
// swing of pi.

#include <array>
#include <vector>

#include "espalier/model/model.h"
#include "espalier/model/spec/spherical_limits.h"
#include "espalier/step/limited_angle.h"

namespace espalier {

/// A spherical joint that has limits.
struct LimitedBall {
  int body, q, u;  ///< the first of its coordinates and of its dofs
  Vec3d axis;      ///< unit, in J
  SphericalLimits limits;
};

struct SphericalBound {
  LimitedAngle angle = LimitedAngle::ROTATION;
  bool isUpper = true;
  double gap = 0;         ///< rad, negative beyond the bound
  Vec3d direction{};      ///< in J: the angle's rate is direction . w
  double acceleration{};  ///< rad/s^2, of the angle at constant w
};

/// Of all spherical joints of a model that have limits, as compiled.
std::vector<LimitedBall> limitedBalls(const Model& model);
LimitedBall limitedBall(const Model& model, int body, const SphericalLimits& limits);

/// The finite bounds at q [4], unit, and w (rad/s).
///   out      bounds   [4]
///   returns  how many
int boundsAt(const LimitedBall& ball, const double* q, const Vec3d& w,
             std::array<SphericalBound, 4>& bounds);

}  // namespace espalier
