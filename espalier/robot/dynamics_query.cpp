#include "espalier/robot/dynamics_query.h"

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "espalier/dynamics/loops/reduction.h"
#include "espalier/dynamics/tree/factor.h"
#include "espalier/dynamics/tree/inverse_dynamics.h"
#include "espalier/dynamics/tree/jacobian.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/dynamics/tree/mass_matrix.h"
#include "espalier/model/coordinates.h"
#include "espalier/robot/articulated_order.h"
#include "espalier/robot/bilateral_dynamics.h"
#include "espalier/scalar/dual.h"
#include "espalier/step/system.h"

namespace espalier {
namespace {

std::vector<double> numbers(int n) { return std::vector<double>(static_cast<std::size_t>(n)); }

}  // namespace

DynamicsQuery::DynamicsQuery(const Model& model, const Lowered<double>& parameters, const double* q,
                             const double* u)
    : model_(model),
      parameters_(parameters),
      q_(q),
      u_(u),
      m_(model.mechanism ? &*model.mechanism : nullptr),
      ws_(model.topology) {
  const Topology& t = model.topology;
  espalier::kinematics(t, parameters, q, u, ws_);
  if (!m_) return;
  at_.emplace(t, *m_);
  loopRates(t, *m_, q, ws_, *at_);
  loopAccelerations(t, *m_, u, ws_, *at_);
  computeReducedColumns(t, *m_, ws_, *at_);
}
DynamicsQuery::DynamicsQuery(const System& sys, const double* q, const double* u)
    : DynamicsQuery(*sys.model, sys.parameters, q, u) {}

int DynamicsQuery::place(int y) const {
  return model_.publicDof[static_cast<std::size_t>(m_->dofOfY[static_cast<std::size_t>(y)])];
}

VecDyn DynamicsQuery::gather(const double* y) const {
  VecDyn out(m_->reduced.nv);
  for (int i = 0; i < m_->reduced.nv; ++i) out[place(i)] = y[i];
  return out;
}

void DynamicsQuery::requireOnePerDof(const Eigen::VectorXd& x, const char* what) const {
  authored_order::check(x, model_.publicDof, what);
}

// ---- M udot + h = tau

MatDyn DynamicsQuery::massMatrix(const double* w) {
  const Topology& t = model_.topology;
  if (!m_) {
    std::vector<double> dense = numbers(t.nv * t.nv);
    espalier::massMatrix(t, parameters_, ws_);
    unpack(t, ws_.H.data(), dense.data());
    return authored_order::gatherSquare(dense.data(), model_.publicDof);
  }
  const int n = m_->reduced.nv;
  std::vector<double> packed = numbers(m_->reduced.entries()), dense = numbers(n * n);
  reducedMassMatrix(t, parameters_, *m_, ws_, *at_, packed.data());
  if (w) addDiagonal(*m_, *at_, w, packed.data());
  unpack(m_->reduced, packed.data(), dense.data());
  MatDyn M(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) M(place(i), place(j)) = dense[static_cast<std::size_t>(i * n + j)];
  return M;
}

MatDyn DynamicsQuery::inverseMassMatrix() {
  if (m_) return MatDyn(massMatrix().inverse());
  const Topology& t = model_.topology;
  std::vector<double> dense = numbers(t.nv * t.nv);
  espalier::massMatrix(t, parameters_, ws_);
  factor(t, ws_);
  inverse(t, ws_, dense.data());
  return authored_order::gatherSquare(dense.data(), model_.publicDof);
}

VecDyn DynamicsQuery::nonlinearities(const Vec3d& gravity) {
  if (m_) return inverseDynamics(gravity, Eigen::VectorXd::Zero(m_->reduced.nv));
  std::vector<double> h = numbers(model_.nv());
  bias(model_.topology, parameters_, gravity, ws_, h.data());
  return authored_order::gather(h.data(), model_.publicDof);
}

std::vector<double> DynamicsQuery::spanningAcceleration(const Eigen::VectorXd& udot) const {
  requireOnePerDof(udot, "udot");
  std::vector<double> a = numbers(model_.nv());
  if (!m_) {
    authored_order::scatter(udot, model_.publicDof, "udot", a.data());
    return a;
  }
  std::vector<double> y = numbers(m_->reduced.nv);
  for (int i = 0; i < m_->reduced.nv; ++i) y[static_cast<std::size_t>(i)] = udot[place(i)];
  expand(*m_, *at_, y.data(), a.data());
  for (std::size_t d = 0; d < a.size(); ++d) a[d] += at_->g[d];
  return a;
}

Eigen::MatrixXd DynamicsQuery::spanningRates() const {
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(model_.nv(), model_.publicNv);
  if (!m_) {
    for (int d = 0; d < model_.nv(); ++d) G(d, model_.publicDof[static_cast<std::size_t>(d)]) = 1;
    return G;
  }
  std::vector<double> y = numbers(m_->reduced.nv);
  for (int i = 0; i < m_->reduced.nv; ++i) {
    y[static_cast<std::size_t>(i)] = 1;
    expand(*m_, *at_, y.data(), G.col(place(i)).data());
    y[static_cast<std::size_t>(i)] = 0;
  }
  return G;
}

VecDyn DynamicsQuery::inverseDynamics(const Vec3d& gravity, const Eigen::VectorXd& udot) {
  const std::vector<double> a = spanningAcceleration(udot);
  std::vector<double> tau = numbers(model_.nv());
  espalier::inverseDynamics(model_.topology, parameters_, gravity, a.data(), ws_, tau.data());
  if (!m_) return authored_order::gather(tau.data(), model_.publicDof);
  std::vector<double> y = numbers(m_->reduced.nv);
  reduce(*m_, *at_, tau.data(), y.data());
  return gather(y.data());
}

VecDyn DynamicsQuery::forwardDynamics(const Vec3d& gravity, const Eigen::VectorXd& tau) {
  requireOnePerDof(tau, "tau");
  if (!model_.bilateral.isEmpty()) return bilateralDynamics(*this, gravity, tau);
  if (m_) {
    const Eigen::MatrixXd M = massMatrix();
    const Eigen::VectorXd h = nonlinearities(gravity);
    return VecDyn(Eigen::VectorXd(M.llt().solve(tau - h)));
  }
  const Topology& t = model_.topology;
  std::vector<double> h = numbers(t.nv), x = numbers(t.nv);
  authored_order::scatter(tau, model_.publicDof, "tau", x.data());
  bias(t, parameters_, gravity, ws_, h.data());
  espalier::massMatrix(t, parameters_, ws_);
  factor(t, ws_);
  for (std::size_t d = 0; d < x.size(); ++d) x[d] -= h[d];
  solve(t, ws_, x.data());
  return authored_order::gather(x.data(), model_.publicDof);
}

// ---- Jacobians

template <class ColumnOf>
void DynamicsQuery::fill(int body, SparseJacobian& J, ColumnOf&& columnOf) const {
  const int begin = m_->firstColumn[static_cast<std::size_t>(body)];
  const int end = m_->firstColumn[static_cast<std::size_t>(body) + 1];
  J.resize(end - begin);
  for (int k = begin; k < end; ++k) {
    const auto i = static_cast<std::size_t>(k);
    J.idx[static_cast<std::size_t>(k - begin)] = place(m_->columnY[i]);
    J.v.col(k - begin) = Vec<3>(columnOf(m_->columnReduced[i]));
  }
}

template <class Write>
void DynamicsQuery::fillTree(SparseJacobian& J, Write&& write) const {
  const auto n = static_cast<std::size_t>(model_.nv());
  std::vector<int> dofs(n);
  std::vector<Vec3d> columns(n);
  const int count = write(dofs.data(), columns.data());
  J.resize(count);
  for (int k = 0; k < count; ++k) {
    const auto i = static_cast<std::size_t>(k);
    J.idx[i] = model_.publicDof[static_cast<std::size_t>(dofs[i])];
    J.v.col(k) = Vec<3>(columns[i]);
  }
}

void DynamicsQuery::jacobian(int body, const Vec3d* r, SparseJacobian& J) const {
  if (m_)
    return fill(body, J, [&](int reducedColumn) {
      const Motion<double>& s = at_->reducedColumn[reducedColumn];
      return r ? velocityAt(s, *r) : s.w;
    });
  const Topology& t = model_.topology;
  fillTree(J, [&](int* dofs, Vec3d* columns) {
    return r ? sparsePointJacobian(t, ws_, body, *r, dofs, columns)
             : sparseRotationalJacobian(t, ws_, body, dofs, columns);
  });
}

void DynamicsQuery::jacobian(int body, const Vec3d* r, Eigen::MatrixXd& J) const {
  SparseJacobian columns;
  jacobian(body, r, columns);
  columns.fill(J);
}

void DynamicsQuery::jacobianRate(int body, const Vec3d* r, SparseJacobian& J) const {
  const Topology& t = model_.topology;
  if (!m_)
    return fillTree(J, [&](int* dofs, Vec3d* columns) {
      return r ? sparsePointJacobianRate(t, ws_, u_, body, *r, dofs, columns)
               : sparseRotationalJacobianRate(t, ws_, u_, body, dofs, columns);
    });
  // All of the closure once more along the motion: the rates are exact.
  using D = Dual<double>;
  AlignedArray<D> q(t.nq), u(t.nv), step(t.nv);
  for (int i = 0; i < t.nq; ++i) q[i] = D(q_[i], 0);
  for (int d = 0; d < t.nv; ++d) step[d] = D(0, u_[d]);
  advance(t, q.data(), step.data(), q.data());
  Workspace<D> ws(t);
  LoopWorkspace<D> at(t, *m_);
  espalier::kinematics(t, parameters_, q.data(), u.data(), ws);
  loopRates(t, *m_, q.data(), ws, at);
  computeReducedColumns(t, *m_, ws, at);
  Vec3<D> point{};
  if (r) point = ws.x[body] + mul(ws.R[body], bc<D>(tmul(ws_.R[body], *r - ws_.x[body])));
  fill(body, J, [&](int reducedColumn) {
    const Motion<D>& s = at.reducedColumn[reducedColumn];
    const Vec3<D> column = r ? velocityAt(s, point) : s.w;
    return Vec3d{column.x.d, column.y.d, column.z.d};
  });
}

void DynamicsQuery::addRate(int dof, const Vec3d& axis, Eigen::MatrixXd& J) const {
  if (!m_) {
    J.block<3, 1>(0, model_.publicDof[static_cast<std::size_t>(dof)]) += Vec<3>(axis);
    return;
  }
  const GRow<double> by = gRowOf(model_.topology, *m_, *at_, dof);
  for (int i = 0; i < by.count; ++i) J.block<3, 1>(0, place(by.y + i)) += Vec<3>(axis * by.at(i));
}

}  // namespace espalier
