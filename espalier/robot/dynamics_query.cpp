#include "espalier/robot/dynamics_query.h"

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
      m_(model.mechanism),
      ws_(model.topology),
      at_(model.topology, m_) {
  const Topology& t = model.topology;
  espalier::kinematics(t, parameters, q, u, ws_);
  loopRates(t, m_, q, ws_, at_);
  loopAccelerations(t, m_, u, ws_, at_);
  computeReducedColumns(t, m_, ws_, at_);
}
DynamicsQuery::DynamicsQuery(const System& sys, const double* q, const double* u)
    : DynamicsQuery(*sys.model, sys.parameters, q, u) {}

int DynamicsQuery::place(int y) const { return model_.publicDof[m_.dofOfY[y]]; }

VecDyn DynamicsQuery::gather(const double* y) const {
  VecDyn out(m_.reduced.nv);
  for (int i = 0; i < m_.reduced.nv; ++i) out[place(i)] = y[i];
  return out;
}

void DynamicsQuery::requireOnePerDof(const Eigen::VectorXd& x, const char* what) const {
  authored_order::check(x, model_.publicDof, what);
}

// ---- M udot + h = tau

Workspace<double> DynamicsQuery::reduced(const double* w, const double* W) {
  Workspace<double> solver(m_.reduced);
  reducedMassMatrix(model_.topology, parameters_, m_, ws_, at_, solver.H.data());
  if (w) addDiagonal(m_, at_, w, solver.H.data());
  for (int i = 0; W && i < m_.reduced.entries(); ++i) solver.H[i] += W[i];
  return solver;
}

MatDyn DynamicsQuery::inPublicOrder(const std::vector<double>& dense) const {
  const int n = m_.reduced.nv;
  MatDyn M(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) M(place(i), place(j)) = dense[i * n + j];
  return M;
}

MatDyn DynamicsQuery::massMatrix(const double* w, const double* W) {
  const Workspace<double> solver = reduced(w, W);
  std::vector<double> dense = numbers(m_.reduced.nv * m_.reduced.nv);
  unpack(m_.reduced, solver.H.data(), dense.data());
  return inPublicOrder(dense);
}

MatDyn DynamicsQuery::inverseMassMatrix(const double* w, const double* W) {
  Workspace<double> solver = reduced(w, W);
  factor(m_.reduced, solver);
  std::vector<double> dense = numbers(m_.reduced.nv * m_.reduced.nv);
  inverse(m_.reduced, solver, dense.data());
  return inPublicOrder(dense);
}

VecDyn DynamicsQuery::nonlinearities(const Vec3d& gravity) {
  return inverseDynamics(gravity, Eigen::VectorXd::Zero(m_.reduced.nv));
}

std::vector<double> DynamicsQuery::spanningAcceleration(const Eigen::VectorXd& udot) const {
  requireOnePerDof(udot, "udot");
  std::vector<double> a = numbers(model_.nv());
  std::vector<double> y = numbers(m_.reduced.nv);
  for (int i = 0; i < m_.reduced.nv; ++i) y[i] = udot[place(i)];
  expand(m_, at_, y.data(), a.data());
  for (std::size_t d = 0; d < a.size(); ++d) a[d] += at_.g[d];
  return a;
}

Eigen::MatrixXd DynamicsQuery::spanningRates() const {
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(model_.nv(), model_.publicNv);
  std::vector<double> y = numbers(m_.reduced.nv);
  for (int i = 0; i < m_.reduced.nv; ++i) {
    y[i] = 1;
    expand(m_, at_, y.data(), G.col(place(i)).data());
    y[i] = 0;
  }
  return G;
}

VecDyn DynamicsQuery::inverseDynamics(const Vec3d& gravity, const Eigen::VectorXd& udot) {
  const std::vector<double> a = spanningAcceleration(udot);
  std::vector<double> tau = numbers(model_.nv());
  espalier::inverseDynamics(model_.topology, parameters_, gravity, a.data(), ws_, tau.data());
  std::vector<double> y = numbers(m_.reduced.nv);
  reduce(m_, at_, tau.data(), y.data());
  return gather(y.data());
}

VecDyn DynamicsQuery::forwardDynamics(const Vec3d& gravity, const Eigen::VectorXd& tau) {
  requireOnePerDof(tau, "tau");
  if (!model_.bilateral.isEmpty()) return bilateralDynamics(*this, gravity, tau);
  const VecDyn h = nonlinearities(gravity);
  Workspace<double> solver = reduced();
  factor(m_.reduced, solver);
  std::vector<double> y = numbers(m_.reduced.nv);
  for (int i = 0; i < m_.reduced.nv; ++i) y[i] = tau[place(i)] - h[place(i)];
  solve(m_.reduced, solver, y.data());
  return gather(y.data());
}

// ---- Jacobians

template <class ColumnOf>
void DynamicsQuery::fill(int body, SparseJacobian& J, ColumnOf&& columnOf) const {
  const int begin = m_.firstColumn[body];
  const int end = m_.firstColumn[static_cast<std::size_t>(body) + 1];
  J.resize(end - begin);
  for (int k = begin; k < end; ++k) {
    J.idx[k - begin] = place(m_.columnY[k]);
    const Vec3d column = columnOf(m_.columnReduced[k]);
    J.v.col(k - begin) << column.x, column.y, column.z;
  }
}

void DynamicsQuery::jacobian(int body, const Vec3d* r, SparseJacobian& J) const {
  fill(body, J, [&](int reducedColumn) {
    const Motion<double>& s = at_.reducedColumn[reducedColumn];
    return r ? velocityAt(s, *r) : s.w;
  });
}

void DynamicsQuery::jacobian(int body, const Vec3d* r, Eigen::MatrixXd& J) const {
  SparseJacobian columns;
  jacobian(body, r, columns);
  columns.fill(J);
}

void DynamicsQuery::jacobianRate(int body, const Vec3d* r, SparseJacobian& J) const {
  const Topology& t = model_.topology;
  // All of the closure once more along the motion: the rates are exact.
  using D = Dual<double>;
  AlignedArray<D> q(t.nq), u(t.nv), step(t.nv);
  for (int i = 0; i < t.nq; ++i) q[i] = D(q_[i], 0);
  for (int d = 0; d < t.nv; ++d) step[d] = D(0, u_[d]);
  advance(t, q.data(), step.data(), q.data());
  Workspace<D> ws(t);
  LoopWorkspace<D> at(t, m_);
  espalier::kinematics(t, parameters_, q.data(), u.data(), ws);
  loopRates(t, m_, q.data(), ws, at);
  computeReducedColumns(t, m_, ws, at);
  Vec3<D> point{};
  if (r) point = ws.x[body] + mul(ws.R[body], bc<D>(tmul(ws_.R[body], *r - ws_.x[body])));
  fill(body, J, [&](int reducedColumn) {
    const Motion<D>& s = at.reducedColumn[reducedColumn];
    const Vec3<D> column = r ? velocityAt(s, point) : s.w;
    return Vec3d{column.x.d, column.y.d, column.z.d};
  });
}

void DynamicsQuery::addRate(int dof, const Vec3d& axis, Eigen::MatrixXd& J) const {
  const GRow<double> by = gRowOf(model_.topology, m_, at_, dof);
  for (int i = 0; i < by.count; ++i) J.block<3, 1>(0, place(by.y + i)) += Vec<3>(axis * by.at(i));
}

}  // namespace espalier
