#pragma once

#include "espalier/core/diagnostic.h"
#include "espalier/model/model.h"

namespace espalier {

/// The loops of a spec that ask for rows of the contact problem.
///   pre     model.mechanism holds the others
///   errors  a loop that cannot close, with its residual
BilateralLoops compileBilateral(const SystemSpec& spec, const Model& model,
                                Diagnostics& diagnostics);

}  // namespace espalier
