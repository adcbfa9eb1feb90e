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
  bias(sys.topology(), gravity, ws, h.data());
  return ws;
}

}  // namespace

VecDyn bilateralDynamics(const ArticulatedSystem& robot, const System& sys, const double* q,
                         const double* u, const Vec3d& gravity, const Eigen::VectorXd& tau) {
  const BilateralLoops& loops = sys.model->bilateral;
  const Workspace<double> ws = motionWithout(sys, q, u, gravity);
  int rows = 0;
  for (const RowGroup& g : loops.groups) rows += g.count;
  const int n = robot.getDOF();
  Eigen::MatrixXd J = Eigen::MatrixXd::Zero(rows, n);
  Eigen::VectorXd k(rows);
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
        J.row(row + i) += sign * (Vec<3>(at.W[i].f).transpose() * linear +
                                  Vec<3>(at.W[i].n).transpose() * angular);
    }
    const double own[3] = {at.k.x, at.k.y, at.k.z};
    for (int i = 0; i < group.count; ++i) k[row++] = own[i];
  }
  const Eigen::LLT<Eigen::MatrixXd> M(robot.getMassMatrix());
  const Eigen::VectorXd free = M.solve(tau - robot.getNonlinearities(Vec<3>(gravity)));
  const Eigen::MatrixXd response = M.solve(J.transpose());
  const Eigen::VectorXd lambda =
      (J * response).completeOrthogonalDecomposition().solve(-(k + J * free));
  return VecDyn(Eigen::VectorXd(free + response * lambda));
}

}  // namespace espalier
