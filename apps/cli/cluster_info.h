#pragma once

// The clusters that compile() made of a robot's loops and couplings, and why.

#include <string>

#include "apps/cli/json.h"
#include "apps/cli/terminal.h"
#include "espalier/model/model.h"

namespace espalier::cli {

/// Joints that no loop and no coupling ties; the base is none.
int loneJoints(const Model& model);

/// [{became, why, carrier, bodies, independent, dependent, public_dofs, dofs, equations, dropped,
/// blocks, ties}]; empty in a tree.
Json clustersJson(const Model& model, const SystemSpec& spec);

/// [{name, kind, predecessor, successor, equations, kept}] of loops that rows of the contact problem
/// keep.
Json bilateralJson(const Model& model, const SystemSpec& spec);

/// All this as text, long lists cut short; "" in a tree.
std::string drawClusters(const Terminal& terminal, const Model& model, const SystemSpec& spec);

}  // namespace espalier::cli
