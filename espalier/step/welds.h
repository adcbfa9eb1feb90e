#pragma once

// Welds made at run time (World::attach): a common frame F of two bodies, held together by three
// rows for its origin and three for its axes. Their drift is corrected by the next
// step, so that errors do not add up.

#include "espalier/step/step_data.h"

namespace espalier {

/// A weld at the evaluation point; world axes, A against B.
struct WeldState {
  Vec3d point{};  ///< m, where the rows act
  Vec3d gap{};    ///< m, origin of F in A minus that in B
  Vec3d turn{};   ///< rad, rotation vector from B's F to A's F
  Vec3d velocity{}, angularVelocity{};
  Vec3d acceleration{}, angularAcceleration{};  ///< of the point and of the axes, at udot = 0
};

WeldState stateOf(const StepData& world, const Weld& weld);

/// Angular velocity at the start of the step.
Vec3d spinOf(const Endpoint& end);

}  // namespace espalier
