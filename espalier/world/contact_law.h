#pragma once

// What is asked of the normal velocity after the step, as the bias that is added to it: the problem
// wants v_N+ + bias >= 0.
//
//   open gap         v_N+ >= -gap / dt: the evaluation point of the next step just touches
//                    TRAPEZOID: -(2 gap / dt + v_N), EULER: -(gap / dt + v_N), at most 0
//   penetration      v_N+ >= min(erp (depth - slop)+ / dt, maxDepenetrationVelocity)
// With restitution, on a closed contact that approaches faster than the threshold, or separates:
//   0 <= lambda_N  perp  v_N+ + e v_N(u) >= 0                (Moreau)
// Across an open gap nothing that bounces is held back, be it only because a neighbour pushes it in
// this step: it would arrive slowly, and the energy would be gone.

#include "espalier/world/world_data.h"

namespace espalier {

/// Bias for a gap (m or rad, negative: a penetration) that closes with `speed`.
double biasOfGap(const WorldData& world, double gap, double speed);
/// The same where the two materials may bounce.
double biasOfContact(const WorldData& world, double gap, double speed, const MaterialPair& pair);
/// The part of that bias whose impulse is spent when the step is over, so that the next one should
/// not start from it: with ERP, on contacts that carry a load and are out of place by no more than
/// their weight closes in a step. Only where u+ alone moves q: elsewhere half of it comes again.
double correctionOf(const WorldData& world, double gap, double bias, bool isLoaded);
/// Whether a contact across an open gap has no part in the step.
bool isLetThrough(double gap, double speed, const MaterialPair& pair);

}  // namespace espalier
