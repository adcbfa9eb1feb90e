#pragma once

#include <string>
#include <vector>

#include "espalier/compat/arboris/constraint.h"

namespace espalier::sim {

/// lower <= q <= upper on every dof of some joints whose velocities are the rates of their
/// coordinates. Forces start from zero in each step.
///   active where a coordinate is nearer than `proximity` to a limit, or beyond
///   qhat = q + dt (v - Y f), without its force;  f = max(0, (lower - qhat) / (dt Y)), upper alike
/// A coordinate that crosses the whole proximity in one step is seen one step late.
class JointLimits : public Constraint {
 public:
  /// A number for each dof of the joints, in their order.
  ///   errors  init() throws std::invalid_argument for an unknown joint, one with a quaternion, or
  ///           limits of the wrong size
  JointLimits(std::vector<std::string> joints, Eigen::VectorXd lower, Eigen::VectorXd upper,
              double proximity = 0.01, std::string name = {});

  void init(Simulation& simulation) override;
  int ndol() const override { return static_cast<int>(dofs_.size()); }
  void update(double dt) override;
  bool isActive() const override { return active_; }
  void rows(Eigen::Ref<Eigen::MatrixXd> J, Eigen::Ref<Eigen::VectorXd> drift) const override;
  void solve(const Eigen::Ref<const Eigen::VectorXd>& vel,
             const Eigen::Ref<const Eigen::MatrixXd>& admittance, double dt,
             Eigen::Ref<Eigen::VectorXd> dforce) override;

 private:
  std::vector<std::string> joints_;
  Eigen::VectorXd lower_, upper_, q_, vel_;
  double proximity_;
  const Simulation* simulation_ = nullptr;
  std::vector<int> dofs_;
  std::vector<char> near_;
  bool active_ = false;
};

}  // namespace espalier::sim
