#pragma once

// One thing of the World that moves, and the tree that stands for it: a robot, or a single body as
// a tree of one free link. The only place of this module that knows the World's objects.

#include <Eigen/Eigenvalues>
#include <memory>

#include "espalier/compat/arboris/tree.h"
#include "espalier/world/world.h"

namespace espalier::sim {

/// A robot with closed loops stands for its spanning tree. In arboris' own step, where constraints
/// hold its loops and leave a small gap, the actor keeps q and u of that tree; the World's copy has
/// its loops closed. If the World's copy was changed since store(), load() takes that one.
class Actor {
 public:
  /// pre  keepsGaps: Stepping::ARBORIS, else the World closes the loops
  ///   errors  throws std::invalid_argument for features without equations in arboris' own step:
  ///           geared rotors that are no bodies, bilateral loops
  Actor(ArticulatedSystem& robot, int firstDof, bool keepsGaps);
  Actor(SingleBodyObject& body, int firstDof);

  /// Whether this object of the World is the actor's own, or one with the same joints at the same
  /// place in memory.
  bool standsFor(const Object& object) const;
  const std::string& name() const { return name_; }
  const Model& model() const { return *model_; }
  const Tree& tree() const { return tree_; }
  Tree& tree() { return tree_; }
  const Lowered<double>& parameters() const;

  /// The World's q and u, their kinematics at q (+) ahead u.
  void load(double ahead);
  /// q and u of the tree into the World.   pre  between steps
  ///   errors  throws std::invalid_argument where the loops of a robot do not close, or its
  ///           independent joints are at a dead point
  void store();
  /// The World's copy counts at the next load().
  void forgetGaps() { hasOwn_ = false; }
  /// gforce + Z nu, of this tree's dofs, on top of the forces on it in the step that integrate1()
  /// began. Implicit is the part of Z's symmetric part within the tree's sparsity, made negative
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
  const Object* object_ = nullptr;
  std::string name_;
  std::shared_ptr<const Model> model_;
  Tree tree_;
  Lowered<double> own_;  // of a single body
  Eigen::VectorXd q_, u_, force_;
  Eigen::VectorXd ownQ_, ownU_, storedQ_, storedU_;  // [nq], [nv]: the tree's, and the World's copy
  Eigen::MatrixXd hold_;  // [nv][nv] -Z's symmetric part, >= 0, internal order
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> axes_;
  bool keepsGaps_ = false, hasOwn_ = false;
};

}  // namespace espalier::sim
