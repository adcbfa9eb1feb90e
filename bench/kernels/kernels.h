#pragma once

// The dynamics of one robot as calls that may be timed, for every scalar this machine can run.

#include <memory>
#include <vector>

#include "bench/kernels/robot.h"

namespace espalier::bench {

enum class Metric {
  Kinematics,       ///< poses, twists, columns, inertias
  InverseDynamics,  ///< tau from q, u, udot
  Crba,             ///< kinematics and the mass matrix
  Factor,           ///< L' D L of a mass matrix, its copy into place included
  Dynamics,         ///< kinematics, h, mass matrix and factor in one pass
  ForwardDynamics   ///< udot from q, u, tau
};
inline constexpr Metric metrics[] = {Metric::Kinematics, Metric::InverseDynamics,
                                     Metric::Crba,       Metric::Factor,
                                     Metric::Dynamics,   Metric::ForwardDynamics};
const char* name(Metric metric);

/// What one scalar can do. Destructor and constructor stand in kernels.cpp, and nothing here is
/// inline, because kernels_v4.cpp must not bring its own copies (scripts/check_isa.py).
class Kernels {
 public:
  virtual ~Kernels();
  /// Calls `metric` so many times, each time at the next states; nothing is allocated.
  virtual void run(Metric metric, int calls) = 0;

  /// double, float, lanes_double, lanes_float
  const char* const scalar;
  const int worlds;  ///< computed in one call, 1 for plain scalars

 protected:
  Kernels(const char* scalarName, int worldCount);
};

/// double, float and the widest lanes of this machine, in that order.
///   pre  the robot outlives them
std::vector<std::unique_ptr<Kernels>> allKernels(const Robot& robot);

}  // namespace espalier::bench
