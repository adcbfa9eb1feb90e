#include "espalier/world/bilateral_dynamics.h"

#include <Eigen/Cholesky>
#include <Eigen/QR>

#include "espalier/dynamics/inverse_dynamics.h"
#include "espalier/dynamics/kinematics.h"
#include "espalier/world/bilateral.h"
#include "espalier/world/loop_queries.h"

namespace espalier {
namespace {

/// Poses, twists and the accelerations at udot = 0.
Workspace<double> motionWithout(const System& sys, const double* q, const double* u,
                                const Vec3d& gravity) {
  if (sys.loops) {
    LoopQuery query(sys, q, u);
    query.nonlinearities(gravity);
    return query.kinematics();
  }
  Workspace<double> ws(sys.topology());
  std::vector<double> h(static_cast<std::size_t>(sys.topology().nv));
  kinematics(sys.topology(), sys.parameters, q, u, ws);
  bias(sys.topology(), sys.parameters, gravity, ws, h.data());
  return ws;
}

struct DenseRows {
  Eigen::MatrixXd J;  ///< by public dofs
  Eigen::VectorXd k;
};

DenseRows denseRows(const ArticulatedSystem& robot, const System& sys, const Vec3d& gravity,
                    const Workspace<double>& ws) {
  const BilateralLoops& loops = sys.model->bilateral;
  int count = 0;
  for (const RowGroup& g : loops.groups) count += g.count;
  const int n = robot.getDOF();
  DenseRows rows{Eigen::MatrixXd::Zero(count, n), Eigen::VectorXd(count)};
  int row = 0;
  for (const RowGroup& group : loops.groups) {
    const Closure& c = loops.closures[group.closure];
    const ClosureRows at = closureRows(loops, group, gravity, ws);
    for (const auto& [body, sign] : {std::pair(c.a, -1.0), std::pair(c.b, 1.0)}) {
      if (body < 0) continue;
      Eigen::MatrixXd linear = Eigen::MatrixXd::Zero(3, n), angular = linear;
      robot.getDenseJacobian(body, Vec<3>(ws.origin), linear);
      robot.getDenseRotationalJacobian(body, angular);
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

VecDyn bilateralDynamics(const ArticulatedSystem& robot, const System& sys, const double* q,
                         const double* u, const Vec3d& gravity, const Eigen::VectorXd& tau) {
  const auto [J, k] = denseRows(robot, sys, gravity, motionWithout(sys, q, u, gravity));
  const Eigen::LLT<Eigen::MatrixXd> M(robot.getMassMatrix());
  const Eigen::VectorXd free = M.solve(tau - robot.getNonlinearities(Vec<3>(gravity)));
  const Eigen::MatrixXd response = M.solve(J.transpose());
  const Eigen::VectorXd lambda =
      (J * response).completeOrthogonalDecomposition().solve(-(k + J * free));
  return VecDyn(Eigen::VectorXd(free + response * lambda));
}

std::optional<VecDyn> consistentVelocity(const ArticulatedSystem& robot, const System& sys,
                                         const double* q, const Eigen::VectorXd& u) {
  const Model& model = *sys.model;
  const auto nv = static_cast<std::size_t>(model.nv());
  Workspace<double> ws(model.topology);
  kinematics(model.topology, sys.parameters, q, std::vector<double>(nv).data(), ws);
  const Eigen::MatrixXd J = denseRows(robot, sys, {0, 0, 0}, ws).J;
  const Eigen::VectorXd off = J * u;
  if (!(off.cwiseAbs().maxCoeff() > left_alone_rate)) return VecDyn(u);
  Eigen::MatrixXd follow = J;
  for (std::size_t d = 0; d < nv; ++d)
    if (model.publicDof[d] >= 0 && model.bilateral.leads[d])
      follow.col(model.publicDof[d]).setZero();
  const Eigen::VectorXd change = follow.completeOrthogonalDecomposition().solve(-off);
  const double left = (follow * change + off).cwiseAbs().maxCoeff();
  if (!(left < 1e-9 * off.cwiseAbs().maxCoeff())) return std::nullopt;
  return VecDyn(Eigen::VectorXd(u + change));
}

}  // namespace espalier
