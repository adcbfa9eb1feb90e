#pragma once

// How body 1 moves over body 0 at a point, as rows of J nu + drift.

#include <Eigen/Core>

#include "espalier/compat/arboris/frame.h"

namespace espalier::sim {

/// Velocity over body 0 of body 1's point at the origin of X, in the axes of X: three rows.
void addLinearRows(const Frame& frame0, const Frame& frame1, const Transformd& X_g,
                   Eigen::Ref<Eigen::MatrixXd> J, Eigen::Ref<Eigen::VectorXd> drift);
/// Angular velocity of body 1 over body 0 about the unit vector `axis` (world): one row.
void addSpinRow(const Frame& frame0, const Frame& frame1, const Vec3d& axis,
                Eigen::Ref<Eigen::MatrixXd> J, Eigen::Ref<Eigen::VectorXd> drift);

}  // namespace espalier::sim
