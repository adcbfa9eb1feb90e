#pragma once

// The contact law as a bias of the normal velocity after the step: the problem requires
// v_N+ + bias >= 0.
//
//   open gap         v_N+ >= -gap / dt: the evaluation point of the next step just touches
//                    TRAPEZOID: -(2 gap / dt + v_N), EULER: -(gap / dt + v_N), at most 0
//   penetration      v_N+ >= min(erp (depth - slop)+ / dt, maxDepenetrationVelocity)
// With restitution, on a closed contact that approaches faster than the threshold, or separates:
//   0 <= lambda_N  perp  v_N+ + e v_N(u) >= 0                (Moreau)
// A contact with restitution does not act across an open gap, because it would slow the body down
// before it arrives, and the energy would be lost.

#include "espalier/step/gap_law.h"
#include "espalier/step/step_data.h"

namespace espalier {

inline GapLaw lawOf(const StepData& world) { return {world.settings, world.scheme, world.dt}; }

/// The position correction in a bias, whose impulse is left out of the warm start: with ERP, on
/// contacts that carry a load and are out of place by no more than gravity closes in a step. Only
/// in schemes with q+ = q (+) dt u+; in the others half of it acts again in the next step.
inline double correctionOf(const StepData& world, double gap, double bias, bool isLoaded) {
  if (shareOfNext(world.scheme) != 1 || !(world.settings.erp > 0)) return 0;
  return gap < 0 || (isLoaded && bias <= norm(world.gravity) * world.dt) ? bias : 0;
}

}  // namespace espalier
