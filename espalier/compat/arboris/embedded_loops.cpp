#include "espalier/compat/arboris/embedded_loops.h"

#include <limits>

#include "espalier/compat/arboris/rank_deficient.h"
#include "espalier/compat/arboris/simulation.h"
#include "espalier/dynamics/tree/kinematics.h"

namespace espalier::sim {

EmbeddedLoops::EmbeddedLoops(const Actor& actor)
    : Constraint("loops of " + actor.model().name),
      actor_(actor),
      mechanism_(actor.model().mechanism),
      ws_(actor.model().topology),
      loops_(actor.model().topology, mechanism_),
      row_(static_cast<std::size_t>(actor.model().nv())) {}

void EmbeddedLoops::init(Simulation& simulation) {
  force_.setZero(mechanism_.rows);
  gap_.setZero(mechanism_.rows);
  wrong_.setZero(mechanism_.rows);
  weighed_.setZero(simulation.ndof());
}

void EmbeddedLoops::update(double) {
  const Topology& t = actor_.model().topology;
  q_ = actor_.tree().q();
  kinematics(t, actor_.parameters(), q_.data(), actor_.tree().u().data(), ws_);
  // phi and K at q: no iteration corrects it.
  closePlacedLoops(t, actor_.parameters(), mechanism_, q_.data(),
                   std::numeric_limits<double>::infinity(), 0, ws_, loops_);
  for (int r = 0; r < mechanism_.rows; ++r) gap_[r] = loops_.phi[r];
}

void EmbeddedLoops::rows(Eigen::Ref<Eigen::MatrixXd> J, Eigen::Ref<Eigen::VectorXd>) const {
  for (const Cluster& c : mechanism_.clusters) {
    const int width = static_cast<int>(c.dofs.size());
    for (int r = 0; r < static_cast<int>(c.rows.size()); ++r) {
      std::fill(row_.begin(), row_.end(), 0.0);
      for (int j = 0; j < width; ++j) row_[c.dofs[j]] = loops_.K[c.firstK + r * width + j];
      weighed_.setZero();
      actor_.tree().rowFrom(row_.data(), weighed_);
      J.row(c.firstRow + r) = weighed_.transpose();
    }
  }
}

void EmbeddedLoops::solve(const Eigen::Ref<const Eigen::VectorXd>& vel,
                          const Eigen::Ref<const Eigen::MatrixXd>& admittance, double dt,
                          Eigen::Ref<Eigen::VectorXd> dforce) {
  wrong_ = vel + gap_ / dt;
  dforce = -pseudoSolve(admittance, wrong_);
  force_ += dforce;
}

}  // namespace espalier::sim
