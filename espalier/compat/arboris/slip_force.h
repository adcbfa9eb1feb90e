#pragma once

#include <Eigen/Core>

namespace espalier::sim {

/// The force of a contact that slips, friction opposite to the slip in the metric of its ellipsoid.
///   find f, s <= 0:  Y f + alpha = s diag(1/e^2, 0) f,   sum (f_t / e)^2 = (mu f_n)^2,  f_n >= 0
/// For s -> -infinity f_t vanishes; of several s the smallest is taken, the one with the least
/// friction that is consistent.
///   in   Y      admittance, rows m_z, f_x, f_y, f_z; not symmetric where N is implicit
///   in   alpha  velocity to be cancelled: free velocity, and gap/dt in the last row; alpha_n <= 0
///   in   e      radii of the ellipsoid: m, 1, 1
///   from Trinkle, Tzitzouris, Pang 2001 for the ellipsoid; arboris' eigenvalue problem for s, here
///        the root of a scalar function between proven bounds
Eigen::Vector4d slipForce(const Eigen::Matrix4d& Y, const Eigen::Vector4d& alpha, double mu,
                          const Eigen::Vector3d& e);

}  // namespace espalier::sim
