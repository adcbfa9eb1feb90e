#pragma once

// The response of a model to wrenches on its bodies, at one state, by the factored mass matrix of the
// independent dofs: on trees and on systems with embedded loops. Internal.

#include <vector>

#include "espalier/dynamics/loops/reduction.h"
#include "espalier/model/model.h"
#include "espalier/robot/math.h"

namespace espalier {

/// A wrench on a body, about the common origin O, world axes: a row of a Jacobian, f . V_b.
struct BodyWrench {
  int body = 0;
  Force<double> f{};
};

/// A force at a point r from O.
inline Force<double> forceAt(const Vec3d& r, const Vec3d& force) {
  return {cross(r, force), force};
}

/// M_y = L' D L at one state, by whichever dofs lead best: the answers depend on them only by
/// rounding, and hold at the public dofs' dead points too.
class OperationalQuery {
 public:
  /// in  q [nq], u [nv]  of all joints, internal order, closed and consistent
  OperationalQuery(const Model& model, const Lowered<double>& parameters, const double* q,
                   const double* u);

  const Workspace<double>& kinematics() const { return ws_; }

  /// Adds the six rows of a frame at r from the origin whose axes are the columns of R: turns, then
  /// shifts.
  static void addRows(int body, const Vec3d& r, const Mat3d& R, std::vector<BodyWrench>& rows);
  /// Lambda^-1 = J M^-1 J' = Z' D^-1 Z of these rows, Z = L'^-1 J'.
  MatDyn inverseInertia(const std::vector<BodyWrench>& rows) const;
  /// Changes by one wrench, whatever else acts.
  ///   out  udot [nv] spanning;  acceleration of the body, about O
  ///   returns f . acceleration: of a unit force that of its point along it, 1 / inertia felt
  double respond(const BodyWrench& force, std::vector<double>& udot,
                 Motion<double>& acceleration) const;

 private:
  /// J' of one wrench, [reduced.nv].
  Eigen::VectorXd generalizedForce(const BodyWrench& force) const;

  const Mechanism& m_;
  Workspace<double> ws_;
  LoopWorkspace<double> loops_;
  Workspace<double> factored_;  ///< of m_.reduced
};

}  // namespace espalier
