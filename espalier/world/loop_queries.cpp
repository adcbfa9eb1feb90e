#include "espalier/world/loop_queries.h"

#include <Eigen/Cholesky>

#include "espalier/dynamics/inverse_dynamics.h"
#include "espalier/dynamics/jacobian.h"
#include "espalier/dynamics/kinematics.h"
#include "espalier/dynamics/mass_matrix.h"
#include "espalier/model/coordinates.h"
#include "espalier/scalar/dual.h"
#include "espalier/world/articulated_order.h"

namespace espalier {

LoopQuery::LoopQuery(const System& sys, const double* q, const double* u)
    : sys_(sys), q_(q), u_(u), m_(sys.loops->m), ws_(sys.topology()), at_(sys.topology(), m_) {
  const Topology& t = sys.topology();
  espalier::kinematics(t, sys.parameters, q, u, ws_);
  loopRates(t, m_, q, ws_, at_);
  loopAccelerations(t, m_, u, ws_, at_);
  bodyScrews(t, m_, ws_, at_);
}

int LoopQuery::place(int y) const {
  return sys_.model->publicDof[static_cast<std::size_t>(m_.dofOfY[static_cast<std::size_t>(y)])];
}

VecDyn LoopQuery::gather(const double* y) const {
  VecDyn out(m_.reduced.nv);
  for (int i = 0; i < m_.reduced.nv; ++i) out[place(i)] = y[i];
  return out;
}

MatDyn LoopQuery::massMatrix(const double* w) {
  const int n = m_.reduced.nv;
  std::vector<double> packed(static_cast<std::size_t>(m_.reduced.entries()));
  reducedMassMatrix(sys_.topology(), sys_.parameters, m_, ws_, at_, packed.data());
  if (w) addDiagonal(m_, at_, w, packed.data());
  std::vector<double> dense(static_cast<std::size_t>(n * n));
  unpack(m_.reduced, packed.data(), dense.data());
  MatDyn M(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) M(place(i), place(j)) = dense[static_cast<std::size_t>(i * n + j)];
  return M;
}

VecDyn LoopQuery::nonlinearities(const Vec3d& gravity) {
  return inverseDynamics(gravity, Eigen::VectorXd::Zero(m_.reduced.nv));
}

VecDyn LoopQuery::inverseDynamics(const Vec3d& gravity, const Eigen::VectorXd& udot) {
  const auto n = static_cast<std::size_t>(sys_.topology().nv);
  ESPALIER_REQUIRE(udot.size() == m_.reduced.nv, "one number for each independent dof is needed");
  std::vector<double> y(static_cast<std::size_t>(m_.reduced.nv)), a(n), tau(n);
  for (int i = 0; i < m_.reduced.nv; ++i) y[static_cast<std::size_t>(i)] = udot[place(i)];
  expand(m_, at_, y.data(), a.data());
  for (std::size_t d = 0; d < n; ++d) a[d] += at_.g[d];
  espalier::inverseDynamics(sys_.topology(), sys_.parameters, gravity, a.data(), ws_, tau.data());
  reduce(m_, at_, tau.data(), y.data());
  return gather(y.data());
}

VecDyn LoopQuery::forwardDynamics(const Vec3d& gravity, const Eigen::VectorXd& tau) {
  ESPALIER_REQUIRE(tau.size() == m_.reduced.nv, "one number for each independent dof is needed");
  const Eigen::MatrixXd M = massMatrix(nullptr);
  const Eigen::VectorXd h = nonlinearities(gravity);
  return VecDyn(Eigen::VectorXd(M.llt().solve(tau - h)));
}

template <class ColumnOf>
void LoopQuery::fill(int body, SparseJacobian& J, ColumnOf&& columnOf) const {
  const int begin = m_.firstColumn[static_cast<std::size_t>(body)];
  const int end = m_.firstColumn[static_cast<std::size_t>(body) + 1];
  J.resize(end - begin);
  for (int k = begin; k < end; ++k) {
    const auto i = static_cast<std::size_t>(k);
    J.idx[static_cast<std::size_t>(k - begin)] = place(m_.columnY[i]);
    J.v.col(k - begin) = Vec<3>(columnOf(m_.columnScrew[i]));
  }
}

void LoopQuery::jacobian(int body, const Vec3d* r, SparseJacobian& J) const {
  fill(body, J, [&](int screw) {
    const Motion<double>& s = at_.screw[screw];
    return r ? velocityAt(s, *r) : s.w;
  });
}

void LoopQuery::jacobian(int body, const Vec3d* r, Eigen::MatrixXd& J) const {
  SparseJacobian columns;
  jacobian(body, r, columns);
  columns.fill(J);
}

void LoopQuery::jacobianRate(int body, const Vec3d* r, SparseJacobian& J) const {
  // All of the closure once more along the motion: the rates are exact.
  using D = Dual<double>;
  const Topology& t = sys_.topology();
  AlignedArray<D> q(t.nq), u(t.nv), step(t.nv);
  for (int i = 0; i < t.nq; ++i) q[i] = D(q_[i], 0);
  for (int d = 0; d < t.nv; ++d) step[d] = D(0, u_[d]);
  advance(t, q.data(), step.data(), q.data());
  Workspace<D> ws(t);
  LoopWorkspace<D> at(t, m_);
  espalier::kinematics(t, sys_.parameters, q.data(), u.data(), ws);
  loopRates(t, m_, q.data(), ws, at);
  bodyScrews(t, m_, ws, at);
  Vec3<D> point{};
  if (r) point = ws.x[body] + mul(ws.R[body], bc<D>(tmul(ws_.R[body], *r - ws_.x[body])));
  fill(body, J, [&](int screw) {
    const Motion<D>& s = at.screw[screw];
    const Vec3<D> column = r ? velocityAt(s, point) : s.w;
    return Vec3d{column.x.d, column.y.d, column.z.d};
  });
}

void LoopQuery::addRate(int dof, const Vec3d& axis, Eigen::MatrixXd& J) const {
  const Movers<double> by = moversOf(sys_.topology(), m_, at_, dof);
  for (int i = 0; i < by.count; ++i) J.block<3, 1>(0, place(by.y + i)) += Vec<3>(axis * by.at(i));
}

}  // namespace espalier
