#pragma once

// Bodies that move by more than their own thickness in a step may go through others between two
// evaluation points. Where collision finds a pair whose way is that long, their poses in between are looked
// at. The two did not bounce: where they would have met they lay in one another, and now they do not.

#include "espalier/world/world_data.h"

namespace espalier {

/// Raises StepFlag::Tunnelled, and names the first pair in the report.
///   pre  collision's answer of this step; velocities of the bodies of its fast pairs
void tellTunnelling(WorldData& world);

}  // namespace espalier
