#pragma once

// Which joints the PD controller of `sim` holds.

#include <vector>

#include "espalier/model/model.h"

namespace espalier::cli {

/// [nv] whether each dof of the spanning tree is held: joints are, a floating base is not.
/// In a mechanism passive joints are left alone, as the spin of a rod between two balls: where the file
/// flags some of its joints independent, or drives some by a transmission, only those are held; else
/// those with a limit of effort; and where none has one, all that are independent.
std::vector<char> heldDofs(const Model& model, const SystemSpec& spec);

}  // namespace espalier::cli
