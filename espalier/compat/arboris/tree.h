#pragma once

// One articulated system as arboris sees it: a tree of bodies whose free joints move with body
// twists.
//
//   nu     velocities of all joints, dependent ones of closed loops too, in the authored joint
//          order. Of a free joint (a floating base too) its six are the child's
//          twist [w; v] over the joint's parent, in the child's own axes at its
//          origin; of all others our u.
//   S_k    twist of the child of dof k per unit of nu_k, world axes about O (dynamics/tree/workspace.h)
//   dS_k   its rate: carrier x S_k. A free joint's columns are carried by the child itself.
//
//   u = [R_JL nu_v; R_JL nu_w],   q+ = q (+) dt u,   free: H+ = H exp(dt nu)
// from Featherstone 2008, 3.5; the exponential: Murray, Li, Sastry 1994, 2.3

#include <Eigen/Core>
#include <vector>

#include "espalier/dynamics/tree/workspace.h"
#include "espalier/model/model.h"

namespace espalier::sim {

class Tree {
 public:
  /// pre  the model outlives the tree
  Tree(const Model& model, int firstDof);

  const Model& model() const { return *model_; }
  int firstDof() const { return first_; }
  int nv() const { return model_->nv(); }
  const Workspace<double>& workspace() const { return ws_; }

  /// Takes q [nq] and u [nv] in the authored order, and computes poses, twists, S and dS at
  /// q (+) ahead u.
  void set(const Lowered<double>& parameters, const Eigen::VectorXd& q, const Eigen::VectorXd& u,
           double ahead);
  /// q and u in the authored order.
  void get(Eigen::VectorXd& q, Eigen::VectorXd& u) const;
  /// nu, into its place among the velocities of all trees.
  void getGvel(Eigen::VectorXd& gvel) const;
  /// u from nu at the present q; poses and columns stay those of set().
  void setGvel(const Eigen::VectorXd& gvel);
  /// q+ = q (+) dt nu, and u for this nu there; poses and columns stay those of set().
  void integrate(double dt, const Eigen::VectorXd& gvel);

  /// The coordinates of a body's joint; poses and columns stay those of set().
  ///   in   q  [nq of the joint]
  void setCoordinates(int body, const double* q);

  /// gforce + Z nu as the force that belongs to u, internal order.
  ///   in   gforce [n], Z [n][n], gvel [n]   of all trees
  ///   out  force  [nv]
  void forceFrom(const Eigen::VectorXd& gforce, const Eigen::MatrixXd& Z,
                 const Eigen::VectorXd& gvel, Eigen::VectorXd& force) const;
  /// A row that weighs u as one that weighs nu: row . u = weighed . nu.
  ///   in   row      [nv] internal order
  ///   out  weighed  [n] of all trees; only this tree's are set
  void rowFrom(const double* row, Eigen::Ref<Eigen::VectorXd> weighed) const;
  /// This tree's own block of Z, for u instead of nu, internal order.
  void blockFrom(const Eigen::MatrixXd& Z, Eigen::MatrixXd& block) const;

  /// One dof that moves a body: its place among the velocities of all trees, and its columns.
  struct Column {
    int dof;
    Motion<double> S, dS;
  };
  /// The columns that move a body, root first.
  ///   out  columns  room for nv()
  ///   out  return   how many
  int columns(int body, Column* columns) const;
  /// Where a dof's coordinate is; only joints whose u is dq/dt have one for each dof.
  ///   in   dof  authored order, of this tree
  ///   out  -1 where there is none
  int coordinateOf(int dof) const;
  double coordinate(int index) const { return q_[index]; }
  const std::vector<double>& q() const { return q_; }  ///< at t, internal order
  const std::vector<double>& u() const { return u_; }

  /// Scratch for columns().
  std::vector<Column>& scratch() const { return scratch_; }

 private:
  int place(int dof) const { return first_ + model_->spanningDof[dof]; }
  Mat3d jointRotation(const BodyTopology& joint) const;
  Mat3d relativeRotation(int body) const;

  const Model* model_;
  int first_;
  Workspace<double> ws_;
  std::vector<double> q_, u_, step_;     // internal order
  std::vector<double> ahead_;            // q (+) ahead u
  std::vector<Motion<double>> S_, dS_;   // [nv] internal order
  mutable std::vector<Column> scratch_;  // [nv]
};

}  // namespace espalier::sim
