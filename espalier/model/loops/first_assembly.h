#pragma once

// Where a mechanism begins: closed, and within its joints' limits where it can be.

#include <string>

#include "espalier/model/loops/assembly.h"
#include "espalier/model/model.h"

namespace espalier {

/// Closes the loops near the neutral q, and within the limits of the joints in `ties`, where that can be:
/// coordinates that are outside there (a linkage drawn stretched out, at a change point) begin a
/// little inside; where none is found so, from starts all over the limits. Else the limits are left
/// alone. A floating base that the loops tie is sought near X_WB and near the origin, first where they are less
/// open. Where the neutral q is open by rounding (model/loops/rounding.h) and does not close, it is left so
/// and not sought elsewhere.
///   in   ties  bodies that each loop or coupling ties
///   out  q     [nq]
AssemblyResult assembleFirst(const Model& model, const Transformd& X_WB, const LoopSystem& loops,
                             const std::vector<std::vector<int>>& ties, std::vector<double>& q);

/// Bodies whose joints, among those in `ties`, are outside their limits at q.
std::vector<int> outsideLimits(const Model& model, const std::vector<std::vector<int>>& ties,
                               const std::vector<double>& q);

/// Where rank is looked at, for special configurations have less: the assembled configuration and up
/// to eight around it, closed; on the same branch where they are near.
///   in  spread  rad or m between the eight
std::vector<std::vector<double>> closedNearby(const LoopSystem& loops,
                                              const std::vector<double>& assembled,
                                              double spread = 0.02);

/// The hinge whose axis is the farthest off the direction that most of a cluster's dofs turn about, if
/// it is from a thousandth to three tenths of a radian.
struct AskewAxis {
  int dof = -1;      ///< -1: there is none
  double angle = 0;  ///< rad
};
///   in  dofs  of the cluster
AskewAxis askewAxis(const Model& model, const std::vector<int>& dofs, const std::vector<double>& q);

/// Why a cluster cannot move, if it is for an axis that is a little off the direction that most
/// others have in common: ": joint 'rod' turns 5.7 degrees off ..."; else nothing.
///   in   dofs  of the cluster
std::string whatBinds(const Model& model, const std::vector<int>& dofs,
                      const std::vector<double>& q);

}  // namespace espalier
