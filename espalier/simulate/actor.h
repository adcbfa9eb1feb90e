#pragma once

// One thing of the World that moves, and the tree that stands for it: a robot, or a single body as
// a tree of one free link. The only place of this room that knows the World's objects.

#include <Eigen/Eigenvalues>
#include <memory>

#include "espalier/simulate/tree.h"
#include "espalier/world/world.h"

namespace espalier::sim {

class Actor {
 public:
  Actor(ArticulatedSystem& robot, int firstDof);
  Actor(SingleBodyObject& body, int firstDof);

  const Model& model() const { return *model_; }
  const Tree& tree() const { return tree_; }
  Tree& tree() { return tree_; }
  const Lowered<double>& parameters() const;

  /// The World's q and u, their kinematics at q (+) ahead u.
  void load(double ahead);
  /// q and u of the tree into the World.   pre  between steps
  void store();
  /// gforce + Z nu, of this tree's dofs, on top of what acts on it in the step that integrate1()
  /// began. Of Z acts implicitly what lies along the tree of its symmetric part, made negative
  /// semidefinite; of the rest the value at the step's beginning counts. A single body takes all
  /// of it so.
  ///   in   gforce  [n], Z [n][n], gvel [n]   of all trees; Z may couple them
  void push(const Eigen::VectorXd& gforce, const Eigen::MatrixXd& Z, const Eigen::VectorXd& gvel);

  /// Tells the World, before integrate1(), that push() will come.
  void announce();
  /// Takes both back: the World's next steps are its own again.
  void release();
  /// The joints' damping, on the diagonal of B [n][n].
  void addDamping(Eigen::MatrixXd& B) const;

 private:
  void pack(Actuation& actuation);

  ArticulatedSystem* robot_ = nullptr;  // one of both
  SingleBodyObject* body_ = nullptr;
  std::shared_ptr<const Model> model_;
  Tree tree_;
  Lowered<double> own_;  // of a single body
  Eigen::VectorXd q_, u_, force_;
  Eigen::MatrixXd hold_;  // [nv][nv] -Z's symmetric part, >= 0, internal order
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> axes_;
};

}  // namespace espalier::sim
