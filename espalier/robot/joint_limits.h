#pragma once

// A joint's limits and springs, one joint at a time.

#include "espalier/robot/math.h"
#include "espalier/step/limited_angle.h"

namespace espalier {

/// A joint at or beyond one of its limits.
struct JointLimitViolation {
  int jointId = 0;  ///< joint, which is the body
  int dof = 0;      ///< place in the generalized velocity; of a spherical joint its first
  bool isUpper = false;
  double depth = 0;    ///< rad or m beyond the limit, 0 or more
  double impulse = 0;  ///< N m s or N s with which it was pushed back in the last step, 0 or more
  LimitedAngle angle = LimitedAngle::COORDINATE;
};

/// A spring between a body and the one that carries it.
struct SpringElement {
  int childBodyId = 0;   ///< body, which is the joint
  double stiffness = 0;  ///< N m/rad or N/m
  Vec<4> q_ref;  ///< where it rests: as many numbers as the joint has coordinates, 4 at most

  void setSpringMount(const Eigen::Vector4d& q) { q_ref = q; }
  Eigen::Vector4d getSpringMount() const { return q_ref; }
};

}  // namespace espalier
