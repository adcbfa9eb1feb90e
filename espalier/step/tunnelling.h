#pragma once

// Bodies that move by more than their own thickness in a step may pass through others between two
// evaluation points. Where collision finds a pair with so long a path, poses in between are
// checked: the pair has tunnelled if the two overlap in between and are apart at the end, without
// having bounced.

#include "espalier/step/step_data.h"

namespace espalier {

/// Raises StepFlag::Tunnelled, and names the first pair in the report.
///   pre  collision's answer of this step; velocities of the bodies of its fast pairs
void tellTunnelling(StepData& world);

}  // namespace espalier
