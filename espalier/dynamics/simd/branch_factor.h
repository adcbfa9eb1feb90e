#pragma once

// factor() and its solves (factor.h) with limbs side by side, where they lie straight in the lanes
// (BranchPlan::isStraight); else the plain ones. Same results, bit for bit.

#include "espalier/core/aligned.h"
#include "espalier/dynamics/simd/branch_plan.h"
#include "espalier/dynamics/tree/workspace.h"

namespace espalier {

class BranchFactor {
 public:
  /// in  topology  of bodies, or of dofs alone (makeDofTree()); outlives this object
  BranchFactor(const Topology& topology, const BranchPlan& plan);

  /// ws.H and ws.Dinv in the plain layout.
  void factor(Workspace<double>& ws);
  // For what factor() last left here.
  void solveTransposed(const Workspace<double>& ws, double* x);
  void solveForward(const Workspace<double>& ws, double* x);

 private:
  using T = DoubleLanes;
  void factorBase(double* H, double* Dinv) const;

  const Topology& t_;
  std::vector<BranchNode> nodes_;  // none where the plain algorithms are the better choice
  std::vector<int> row_;  // [nodes] where a node's row begins: base, then its limb from the root
  AlignedArray<T> L_, base_;  // [rows] as in Workspace::H; [nodes * 6] base columns before scaling
  AlignedArray<T> Dinv_, x_;  // [nodes]; x of a solve
  AlignedArray<double> idleRow_;           // where idle lanes write
  std::vector<int> chain_, firstInChain_;  // ancestors of a node, root first
  std::vector<std::size_t> inBase_;        // [nv] of a dof: place of its base columns, in numbers
};

}  // namespace espalier
