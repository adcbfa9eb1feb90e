#pragma once

// Geared rotors that compile made part of their carriers.

#include <string>

#include "apps/cli/json.h"
#include "apps/cli/terminal.h"
#include "espalier/model/model.h"

namespace espalier::cli {

/// [{joint, link, carrier, inertia, offset, ratios: [{joint, factor}]}]
Json rotorsJson(const Model& model);

/// The same as a table; "" where there are none.
std::string drawRotors(const Terminal& terminal, const Model& model);

}  // namespace espalier::cli
