#pragma once

// What users ask of a system with closed loops, in its public independent dofs. Each query solves
// in a workspace of its own. Internal.

#include "espalier/world/math.h"
#include "espalier/world/sparse_jacobian.h"
#include "espalier/world/system.h"

namespace espalier {

/// The mechanism at one state.
class LoopQuery {
 public:
  /// in  q, u  of all joints, closed and consistent; kept by reference
  LoopQuery(const System& sys, const double* q, const double* u);

  /// M_y + G' diag(w) G; w [nv] spanning, null for none.
  MatDyn massMatrix(const double* w);
  /// h_y = G'(h + H g)
  VecDyn nonlinearities(const Vec3d& gravity);
  /// tau_y for udot_y, and the other way round.
  VecDyn inverseDynamics(const Vec3d& gravity, const Eigen::VectorXd& udot);
  VecDyn forwardDynamics(const Vec3d& gravity, const Eigen::VectorXd& tau);
  /// Of a point at r from the origin, or of the spin where r is null; by all columns, 3 x n, or by
  /// those that are not zero.
  void jacobian(int body, const Vec3d* r, Eigen::MatrixXd& J) const;
  void jacobian(int body, const Vec3d* r, SparseJacobian& J) const;
  /// Its rate along the motion, the point being the body's.
  void jacobianRate(int body, const Vec3d* r, SparseJacobian& J) const;
  /// J += axis du_dof, 3 x n.
  void addRate(int dof, const Vec3d& axis, Eigen::MatrixXd& J) const;
  const Workspace<double>& kinematics() const { return ws_; }

 private:
  /// Place among the public dofs of each y.
  int place(int y) const;
  VecDyn gather(const double* y) const;
  /// columnOf(i) of the body's i-th screw, an index in LoopWorkspace::screw.
  template <class ColumnOf>
  void fill(int body, SparseJacobian& J, ColumnOf&& columnOf) const;

  const System& sys_;
  const double *q_, *u_;
  const Mechanism& m_;
  Workspace<double> ws_;
  LoopWorkspace<double> at_;
};

}  // namespace espalier
