#pragma once

#include "espalier/compat/arboris/actor.h"
#include "espalier/compat/arboris/constraint.h"
#include "espalier/dynamics/loops/closure.h"

namespace espalier::sim {

/// The closed loops, couplings and equations of one robot as a constraint between the joints of its
/// spanning tree: phi(q) = 0 with the rates K u (model/loops/mechanism.h).
///   v = K nu,   df = -pinv(Y) (v + phi / dt): the whole phi is closed within the step
/// force() [rows] is kept from step to step to start from. Simulation adds one to every robot with
/// loops, before the user's own.
class EmbeddedLoops : public Constraint {
 public:
  /// pre  the actor's model has a Mechanism; the actor outlives this
  explicit EmbeddedLoops(const Actor& actor);

  void init(Simulation& simulation) override;
  int ndol() const override { return mechanism_.rows; }
  void update(double dt) override;
  bool isActive() const override { return true; }
  void rows(Eigen::Ref<Eigen::MatrixXd> J, Eigen::Ref<Eigen::VectorXd> drift) const override;
  void solve(const Eigen::Ref<const Eigen::VectorXd>& vel,
             const Eigen::Ref<const Eigen::MatrixXd>& admittance, double dt,
             Eigen::Ref<Eigen::VectorXd> dforce) override;

  /// phi (m, rad, or 1 for directions) [rows], of the last update.
  const Eigen::VectorXd& gap() const { return gap_; }

 private:
  const Actor& actor_;
  const Mechanism& mechanism_;
  Workspace<double> ws_;
  LoopWorkspace<double> loops_;
  std::vector<double> q_;
  Eigen::VectorXd gap_, wrong_;
  mutable Eigen::VectorXd weighed_;  // [n]
  mutable std::vector<double> row_;  // [nv] internal order
};

}  // namespace espalier::sim
