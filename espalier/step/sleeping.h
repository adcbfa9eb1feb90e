#pragma once

// Bodies at rest (sleeping.cpp), for those who change the world.

#include "espalier/step/step_data.h"

namespace espalier {

/// All sleepers wake before the next step, because what they lie on, or what pulls at them, may be another.
void wakeBeforeStep(StepData& world);

}  // namespace espalier
