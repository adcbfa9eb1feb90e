#pragma once

#include <string>
#include <utility>
#include <vector>

#include "espalier/core/diagnostic.h"
#include "espalier/model/model.h"

namespace espalier {

/// The loops, couplings, mimics and constraints of a spec in the numbers of its tree.
struct LoopTies {
  std::vector<Closure> closures;
  std::vector<Coupling> couplings;  ///< then mimics, then the rows of constraints
  std::vector<std::vector<int>> ofClosures, ofCouplings;  ///< the bodies that each ties
};

///   pre     checkSpec() had no error
///   warns   of loops between links that are one body, which are left out; errors where they gape
LoopTies findTies(const SystemSpec& spec, const Model& model, Diagnostics& diagnostics);

/// The same of the loops that rows of the contact problem keep, which findTies() leaves out.
LoopTies findBilateralTies(const SystemSpec& spec, const Model& model, Diagnostics& diagnostics);

/// A link's body and its frame there; of the ground the world, -1, or the base that is welded to it.
std::pair<int, Transformd> placeOf(const Model& model, const std::string& link);

/// Whether a loop may tie a floating base to the world: spec.X_WB is then where the base is sought, and
/// the loops say where it is. Whether the root floats indeed, compile() finds.
bool isBaseTied(const SystemSpec& spec);
/// The same of a compiled model.
bool isBaseTied(const Model& model);

/// X_CA and X_CB from X_LA and X_LB and the bodies' engine axes.
void toEngineAxes(const Model& model, Closure& closure);

}  // namespace espalier
