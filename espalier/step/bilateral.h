#pragma once

// Loops that rows of the contact problem keep, in the step. Of each row at the evaluation point,
// with its wrench W (model/loops/loop_rows.h) and V, A the twists and the accelerations at udot = 0:
//
//   rate   J u = W . (V_b - V_a)
//   k      dJ/dt u = W . (A_b - A_a) + velocity-product terms
//   law    J u+ + phi / dt + (the scheme's coefficient) dt k = 0  closureBias()
//
// The last is such that phi is zero to third order at the end of each step, and that nothing of it
// adds up. Theory: docs/loops.md, "Bilateral loops".

#include <array>

#include "espalier/dynamics/tree/workspace.h"
#include "espalier/model/loops/bilateral.h"
#include "espalier/spatial/motion.h"

namespace espalier {

struct System;
struct StepData;

/// The rows of a group; those beyond its count are zero.
struct ClosureRows {
  std::array<Force<double>, 3> W{};  ///< on b, about the system's origin O, world axes
  Vec3d gap{};                       ///< phi, m or 1
  Vec3d rate{};                      ///< J u
  Vec3d k{};                         ///< dJ/dt u
};

/// From poses, twists and accelerations of a workspace, those at udot = 0.
ClosureRows closureRows(const BilateralLoops& loops, const RowGroup& group, const Vec3d& gravity,
                        const Workspace<double>& ws);

/// Bias of J u+ in the contact problem, of rows with phi, J u and k; also that of welds.
Vec3d closureBias(const StepData& world, const Vec3d& gap, const Vec3d& rate, const Vec3d& k);

/// The largest |phi| of all rows at the poses of a workspace, redundant ones too.
double largestGap(const BilateralLoops& loops, const Workspace<double>& ws);

/// Gaps at the end of the step into the report.
///   uses the workspace of systems that have such loops
void reportClosures(StepData& world);

/// A loop that gapes by so much at the end of a step raises LoopOpen; the step is taken.
inline constexpr double open_bilateral = 1e-3;
/// A state from outside in which one gapes by more is refused.
inline constexpr double torn_bilateral = 1e-2;

}  // namespace espalier
