#pragma once

#include "espalier/world/articulated_system.h"

namespace espalier {

/// udot [nv] of a system whose bilateral loops rows keep, in public order; what drift they have
/// counts for nothing:
///   M udot + h = tau + J' lambda,   J udot + k = 0
/// M, h and tau are those without the rows.
///   in  q, u  of all joints
VecDyn bilateralDynamics(const ArticulatedSystem& robot, const System& sys, const double* q,
                         const double* u, const Vec3d& gravity, const Eigen::VectorXd& tau);

}  // namespace espalier
