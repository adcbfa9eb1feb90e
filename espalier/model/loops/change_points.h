#pragma once

// Change points: where a linkage can go on in two ways, because all its bars lie in one line. There K
// loses rank whichever joints lead, and rates of the joints are not determined. A planar four-bar
// has one where two of its sides are as long together as the other two (Grashof 1883): a
// parallelogram, a kite, 1 + 2.5 = 2 + 1.5.

#include <optional>
#include <vector>

#include "espalier/model/model.h"

namespace espalier {

/// Linkages are said to have a change point where the sums of sides differ by less than this, of
/// the sum of all.
inline constexpr double change_point_excess = 1e-5;

/// How far a loop is from a change point: the least difference between the sums of two sides and the
/// other two, of the sum of all four. None where the loop is no planar four-bar of hinges.
///   in  q  [nq] closed
std::optional<double> changePointExcess(const Model& model, const Closure& loop, const double* q);

/// Whether a linkage of the model is at a change point, or so near that its rows do not tell how it
/// goes on: a pivot of K, by whichever dofs, is below Cluster::leastPivot.
///   in  q  [nq] closed
bool isAtChangePoint(const Model& model, const double* q);

/// A joint of one dof that was moved, and by how much, rad or m.
struct JointShift {
  int body = -1;
  double by = 0;
};

/// Moves the linkages that are at a change point a little along one of the two ways that meet there:
/// their independent dofs by 0.02 at first, forwards before backwards and within their limits, the
/// others by closing the loops from where they were. It is the same way every time.
///   io   q  [nq] closed
///   returns the joints of those linkages that were moved; nothing, and q as it was, where there is no
///           such linkage or no way was found
std::vector<JointShift> leaveChangePoints(const Model& model, std::vector<double>& q);

}  // namespace espalier
