#pragma once

// Loops that leave nothing to move: the joints that they tie become fixed.

#include <vector>

#include "espalier/model/model.h"

namespace espalier {

/// Bodies that loops hold still against their carriers, and their poses there.
struct RigidBodies {
  std::vector<int> bodies;
  std::vector<double> q;  ///< [nq] closed
};

/// The same system with the joints of those bodies fixed where they are at q, without the loops,
/// couplings and constraints that tie them. A geared rotor that follows them alone is fixed, too. A floating
/// base among them is fixed where it is at q and carries a link "world" with the world's own frame.
///   pre  model is compile()'s of spec; bodies are those of whole clusters
SystemSpec withWelds(const SystemSpec& spec, const Model& model, const RigidBodies& rigid);

}  // namespace espalier
