#pragma once

// The tensions of a tendon's spring, damper and actuator in a step, of one world or of several in lanes.

#include "espalier/model/spec/spec.h"
#include "espalier/step/motor.h"

namespace espalier {

/// What one of the two sources of a tendon's tension gives in a step: the spring with the damper, or the actuator.
template <class T>
struct Tension {
  T force = bc<T>(0.0);   ///< N, or N m where the length is an angle, at the evaluation point
  T weight = bc<T>(0.0);  ///< w: the impulse is dt force - w (rate+ - rate)
};

/// From the rest length: > 0 where the tendon is too short, < 0 where it is too long.
template <class T>
ESPALIER_INLINE T stretchOf(const TendonSpec& tendon, const T& length) {
  const T none = bc<T>(0.0);
  return max(bc<T>(tendon.restLower) - length, none) + min(bc<T>(tendon.restUpper) - length, none);
}

template <class T>
ESPALIER_INLINE Tension<T> springTension(const TendonSpec& tendon, const T& length, const T& rate,
                                         const ImplicitWeights& weights) {
  const T none = bc<T>(0.0), stretch = stretchOf(tendon, length);
  const T stiffness = select(abs(stretch) > none, bc<T>(tendon.stiffness), none);
  const T damping = bc<T>(tendon.damping);
  return {stiffness * (stretch - bc<T>(weights.lookAhead) * rate) - damping * rate,
          bc<T>(weights.damping) * damping + bc<T>(weights.stiffness) * stiffness};
}

/// Not bounded yet.   in  motor  toTarget from the length
template <class T>
ESPALIER_INLINE Tension<T> actuatorTension(const Motor<T>& motor, const T& rate,
                                           const ImplicitWeights& weights) {
  return {wantedTorque(motor, rate, weights), motorWeight(motor.kp, motor.kd, weights)};
}

}  // namespace espalier
