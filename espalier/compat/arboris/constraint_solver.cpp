#include "espalier/compat/arboris/constraint_solver.h"

#include <algorithm>

namespace espalier::sim {

void ConstraintSolver::init(const std::vector<std::shared_ptr<Constraint>>& constraints,
                            Eigen::Index ndof) {
  Eigen::Index rows = 0, widest = 0;
  for (const auto& c : constraints) {
    rows += c->ndol();
    widest = std::max<Eigen::Index>(widest, c->ndol());
  }
  J_.resize(rows, ndof);
  YJt_.resize(ndof, rows);
  admittance_.resize(rows, rows);
  drift_.resize(rows);
  velocity_.resize(rows);
  force_.resize(rows);
  dforce_.resize(widest);
  pushed_.resize(ndof);
  gvel_.resize(ndof);
  active_.reserve(constraints.size());
}

void ConstraintSolver::solve(const std::vector<std::shared_ptr<Constraint>>& constraints,
                             const Eigen::MatrixXd& Y, const Eigen::VectorXd& impetus, double dt,
                             int sweeps, Eigen::VectorXd& gforce) {
  active_.clear();
  lastChange_ = 0;
  Eigen::Index rows = 0;
  for (const auto& c : constraints) {
    if (c->isEnabled()) c->update(dt);
    if (!c->isEnabled() || !c->isActive()) {
      c->release();
      continue;
    }
    const Eigen::Index n = c->ndol();
    J_.middleRows(rows, n).setZero();
    drift_.segment(rows, n).setZero();
    c->rows(J_.middleRows(rows, n), drift_.segment(rows, n));
    force_.segment(rows, n) = c->force();
    rows += n;
    active_.push_back(c.get());
  }
  if (rows == 0) return;

  const auto J = J_.topRows(rows);
  auto YJt = YJt_.leftCols(rows);
  auto A = admittance_.topLeftCorner(rows, rows);
  auto v = velocity_.head(rows);
  YJt.noalias() = Y * J.transpose();
  A.noalias() = J * YJt;
  pushed_ = impetus;
  pushed_.noalias() += J.transpose() * force_.head(rows);
  v = drift_.head(rows);
  gvel_.noalias() = Y * pushed_;
  v.noalias() += J * gvel_;

  for (int sweep = 0; sweep < sweeps; ++sweep) {
    lastChange_ = 0;
    Eigen::Index first = 0;
    for (Constraint* c : active_) {
      const Eigen::Index n = c->ndol();
      auto df = dforce_.head(n);
      c->solve(v.segment(first, n), A.block(first, first, n, n), dt, df);
      for (Eigen::Index k = 0; k < n; ++k) {
        if (df[k] == 0) continue;
        v += A.col(first + k) * df[k];
        lastChange_ =
            std::max(lastChange_, A.col(first + k).cwiseAbs().maxCoeff() * std::abs(df[k]));
      }
      first += n;
    }
  }

  Eigen::Index first = 0;
  for (const Constraint* c : active_) {
    force_.segment(first, c->ndol()) = c->force();
    first += c->ndol();
  }
  gforce.noalias() += J.transpose() * force_.head(rows);
}

}  // namespace espalier::sim
