#include "tests/support/standing.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace espalier::testing {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

/// Heights of the soles against their mean, then the centre of mass against the soles' middle.
VectorXd imbalance(const ArticulatedSystem& robot, const std::vector<SolePoint>& soles) {
  const Index n = static_cast<Index>(soles.size());
  VectorXd out(n + 2);
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();
  std::vector<Eigen::Vector3d> at(soles.size());
  for (std::size_t i = 0; i < soles.size(); ++i) {
    const Vec3d& p = soles[i].point;
    robot.getPosition(robot.getBodyIdx(soles[i].link), Vec<3>{p.x, p.y, p.z}, at[i]);
    middle += at[i] / static_cast<double>(n);
  }
  for (Index i = 0; i < n; ++i) out[i] = at[i].z() - middle.z();
  const Vec<3> centre = robot.getCOM();
  out.tail<2>() << centre[0] - middle.x(), centre[1] - middle.y();
  return out;
}

/// q with the base turned about the world's x and y, and the motors moved.
VectorXd moved(const VectorXd& q, const std::vector<Index>& places, const VectorXd& step) {
  VectorXd out = q;
  const Eigen::Quaterniond base(q[3], q[4], q[5], q[6]);
  const Eigen::Vector3d turn(step[0], step[1], 0);
  const double angle = turn.norm();
  if (angle > 0) {
    const Eigen::Quaterniond r = Eigen::AngleAxisd(angle, turn / angle) * base;
    out.segment<4>(3) << r.w(), r.x(), r.y(), r.z();
  }
  for (std::size_t i = 0; i < places.size(); ++i) out[places[i]] += step[static_cast<Index>(i) + 2];
  return out;
}

}  // namespace

double standUpright(ArticulatedSystem& robot, const std::vector<std::string>& motors,
                    const std::vector<SolePoint>& soles) {
  std::vector<Index> places;
  for (const std::string& name : motors)
    places.push_back(robot.getGeneralizedCoordinateIndex(name));
  const Index n = static_cast<Index>(places.size()) + 2;
  VectorXd q = robot.getGeneralizedCoordinate();
  VectorXd off = imbalance(robot, soles);
  for (int round = 0; round < 50 && off.cwiseAbs().maxCoeff() > 1e-9; ++round) {
    constexpr double h = 1e-6;
    Eigen::MatrixXd J(off.size(), n);
    for (Index i = 0; i < n; ++i) {
      robot.setGeneralizedCoordinate(moved(q, places, h * VectorXd::Unit(n, i)));
      J.col(i) = (imbalance(robot, soles) - off) / h;
    }
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver;
    solver.setThreshold(1e-5);  // spreading both legs changes next to nothing: that is no way
    VectorXd step = -solver.compute(J).solve(off);
    step *= std::min(1.0, 0.1 / std::max(step.cwiseAbs().maxCoeff(), 1e-300));
    q = moved(q, places, step);
    robot.setGeneralizedCoordinate(q);
    off = imbalance(robot, soles);
  }
  q[2] -= robot.getLowestCollisionPoint();
  robot.setState(q, VectorXd::Zero(robot.getDOF()));
  return off.cwiseAbs().maxCoeff();
}

void holdHere(ArticulatedSystem& robot, const std::vector<Gains>& gains) {
  const int n = robot.getSpanningDOF();
  VectorXd kp = VectorXd::Zero(n), kd = kp;
  for (const Gains& g : gains) {
    const int body = robot.model().joint(g.joint);
    if (body < 0) throw std::invalid_argument("no joint " + g.joint);
    const BodyTopology& joint = robot.model().topology.bodies.at(static_cast<std::size_t>(body));
    for (int k = joint.u; k < joint.u + joint.nv; ++k) {
      const int dof = robot.model().spanningDof.at(static_cast<std::size_t>(k));
      kp[dof] = g.kp;
      kd[dof] = g.kd;
    }
  }
  robot.setSpanningPdGains(kp, kd);
  robot.setSpanningPdTarget(robot.getSpanningCoordinate(), VectorXd::Zero(n));
}

Stance stand(World& world, ArticulatedSystem& robot, int steps) {
  Stance out;
  const Vec<3> start = robot.getBasePosition();
  for (int i = 0; i < steps; ++i) {
    const StepReport& report = world.integrate();
    const Vec<3> now = robot.getBasePosition();
    out.lowest = std::min(out.lowest, now[2] - start[2]);
    out.highest = std::max(out.highest, now[2] - start[2]);
    out.drift = std::hypot(now[0] - start[0], now[1] - start[1]);
    out.residual = std::max(out.residual, report.residual);
    out.closure = std::max(out.closure, report.closure);
    out.flags |= report.flags;
    out.contacts = report.activeContacts;
  }
  return out;
}

}  // namespace espalier::testing
