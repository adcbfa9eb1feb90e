#pragma once

#include "espalier/core/diagnostic.h"
#include "espalier/model/loops/weld_joints.h"
#include "espalier/model/model.h"

namespace espalier {

/// Mechanism of a compiled tree from the loops, couplings and mimics of its spec; lone joints where it has none.
///   out     rigid  bodies that loops leave nothing to move, none of whose joints the file flags
///           independent; then the joints are lone ones, and withWelds() is what to compile
///   warns   of those, and of loops that close only but for rounding (model/loops/rounding.h)
///   errors  a loop that cannot close (its residual), independent flags that do not determine the
///           rest (the rank), nothing left to move of what is flagged
Mechanism compileMechanism(const SystemSpec& spec, const Model& tree, RigidBodies& rigid,
                           Diagnostics& diagnostics);

}  // namespace espalier
