#pragma once

// The response of a model to wrenches on its bodies, at one state: dynamics/loops/operational.h on trees
// and on systems with embedded loops. Internal.

#include <vector>

#include "espalier/dynamics/loops/operational.h"
#include "espalier/model/model.h"
#include "espalier/robot/math.h"

namespace espalier {

/// The factored clusters at one state, by whichever dofs lead best: the answers depend on them only
/// by rounding, and hold at the public dofs' dead points too.
class OperationalQuery {
 public:
  /// in  q [nq], u [nv]  of all joints, internal order, closed and consistent
  OperationalQuery(const Model& model, const Lowered<double>& parameters, const double* q,
                   const double* u);

  const Workspace<double>& kinematics() const { return ws_; }

  /// Adds the six rows of a frame at r from the origin whose axes are the columns of R: turns, then
  /// shifts.
  static void addRows(int body, const Vec3d& r, const Mat3d& R,
                      std::vector<BodyWrench<double>>& rows);
  /// Lambda^-1 of these rows.
  MatDyn inverseInertia(const std::vector<BodyWrench<double>>& rows) const;
  /// out  udot [nv] spanning;  acceleration of the body, about O
  double respond(const BodyWrench<double>& force, std::vector<double>& udot,
                 Motion<double>& acceleration);

 private:
  const Mechanism& m_;
  Workspace<double> ws_;
  LoopWorkspace<double> loops_;
  ClusterWorkspace<double> clusters_;
};

}  // namespace espalier
