#pragma once

// Bodies for cluster joints by name, askew, and numbers to move them by.

#include <random>

#include "espalier/compat/grbda/cluster_joints.h"

namespace espalier::testing {

/// From -1 to 1.
inline double random(std::mt19937& draw) { return std::uniform_real_distribution<>(-1, 1)(draw); }

inline ClusterBody hinge(const Vec3d& p, const Vec3d& axis, const Vec3d& rpy = {0, 0, 0}) {
  ClusterBody b;
  b.X_PJ = {rotationFromRpy(rpy), p};
  b.axes[0] = axis * (1 / norm(axis));
  return b;
}
inline const ClusterBody link_1 = hinge({0.1, 0.02, -0.3}, {0, 1, 0}, {0.2, -0.1, 0.4});
inline const ClusterBody link_2 = hinge({0.02, 0.05, -0.4}, {1, 2, -1}, {-0.3, 0.5, 0.1});
inline const ClusterBody link_3 = hinge({-0.1, 0.3, 0.2}, {0, 0, 1}, {0.1, 0.7, -0.9});
inline const ClusterBody rotor_1 = hinge({0, 0.1, 0}, {0, 1, 0}, {0.2, -0.1, 0.4});
inline const ClusterBody rotor_2 = hinge({0, 0.2, 0}, {0, -1, 0});
inline const ClusterBody rotor_3 = hinge({0.3, 0.2, 0}, {1, 0, 0});

}  // namespace espalier::testing
