#pragma once

// Dynamics of a system with bilateral loops between steps: dense, by multipliers. Internal.

#include <optional>

#include "espalier/robot/dynamics_query.h"

namespace espalier {

/// udot [nv] of a system with bilateral loops, in public order; their drift is ignored:
///   M udot + h = tau + J' lambda,   J udot + k = 0
/// M, h and tau are those without the rows.
VecDyn bilateralDynamics(DynamicsQuery& query, const Vec3d& gravity, const Eigen::VectorXd& tau);

/// Rates J u below this are left as they are, m/s and rad/s: the order of a step's own error.
inline constexpr double left_alone_rate = 1e-3;

/// The velocity nearest to u that the loops allow at q [nq] of all joints, in public order:
/// independent joints (BilateralLoops::independent) keep theirs, the others change by the least sum
/// of squares. None where the independent ones do not determine it.
std::optional<VecDyn> consistentVelocity(const Model& model, const Lowered<double>& parameters,
                                         const double* q, const Eigen::VectorXd& u);

}  // namespace espalier
