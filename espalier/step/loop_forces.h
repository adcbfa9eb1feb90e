#pragma once

// What embedded loops do to the bodies that they join. The step eliminates their multipliers mu; here they
// are found from what the motion asks for and nothing else gives:
//
//   K' mu = M udot + h - (all other generalized forces)       of each cluster, K at the evaluation point
//
// The rows of a cluster are independent: mu is unique. Where a file's loops repeat one another it is one of
// the ways in which they can share their load.

#include "espalier/core/aligned.h"
#include "espalier/model/loops/mechanism.h"
#include "espalier/spatial/motion.h"

namespace espalier {

template <class T>
struct LoopWorkspace;
template <class T>
struct Workspace;

class LoopForces {
 public:
  /// Of this mechanism; the only call that allocates.
  explicit LoopForces(const Mechanism& m);

  /// Adds the wrench of every loop to its two bodies, about their origins, world axes.
  ///   in  left   [nv] what loops have to give: generalized forces
  ///       loops  K at the evaluation point
  ///       ws     poses there
  ///   io  outside  [nb]
  void push(const Mechanism& m, const LoopWorkspace<double>& loops, const Workspace<double>& ws,
            const double* left, Force<double>* outside);

 private:
  void solve(int dofs, int rows);
  double& at(int dof, int row) { return matrix_[static_cast<std::size_t>(dof * width_ + row)]; }

  int width_ = 0;                // of the largest cluster: rows, and the right-hand side
  AlignedArray<double> matrix_;  // [dofs][width] K' and, in column `rows`, the right-hand side
  AlignedArray<double> mu_;      // [rows]
  AlignedArray<int> column_;     // [rows] the row of the cluster that a column is
};

}  // namespace espalier
