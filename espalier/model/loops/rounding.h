#pragma once

// Loops that are off by the digits of a file: lengths of six decimals, axes a thousandth of a radian
// askew. Strictly such loops cannot close, or their rows, which would repeat one another, leave
// nothing to move. They are closed in the least-squares sense: frames are moved onto one another
// where the assembly leaves a gap, and of rows that repeat others but for rounding those with the
// largest pivots are kept. Misfits that isRounding() does not explain are left as they are.

#include <vector>

#include "espalier/model/loops/loop_gap.h"
#include "espalier/model/model.h"
#include "espalier/model/spec/check_report.h"

namespace espalier {

/// Misfit of one loop or coupling.
struct Misfit {
  int closure = -1, coupling = -1;  ///< one of them
  LoopGap gap;
};

/// Moves frame B of every loop, and the offset of every coupling, that is open at q by no more than
/// rounding so that it is closed there.
///   in   q         [nq] of a least-squares assembly
///   out  misfits   loops and couplings that were moved
///   returns false, and nothing is moved, where more is left or a constraint's row is
bool closeFrames(const Model& model, const std::vector<double>& q, std::vector<Closure>& closures,
                 std::vector<Coupling>& couplings, std::vector<Misfit>& misfits);

/// An error that a loop or coupling cannot be closed.
void reportOpen(const CheckReport& report, const SpecPlace& loop, double residual);

/// A warning that a loop or coupling was closed so.
void warnOf(const CheckReport& report, const SpecPlace& loop, const LoopGap& gap);

/// One row among those of a system, closure by closure and then the couplings.
struct RowPlace {
  int closure = -1, coupling = -1;  ///< one of them
  int index = 0;                    ///< among the rows of the closure
};

/// The rows of a cluster among those of its system.
struct ClusterRows {
  std::vector<int> dofs;         ///< of the cluster
  std::vector<RowPlace> places;  ///< of each row
  std::vector<int> raw;          ///< of each row, its place among all rows
  int flagged = 0;               ///< dofs that the file flags independent
  bool isMoved = false;          ///< closeFrames() has moved some of its loops
};

/// Finds the rows of a cluster that repeat others but for rounding, and marks them loose: where all rows
/// leave nothing to move, or fewer dofs than are flagged, or repeat one another to first order only
/// because loops were moved. They are those beyond the numerical rank, in rows scaled by the size of
/// the loops, if no axis is askew by more than by_rounding and with them left out the cluster moves by up to half a radian while they stay within a
/// millimetre for each metre of that size, or by_rounding for axes.
///   in   near  closedNearby() of the system, the assembled configuration first
///   io   closures, couplings   of the whole system
///   returns the largest gap of those rows; nothing, and nothing is marked, where there are none
std::optional<LoopGap> loosen(const Model& model, const ClusterRows& rows,
                              const std::vector<std::vector<double>>& near,
                              std::vector<Closure>& closures, std::vector<Coupling>& couplings);

}  // namespace espalier
