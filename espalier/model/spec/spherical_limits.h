#pragma once

// Limits of a spherical joint. R = R_JC is the rotation of the child C in the joint frame J, a the
// joint's axis, unit, in J.
//
//   angle  [0, pi]    by which R turns
//   swing  [0, pi]    between a and R a: a cone about a
//   twist  (-pi, pi]  R = swing twist: the turn about a that comes before the shortest turn from a
//                     to R a; not defined at a swing of pi. Of one bound alone the other is -pi
//                     or pi, because the twist goes round

#include <string>

#include "espalier/model/spec/spec.h"

namespace espalier {

/// Greatest angle, greatest swing, and range of the twist, rad; infinite: free.
struct SphericalLimits {
  double angle = unlimited;
  double swing = unlimited;
  double twistLower = -unlimited;
  double twistUpper = unlimited;

  bool operator==(const SphericalLimits&) const = default;
  bool areNone() const { return *this == SphericalLimits(); }
  /// Whether a limit speaks of the joint's axis.
  bool useAxis() const;
};

/// Meaning of the limits of a spherical joint's Spec.
SphericalLimits sphericalLimits(const JointLimits& limits);

/// Why no rotation has such limits, as the end of a sentence about the joint; empty where they are
/// possible. Of bounds `lower` and `upper` that are no single angle it speaks, too.
std::string faultOf(const SphericalLimits& limits);
std::string faultOfSpherical(const JointLimits& limits);

/// Whether a limit lies outside the range of the angle, so that it never acts.
bool isOutOfReach(const SphericalLimits& limits);

}  // namespace espalier
