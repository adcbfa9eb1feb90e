#pragma once

// The order in which a cluster's dependent dofs are found: block-triangular form of K_d by a
// perfect matching of rows and dofs and the strongly connected components of its dependencies
// (Tarjan 1972; Duff and Reid 1978). A Jansen leg becomes three blocks of two.

#include "espalier/model/loops/mechanism.h"

namespace espalier {

/// in  rows       as many as there are dependent dofs, with their columns
/// in  dofs       of the cluster
/// in  dependent  places of the dependent ones, ascending
/// One block with everything where the structure has no perfect matching.
LoopPlan makePlan(const std::vector<LoopRow>& rows, int dofs, const std::vector<int>& dependent);

/// Puts the rows and dofs of every block in an order in which elimination without pivoting is sound and leaves
/// few numbers: by large pivots with little fill-in at one configuration.
///   in  K  [rows][dofs] there
void orderPivots(LoopPlan& plan, const std::vector<LoopRow>& rows, const std::vector<double>& K,
                 int dofs);

/// The sizes of the plan's pivots, in the order of its rows, not finite beyond one that is zero; of an inverted
/// block its determinant's, then zeros.
std::vector<double> pivotsOf(const LoopPlan& plan, const std::vector<double>& K, int dofs);

}  // namespace espalier
