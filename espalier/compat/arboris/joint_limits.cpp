#include "espalier/compat/arboris/joint_limits.h"

#include "espalier/compat/arboris/simulation.h"
#include "espalier/core/check.h"

namespace espalier::sim {

JointLimits::JointLimits(std::vector<std::string> joints, Eigen::VectorXd lower,
                         Eigen::VectorXd upper, double proximity, std::string name)
    : Constraint(std::move(name)),
      joints_(std::move(joints)),
      lower_(std::move(lower)),
      upper_(std::move(upper)),
      proximity_(proximity) {
  ESPALIER_REQUIRE(lower_.size() == upper_.size(), "there are as many lower as upper limits");
  ESPALIER_REQUIRE((lower_.array() <= upper_.array()).all(), "a lower limit is above the upper");
  ESPALIER_REQUIRE(proximity >= 0, "the proximity is not negative");
}

void JointLimits::init(Simulation& simulation) {
  simulation_ = &simulation;
  dofs_ = simulation.linearDofs(joints_);
  ESPALIER_REQUIRE(static_cast<Eigen::Index>(dofs_.size()) == lower_.size(),
                   "the joints have " + std::to_string(dofs_.size()) + " dofs, not " +
                       std::to_string(lower_.size()));
  force_.setZero(lower_.size());
  q_.setZero(lower_.size());
  vel_.setZero(lower_.size());
  near_.assign(dofs_.size(), 0);
}

void JointLimits::update(double) {
  force_.setZero();
  active_ = false;
  for (Eigen::Index i = 0; i < q_.size(); ++i) {
    q_[i] = simulation_->gpos(dofs_[i]);
    near_[i] = q_[i] - lower_[i] < proximity_ || upper_[i] - q_[i] < proximity_;
    active_ |= near_[i] != 0;
  }
}

void JointLimits::rows(Eigen::Ref<Eigen::MatrixXd> J, Eigen::Ref<Eigen::VectorXd>) const {
  for (std::size_t k = 0; k < dofs_.size(); ++k) J(static_cast<Eigen::Index>(k), dofs_[k]) = 1;
}

void JointLimits::solve(const Eigen::Ref<const Eigen::VectorXd>& vel,
                        const Eigen::Ref<const Eigen::MatrixXd>& admittance, double dt,
                        Eigen::Ref<Eigen::VectorXd> dforce) {
  vel_ = vel;
  for (Eigen::Index i = 0; i < q_.size(); ++i) {
    dforce[i] = 0;
    if (!near_[i] || !(admittance(i, i) > 0)) continue;
    const double free = q_[i] + dt * (vel_[i] - admittance(i, i) * force_[i]);
    double wanted = 0;
    if (free <= lower_[i]) wanted = (lower_[i] - free) / (dt * admittance(i, i));
    if (free >= upper_[i]) wanted = (upper_[i] - free) / (dt * admittance(i, i));
    dforce[i] = wanted - force_[i];
    force_[i] = wanted;
    vel_ += admittance.col(i) * dforce[i];
  }
}

}  // namespace espalier::sim
