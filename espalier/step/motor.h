#pragma once

// The formulas of a joint's motor, spring and damper in a step: of several dofs of one world, or of one dof of
// several worlds.
//
// from docs/architecture.md, "Time steps"

#include "espalier/scalar/scalar.h"
#include "espalier/step/scheme.h"

namespace espalier {

template <class T>
struct Motor {
  T kp, kd;
  T toTarget, targetRate;  ///< target - q; target of the rate
  T feedforward;
};

/// N m or N, the torque that gains ask for at the evaluation point, not bounded yet.
template <class T>
ESPALIER_INLINE T wantedTorque(const Motor<T>& m, const T& rate, const ImplicitWeights& weights) {
  const T none = bc<T>(0.0);
  const T way = m.toTarget - bc<T>(weights.lookAhead) * rate;
  const T pull = m.kp * way + m.kd * (m.targetRate - rate);
  const auto isOff = (abs(m.kp) <= none) & (abs(m.kd) <= none);
  return select(isOff, m.feedforward, m.feedforward + pull);
}

/// Implicit weight of its gains on the diagonal of M.
template <class T>
ESPALIER_INLINE T motorWeight(const T& kp, const T& kd, const ImplicitWeights& weights) {
  return bc<T>(weights.damping) * kd + bc<T>(weights.stiffness) * kp;
}

template <class T>
ESPALIER_INLINE T boundedTorque(const T& wanted, const T& lower, const T& upper) {
  return min(upper, max(lower, wanted));
}

}  // namespace espalier
