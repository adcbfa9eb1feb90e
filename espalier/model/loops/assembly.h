#pragma once

// Assembly: a configuration at which every loop is closed, by damped least squares on all joints
// at once, from the given one and, where that fails, from others around it.

#include <span>
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

/// The loops and couplings of a tree; valid while what it is made from is.
struct LoopSystem {
  const Topology& t;
  const Lowered<double>& par;
  std::span<const Closure> closures;
  std::span<const Coupling> couplings;

  /// All rows at q, closure by closure and then the couplings; zeros for those that are loose.
  ///   in  q        [nq]
  ///   in  byAngle  directions by the angle between them, for starts far away
  LoopEquations equations(const double* q, bool byAngle = false) const;

  /// Closes the loops near q.
  ///   in   held  [nv] dofs that keep their coordinates; empty: none
  ///   io   q     [nq] the start; on success closed to 1e-12, else the best that was found
  AssemblyResult assemble(const std::vector<char>& held, std::vector<double>& q) const;
  /// The same from this one start.
  AssemblyResult closeNear(const std::vector<char>& held, std::vector<double>& q) const;

  /// The closure whose row it is, or closures.size() + the coupling.
  int ownerOf(int row) const;

 private:
  AssemblyResult descend(const std::vector<char>& held, bool byAngle, std::vector<double>& q) const;
};

/// Those of a mechanism.
LoopSystem loopsOf(const Topology& t, const Lowered<double>& par, const Mechanism& m);

/// Closes the loops of a mechanism near q by its dependent joints alone.
///   io  q  as of LoopSystem::assemble()
AssemblyResult assembleDependents(const Topology& t, const Lowered<double>& par, const Mechanism& m,
                                  std::vector<double>& q);

}  // namespace espalier
