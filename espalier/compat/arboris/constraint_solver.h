#pragma once

// arboris' constraint solver: with Y the admittance of the actuated mechanism, v = J nu+ and
// Y' = J Y J', constraints in turn,
//   f_c += df,  v += Y'[:, c] df,  df = solve(v_c, Y'_cc)
// a fixed number of times. Friction is inside solve().

#include <memory>
#include <vector>

#include "espalier/compat/arboris/constraint.h"

namespace espalier::sim {

class ConstraintSolver {
 public:
  /// Room for all of them at once.
  void init(const std::vector<std::shared_ptr<Constraint>>& constraints, Eigen::Index ndof);

  /// Updates the constraints and finds their forces.
  ///   in   Y         [n][n]
  ///   in   impetus   [n]  M nu / dt + gforce of the controllers
  ///   out  gforce    [n]  the constraints' J' f is added
  void solve(const std::vector<std::shared_ptr<Constraint>>& constraints, const Eigen::MatrixXd& Y,
             const Eigen::VectorXd& impetus, double dt, int sweeps, Eigen::VectorXd& gforce);

  /// Largest change of a velocity in the last sweep, m/s or rad/s.
  double lastChange() const { return lastChange_; }

 private:
  Eigen::MatrixXd J_, YJt_, admittance_;
  Eigen::VectorXd drift_, velocity_, force_, dforce_, pushed_, gvel_;
  std::vector<Constraint*> active_;
  double lastChange_ = 0;
};

}  // namespace espalier::sim
