#pragma once

// Where a tree's bodies are at one configuration; for compile and assembly, not for the step.

#include <vector>

#include "espalier/model/lowered.h"
#include "espalier/model/topology.h"
#include "espalier/spatial/motion.h"

namespace espalier {

/// Poses of all bodies, and for each dof the motion of the bodies that it carries.
struct Placement {
  std::vector<Mat3d> R;           ///< [nb] R_WC
  std::vector<Vec3d> x;           ///< [nb] p_WC, m
  std::vector<Motion<double>> S;  ///< [nv] about the world's origin, in world axes

  /// in  q  [nq]
  Placement(const Topology& t, const Lowered<double>& par, const double* q);
};

}  // namespace espalier
