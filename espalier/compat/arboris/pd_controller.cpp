#include "espalier/compat/arboris/pd_controller.h"

#include "espalier/compat/arboris/simulation.h"
#include "espalier/core/check.h"

namespace espalier::sim {

ProportionalDerivativeController::ProportionalDerivativeController(std::vector<std::string> joints,
                                                                   Eigen::MatrixXd Kp,
                                                                   Eigen::MatrixXd Kd)
    : joints_(std::move(joints)) {
  const Eigen::Index n = Kp.rows();
  gposDes_ = gvelDes_ = error_ = pull_ = Eigen::VectorXd::Zero(n);
  setGains(Kp, Kd);
}

void ProportionalDerivativeController::setGains(const Eigen::MatrixXd& Kp,
                                                const Eigen::MatrixXd& Kd) {
  const Eigen::Index n = gposDes_.size();
  ESPALIER_REQUIRE(Kp.rows() == n && Kp.cols() == n && Kd.rows() == n && Kd.cols() == n,
                   "Kp and Kd are square, with a row for each dof");
  ESPALIER_REQUIRE(Kp.allFinite() && Kd.allFinite(), "gains must be finite");
  Kp_ = Kp;
  Kd_ = Kd;
}

void ProportionalDerivativeController::setTarget(const Eigen::VectorXd& gpos,
                                                 const Eigen::VectorXd& gvel) {
  ESPALIER_REQUIRE(gpos.size() == gposDes_.size() && gvel.size() == gposDes_.size(),
                   "targets have a number for each dof of the controller");
  ESPALIER_REQUIRE(gpos.allFinite() && gvel.allFinite(), "targets must be finite");
  gposDes_ = gpos;
  gvelDes_ = gvel;
}

void ProportionalDerivativeController::init(Simulation& simulation) {
  simulation_ = &simulation;
  dofs_ = simulation.linearDofs(joints_);
  ESPALIER_REQUIRE(static_cast<Eigen::Index>(dofs_.size()) == gposDes_.size(),
                   "the controller's joints have " + std::to_string(dofs_.size()) +
                       " dofs, its gains " + std::to_string(gposDes_.size()));
}

void ProportionalDerivativeController::update(double dt, double, Eigen::VectorXd& gforce0,
                                              Eigen::MatrixXd& Z) {
  const double ahead = simulation_->lookAhead(dt);
  for (std::size_t i = 0; i < dofs_.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    error_[row] = gposDes_[row] - simulation_->gpos(dofs_[i]);
  }
  pull_.noalias() = Kp_ * error_;
  pull_.noalias() += Kd_ * gvelDes_;
  for (std::size_t i = 0; i < dofs_.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    gforce0[dofs_[i]] += pull_[row];
    for (std::size_t j = 0; j < dofs_.size(); ++j) {
      const auto column = static_cast<Eigen::Index>(j);
      Z(dofs_[i], dofs_[j]) -= ahead * Kp_(row, column) + Kd_(row, column);
    }
  }
}

}  // namespace espalier::sim
