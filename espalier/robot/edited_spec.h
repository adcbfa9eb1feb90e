#pragma once

// The Spec of a robot as it was edited.

#include "espalier/step/step_data.h"

namespace espalier {

/// The spec a system was added with, and all edits that are in force. An edited body's inertia
/// stands on its movable link; the links welded to it have none then.
///   pre  the system was added with a spec
SystemSpec editedSpec(const StepData& world, const System& sys);

}  // namespace espalier
