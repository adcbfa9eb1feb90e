#pragma once

// The mechanism's matrices, as arboris defines them:
//   M nu' + (N + B) nu = gforce
//   M = sum_b J' M_b J,   N = sum_b J' (M_b dJ + N_b J),   B = sum_f J_f' B_f J_f
// With N_b = blkdiag(w^ I_c, m w^) about the centre of mass c, and dJ the rate of the body's own
// Jacobian, R' (dA - w^ A) in terms of world axes, w^ cancels in the linear rows:
//   M = sum_b  W' I_c W + m A' A
//   N = sum_b  W' (I_c dW + (w^ I_c - I_c w^) W) + m A' dA
// W, A: Jacobians of the angular velocity and of c, in world axes; dW, dA their rates.
// N nu are the nonlinear effects; of the many N that give them this one is arboris' own, after its
// fault in dJ of joints with several dofs is mended. It is not skew: dM/dt != N + N'.

#include "espalier/compat/arboris/tree.h"

namespace espalier::sim {

/// Adds a tree's part to M and N [n][n].
void addInertia(const Tree& tree, const Lowered<double>& parameters, Eigen::MatrixXd& M,
                Eigen::MatrixXd& N);

/// Adds the generalised force of gravity (m/s^2, world axes) to gforce [n].
void addWeight(const Tree& tree, const Vec3d& gravity, Eigen::VectorXd& gforce);

}  // namespace espalier::sim
