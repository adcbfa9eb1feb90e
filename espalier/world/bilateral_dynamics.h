#pragma once

// What bilateral loops ask of a system between steps: dense, by multipliers. Internal.

#include <optional>

#include "espalier/world/dynamics_query.h"

namespace espalier {

/// udot [nv] of a system whose bilateral loops rows keep, in public order; what drift they have
/// counts for nothing:
///   M udot + h = tau + J' lambda,   J udot + k = 0
/// M, h and tau are those without the rows.
VecDyn bilateralDynamics(DynamicsQuery& query, const Vec3d& gravity, const Eigen::VectorXd& tau);

/// Rates by which loops may be off that are left as they are, m/s and rad/s: what a step leaves.
inline constexpr double left_alone_rate = 1e-3;

/// The velocity nearest to u that the loops allow at q [nq] of all joints, in public order: joints
/// that lead (BilateralLoops::leads) keep theirs, the others change by the least sum of squares. None
/// where those that lead do not determine it.
std::optional<VecDyn> consistentVelocity(const Model& model, const Lowered<double>& parameters,
                                         const double* q, const Eigen::VectorXd& u);

}  // namespace espalier
