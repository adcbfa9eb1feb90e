#pragma once

// The dynamics of a model at one state, in its public independent dofs: users' queries between
// steps. Trees and systems with closed loops alike; each query solves in a workspace of its own.
// Internal: users ask ArticulatedSystem (a robot in a World) or ModelDynamics (a model by itself).

#include "espalier/dynamics/loops/closure.h"
#include "espalier/dynamics/tree/workspace.h"
#include "espalier/model/model.h"
#include "espalier/robot/math.h"
#include "espalier/robot/sparse_jacobian.h"

namespace espalier {

struct System;

class DynamicsQuery {
 public:
  /// Computes the kinematics.
  ///   in  q [nq], u [nv]  of all joints, internal order, closed and consistent; kept by reference
  DynamicsQuery(const Model& model, const Lowered<double>& parameters, const double* q,
                const double* u);
  DynamicsQuery(const System& sys, const double* q, const double* u);

  /// M_y + G' diag(w) G + W, and its inverse; of a tree M + diag(w) + W.
  ///   in  w  [nv] spanning;  W  packed as Mechanism::reduced;  null for none
  MatDyn massMatrix(const double* w = nullptr, const double* W = nullptr);
  MatDyn inverseMassMatrix(const double* w = nullptr, const double* W = nullptr);
  /// h; with loops h_y = G'(h + H g).
  VecDyn nonlinearities(const Vec3d& gravity);
  /// tau for udot, and the other way round, where bilateral loops hold as well.
  VecDyn inverseDynamics(const Vec3d& gravity, const Eigen::VectorXd& udot);
  VecDyn forwardDynamics(const Vec3d& gravity, const Eigen::VectorXd& tau);
  /// udot of all joints, [nv] internal order: G udot_y + g.
  std::vector<double> spanningAcceleration(const Eigen::VectorXd& udot) const;
  /// u of all joints, internal order, for each independent dof alone: G, [spanning nv][nv].
  Eigen::MatrixXd spanningRates() const;

  /// Of a point at r from the origin, or of the spin where r is null; by all columns, 3 x n, or by
  /// those that are not zero.
  void jacobian(int body, const Vec3d* r, Eigen::MatrixXd& J) const;
  void jacobian(int body, const Vec3d* r, SparseJacobian& J) const;
  /// Its rate along the motion, the point being the body's.
  void jacobianRate(int body, const Vec3d* r, SparseJacobian& J) const;
  /// J += axis du_dof, 3 x n.
  void addRate(int dof, const Vec3d& axis, Eigen::MatrixXd& J) const;

  const Model& model() const { return model_; }
  const Workspace<double>& kinematics() const { return ws_; }
  /// K, G and g of the embedded loops.
  const LoopWorkspace<double>& loops() const { return at_; }

 private:
  /// Place among the public dofs of each y.
  int place(int y) const;
  VecDyn gather(const double* y) const;
  /// A matrix by y, row by row, in the public order.
  MatDyn inPublicOrder(const std::vector<double>& dense) const;
  /// M_y of what is solved for and what is added to it, packed as Mechanism::reduced.
  Workspace<double> reduced(const double* w = nullptr, const double* W = nullptr);
  void requireOnePerDof(const Eigen::VectorXd& x, const char* what) const;
  /// columnOf(i) of the body's i-th reduced column, an index in LoopWorkspace::reducedColumn.
  template <class ColumnOf>
  void fill(int body, SparseJacobian& J, ColumnOf&& columnOf) const;

  const Model& model_;
  const Lowered<double>& parameters_;
  const double *q_, *u_;
  const Mechanism& m_;
  Workspace<double> ws_;
  LoopWorkspace<double> at_;
};

}  // namespace espalier
