#pragma once

// Where a mechanism begins: closed, and within its joints' limits where it can be.

#include <string>

#include "espalier/model/assembly.h"
#include "espalier/model/model.h"

namespace espalier {

/// Closes the loops nearest to the neutral q. Coordinates of the joints in `ties` that are outside
/// their limits there (a linkage drawn stretched out, at a change point) begin a little inside.
///   in   ties  bodies that each loop or coupling ties
///   out  q     [nq]
AssemblyResult assembleFirst(const Model& model, const std::vector<Closure>& closures,
                             const std::vector<Coupling>& couplings,
                             const std::vector<std::vector<int>>& ties, std::vector<double>& q);

/// Where rank is looked at, for special configurations have less: the assembled configuration and up
/// to eight around it, closed; on the same branch where they are near.
///   in  spread  rad or m between the eight
std::vector<std::vector<double>> closedNearby(const Model& model,
                                              const std::vector<Closure>& closures,
                                              const std::vector<Coupling>& couplings,
                                              const std::vector<double>& assembled,
                                              double spread = 0.02);

/// Why a cluster cannot move, if it is for an axis that is a little off the direction that most
/// others have in common: ": joint 'rod' turns 5.7 degrees off ..."; else nothing.
///   in   dofs  of the cluster
std::string whatBinds(const Model& model, const std::vector<int>& dofs,
                      const std::vector<double>& q);

}  // namespace espalier
