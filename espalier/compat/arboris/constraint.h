#pragma once

// A constraint lives in its own few directions: it says how they move, v = J nu + drift, and is
// asked repeatedly for the change of its force with all others held (arboris'
// update_constraints, a Gauss-Seidel method: constraint_solver.h).

#include <Eigen/Core>
#include <string>

namespace espalier::sim {

class Simulation;

class Constraint {
 public:
  explicit Constraint(std::string name = {}) : name_(std::move(name)) {}
  virtual ~Constraint() = default;

  const std::string& getName() const { return name_; }
  void enable() { enabled_ = true; }
  void disable() { enabled_ = false; }
  bool isEnabled() const { return enabled_; }

  /// Once, before the first step; sizes force().
  virtual void init(Simulation& simulation) = 0;
  /// How many directions it constrains; fixed after init().
  virtual int ndol() const = 0;
  /// At the state of updateDynamic(): geometry, and the force to start from. Every step.
  virtual void update(double dt) = 0;
  /// Whether it may push in this step; asked after update().
  virtual bool isActive() const = 0;
  /// J, cleared beforehand, and drift of the present geometry.
  virtual void rows(Eigen::Ref<Eigen::MatrixXd> J, Eigen::Ref<Eigen::VectorXd> drift) const = 0;
  /// The change of force(), already made there when this returns.
  ///   in   vel         velocities at the end of the step with the forces as they are
  ///   in   admittance  change of vel per force of this constraint
  ///   out  dforce
  virtual void solve(const Eigen::Ref<const Eigen::VectorXd>& vel,
                     const Eigen::Ref<const Eigen::MatrixXd>& admittance, double dt,
                     Eigen::Ref<Eigen::VectorXd> dforce) = 0;

  /// Of this step; zero where it is not active. J' force is its generalised force.
  const Eigen::VectorXd& force() const { return force_; }
  /// It does not push: called in its place where it is disabled or not active.
  void release() { force_.setZero(); }

 protected:
  Eigen::VectorXd force_;

 private:
  std::string name_;
  bool enabled_ = true;
};

}  // namespace espalier::sim
