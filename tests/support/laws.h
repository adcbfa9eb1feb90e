#pragma once

// Constraints by tapes for the oracles: played and differentiated by other means than the engine's,
// Eigen's automatic differentiation twice over.

#include "tests/support/mechanism_tree.h"

namespace espalier::testing {

/// phi of a law at q.
double valueOf(const MechanismTree& tree, const MechanismTree::Law& law, const Eigen::VectorXd& q);

struct LawRates {
  std::vector<double> K;  ///< by the law's dofs
  double bias = 0;        ///< u' H u: phi'' where u is steady
};
LawRates ratesOf(const MechanismTree& tree, const MechanismTree::Law& law, const Eigen::VectorXd& q,
                 const Eigen::VectorXd& u);

}  // namespace espalier::testing
