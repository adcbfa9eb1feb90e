#pragma once

#include <string>
#include <vector>

#include "espalier/compat/arboris/controller.h"

namespace espalier::sim {

/// PD on joints whose velocities are the rates of their coordinates, with full gain matrices:
///   gforce = Kp (q_des - q') + Kd (v_des - nu'),  q' = q + h nu'
///   gforce0 = Kp (q_des - q) + Kd v_des,          Z = -(h Kp + Kd)
/// with h the simulation's lookAhead(dt): dt in arboris' step, dt/2 where the World takes means.
class ProportionalDerivativeController : public Controller {
 public:
  /// On these joints' dofs, in this order; targets start at zero.
  ///   errors  init() throws std::invalid_argument for an unknown joint, one with a quaternion,
  ///           or gains of the wrong size
  ProportionalDerivativeController(std::vector<std::string> joints, Eigen::MatrixXd Kp,
                                   Eigen::MatrixXd Kd);

  void setTarget(const Eigen::VectorXd& gpos, const Eigen::VectorXd& gvel);
  void setGains(const Eigen::MatrixXd& Kp, const Eigen::MatrixXd& Kd);

  void init(Simulation& simulation) override;
  void update(double dt, double t, Eigen::VectorXd& gforce0, Eigen::MatrixXd& Z) override;

 private:
  std::vector<std::string> joints_;
  Eigen::MatrixXd Kp_, Kd_;
  Eigen::VectorXd gposDes_, gvelDes_, error_, pull_;
  const Simulation* simulation_ = nullptr;
  std::vector<int> dofs_;
};

}  // namespace espalier::sim
