#pragma once

// Torque-free rotation of a rigid body over a step in which it turns far: by more than the
// farBodyTurn of the scheme (scheme.h).
//
//   L' = L x w,  w = I^-1 L,  R' = R [w]      L (N m s) and w (rad/s) in body axes, R = R_WB
//
// by sub-steps of the implicit midpoint rule for L and Cayley's map for R (Austin, Krishnaprasad and
// Wang 1993): the kinetic energy L . I^-1 L / 2 and the angular momentum R L keep their values to
// rounding, for any length of sub-step. Three sub-steps, one backwards, make one of fourth order
// (Yoshida 1990).

#include "espalier/spatial/inertia.h"
#include "espalier/spatial/rotation.h"

namespace espalier {

struct FreeRotation {
  Quat<double> turn{1, 0, 0, 0};  ///< R_WB at the end is R_WB at the start times this
  Vec3d L{};                      ///< N m s, body axes
};

/// Continues a rotation.
///   in  inverseI  1/(kg m^2), of the inertia about the centre of mass, body axes
///   in  time      s
FreeRotation rotateFreely(const Sym3<double>& inverseI, const FreeRotation& start, double time);

}  // namespace espalier
