#pragma once

// Tendons, compensated weights and drag of a Spec in the numbers of its tree.

#include "espalier/model/model.h"

namespace espalier {

/// Model::tendons.   pre  the model has its bodies and rotors
void addTendons(const SystemSpec& spec, Model& model);

/// Their points and surfaces in the engine's axes.   pre  BodyInfo::R_LC is there
void lowerTendons(Model& model);

/// Model::heldWeights.   pre  the model has its links
void addHeldWeights(const SystemSpec& spec, Model& model);

/// Model::medium and dragBoxes.   pre  the model has its links
void addDrag(const SystemSpec& spec, Model& model);

}  // namespace espalier
