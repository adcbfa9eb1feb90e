#pragma once

// Complete pivoting of a cluster's K in the step: finds independent joints, and the loss of rank at
// change points. Allocates nothing.

#include "espalier/dynamics/loops/closure.h"

namespace espalier {

/// Eliminates K with complete pivoting in loops.lu until a pivot would be no larger than `least`.
///   io   isFree   [dofs of the cluster] 1 of those that may be chosen, then 0 of those that were
///   out  rows     [rows] the pivots' in order, behind them the others
///   out  columns  [rows] the pivots' dofs; behind them untouched
///   returns how many pivots there are
///   pre  K
int pivotCluster(const Cluster& c, LoopWorkspace<double>& loops, double least, double* isFree,
                 std::vector<int>& rows, std::vector<int>& columns);

/// Whether some rows of the plan determine nothing now (dynamics/loops/singularity_traversal.h).
inline bool isAtChangePoint(const Cluster& c, const LoopPlan& plan) {
  return plan.solved < static_cast<int>(c.rows.size());
}

}  // namespace espalier
