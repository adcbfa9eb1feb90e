#include "espalier/robot/bilateral_dynamics.h"

#include <Eigen/Cholesky>
#include <Eigen/QR>

#include "espalier/step/bilateral.h"

namespace espalier {
namespace {

struct DenseRows {
  Eigen::MatrixXd J;  ///< by public dofs
  Eigen::VectorXd k;
};

/// pre  the query's workspace holds the accelerations at udot = 0, if k is asked for
DenseRows denseRows(const DynamicsQuery& query, const Vec3d& gravity) {
  const Workspace<double>& ws = query.kinematics();
  const BilateralLoops& loops = query.model().bilateral;
  int count = 0;
  for (const RowGroup& g : loops.groups) count += g.count;
  const int n = query.model().publicNv;
  DenseRows rows{Eigen::MatrixXd::Zero(count, n), Eigen::VectorXd(count)};
  int row = 0;
  for (const RowGroup& group : loops.groups) {
    const Closure& c = loops.closures[group.closure];
    const ClosureRows at = closureRows(loops, group, gravity, ws);
    for (const auto& [body, sign] : {std::pair(c.a, -1.0), std::pair(c.b, 1.0)}) {
      if (body < 0) continue;
      Eigen::MatrixXd linear = Eigen::MatrixXd::Zero(3, n), angular = linear;
      const Vec3d origin{0, 0, 0};
      query.jacobian(body, &origin, linear);
      query.jacobian(body, nullptr, angular);
      for (int i = 0; i < group.count; ++i)
        rows.J.row(row + i) += sign * (Vec<3>(at.W[i].f).transpose() * linear +
                                       Vec<3>(at.W[i].n).transpose() * angular);
    }
    const double own[3] = {at.k.x, at.k.y, at.k.z};
    for (int i = 0; i < group.count; ++i) rows.k[row++] = own[i];
  }
  return rows;
}

}  // namespace

VecDyn bilateralDynamics(DynamicsQuery& query, const Vec3d& gravity, const Eigen::VectorXd& tau) {
  const Eigen::VectorXd h = query.nonlinearities(gravity);
  const auto [J, k] = denseRows(query, gravity);
  const Eigen::LLT<Eigen::MatrixXd> M(query.massMatrix());
  const Eigen::VectorXd free = M.solve(tau - h);
  const Eigen::MatrixXd response = M.solve(J.transpose());
  const Eigen::VectorXd lambda =
      (J * response).completeOrthogonalDecomposition().solve(-(k + J * free));
  return VecDyn(Eigen::VectorXd(free + response * lambda));
}

std::optional<VecDyn> consistentVelocity(const Model& model, const Lowered<double>& parameters,
                                         const double* q, const Eigen::VectorXd& u) {
  const auto nv = static_cast<std::size_t>(model.nv());
  const std::vector<double> rest(nv);
  const DynamicsQuery query(model, parameters, q, rest.data());
  const Eigen::MatrixXd J = denseRows(query, {0, 0, 0}).J;
  const Eigen::VectorXd off = J * u;
  if (!(off.cwiseAbs().maxCoeff() > left_alone_rate)) return VecDyn(u);
  Eigen::MatrixXd follow = J;
  for (std::size_t d = 0; d < nv; ++d)
    if (model.publicDof[d] >= 0 && model.bilateral.independent[d])
      follow.col(model.publicDof[d]).setZero();
  const Eigen::VectorXd change = follow.completeOrthogonalDecomposition().solve(-off);
  const double left = (follow * change + off).cwiseAbs().maxCoeff();
  if (!(left < 1e-9 * off.cwiseAbs().maxCoeff())) return std::nullopt;
  return VecDyn(Eigen::VectorXd(u + change));
}

}  // namespace espalier
