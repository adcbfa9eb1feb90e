#pragma once

// Configurations that close the loops of a mechanism, by damped least squares on differences of the
// residual; nothing here knows a Jacobian.

#include <vector>

#include "tests/support/maximal.h"
#include "tests/support/random_tree.h"

namespace espalier::testing {

/// What loops and gears miss at q, in m and rad; zero where all are closed.
Eigen::VectorXd closureResidual(const MechanismTree& tree, const Eigen::VectorXd& q);

struct Closed {
  Eigen::VectorXd q;
  double residual = 0;  ///< largest entry
  bool converged() const { return residual < 1e-12; }
};

/// The closed configuration near q in which the dofs in `held` have not moved.
Closed close(const MechanismTree& tree, const Eigen::VectorXd& q,
             const std::vector<int>& held = {});

struct MechanismState {
  Eigen::VectorXd q, u;
};

/// `count` consistent states, all of the highest rank that is met: a walk from q0 along the ways to
/// move, by about `stride` rad or m a step, with random velocities. Those near a singularity, whose
/// conditioning() is below `worst`, are stepped over.
///   pre  q0 closes all loops
std::vector<MechanismState> randomStates(const MechanismTree& tree, const Eigen::VectorXd& q0,
                                         std::uint64_t seed, int count, double stride = 0.3,
                                         double worst = 1e-3);

}  // namespace espalier::testing
