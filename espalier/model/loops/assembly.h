#pragma once

// Assembly: a configuration at which every loop is closed, by damped least squares on all joints
// at once, from the given one and, where that fails, from others around it.

#include <vector>

#include "espalier/model/loops/mechanism.h"
#include "espalier/model/lowered.h"

namespace espalier {

/// The equations of a system's loops and their Jacobian at one configuration.
struct LoopEquations {
  int rows = 0, columns = 0;
  std::vector<double> phi;  ///< [rows] m, or 1 for directions
  std::vector<double> J;    ///< [rows][columns] by spanning dofs
  bool hasFlipped = false;  ///< some pair of axes that should agree points apart

  double largest() const;
};

/// All rows, closure by closure and then the couplings; zeros for those that are loose.
///   in  byAngle  directions by the angle between them, for starts far away
void loopEquations(const Topology& t, const Lowered<double>& par,
                   const std::vector<Closure>& closures, const std::vector<Coupling>& couplings,
                   const double* q, LoopEquations& out, bool byAngle = false);

/// [nv] How each dof moves what it carries, about the world's origin.
std::vector<Motion<double>> jointMotions(const Topology& t, const Lowered<double>& par,
                                         const double* q);

/// Where frame A of a loop is, m, about the world's origin.
Vec3d placeOfLoop(const Topology& t, const Lowered<double>& par, const Closure& loop,
                  const double* q);

struct AssemblyResult {
  bool isClosed = false;
  double residual = 0;  ///< the largest |phi|
  int worst = -1;       ///< its row
};

/// Closes the loops near q.
///   io   q     [nq] the start; on success closed to 1e-12, else the best that was found
///   in   held  [nv] dofs that keep their coordinates; empty: none
AssemblyResult assemble(const Topology& t, const Lowered<double>& par,
                        const std::vector<Closure>& closures,
                        const std::vector<Coupling>& couplings, const std::vector<char>& held,
                        std::vector<double>& q);

/// The same from this one start.
AssemblyResult closeNear(const Topology& t, const Lowered<double>& par,
                         const std::vector<Closure>& closures,
                         const std::vector<Coupling>& couplings, std::vector<double>& q);

/// The same by the dependent joints alone: the independent ones keep their coordinates.
AssemblyResult assembleDependents(const Topology& t, const Lowered<double>& par, const Mechanism& m,
                                  std::vector<double>& q);

}  // namespace espalier
