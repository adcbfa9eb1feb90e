#pragma once

// Geared rotors that compile made part of their carriers, and those that it could not.

#include <string>

#include "apps/cli/json.h"
#include "apps/cli/terminal.h"
#include "espalier/model/model.h"
#include "espalier/model/spec/spec.h"

namespace espalier::cli {

/// [{joint, link, carrier, inertia, offset, ratios: [{joint, factor}]}]
Json rotorsJson(const Model& model);

/// The same as a table; "" where there are none.
std::string drawRotors(const Terminal& terminal, const Model& model);

/// Those of a sound description that stay bodies: [{joint, why}]
Json rotorBodiesJson(const SystemSpec& spec);
std::string drawRotorBodies(const Terminal& terminal, const SystemSpec& spec);

}  // namespace espalier::cli
