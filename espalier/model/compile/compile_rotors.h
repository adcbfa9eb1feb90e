#pragma once

#include "espalier/model/compile/gyrostats.h"
#include "espalier/model/model.h"

namespace espalier {

/// Gyrostats of a spec -> the rotors of a model: RotorInfo, which frames turn, and the
/// constants of joints in Authored and Topology.
///   pre  bodies, dofs and frames of the model are there; rotors are welded to their carriers
void addRotors(const SystemSpec& spec, const Gyrostats& gyrostats, Model& model);

}  // namespace espalier
