#pragma once

#include <optional>

#include "espalier/core/diagnostic.h"
#include "espalier/model/model.h"

namespace espalier {

/// What the loops, couplings and mimics of a spec make of a compiled tree; nothing where there are
/// none.
///   errors  a loop that cannot close (its residual), independent flags that do not determine the
///           rest (the rank), nothing left to move
std::optional<Mechanism> compileMechanism(const SystemSpec& spec, const Model& tree,
                                          Diagnostics& diagnostics);

}  // namespace espalier
