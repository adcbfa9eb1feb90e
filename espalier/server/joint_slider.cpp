#include "espalier/server/joint_slider.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "espalier/core/check.h"
#include "espalier/model/loops/all_loops.h"

namespace espalier {
namespace {

constexpr double largest_step = 0.05;  // rad or m, in a robot with loops
constexpr int most_slider_steps = 1000;

/// [nq] All joints, internal order -> the public order of the spanning tree.
Eigen::VectorXd toSpanning(const Model& model, const std::vector<double>& q) {
  Eigen::VectorXd all(static_cast<Eigen::Index>(q.size()));
  for (std::size_t i = 0; i < q.size(); ++i) all[model.spanningCoordinate[i]] = q[i];
  return all;
}

std::vector<double> coordinates(const ArticulatedSystem& robot) {
  const VecDyn all = robot.getSpanningCoordinate();
  std::vector<double> q(static_cast<std::size_t>(all.size()));
  for (std::size_t i = 0; i < q.size(); ++i) q[i] = all[robot.model().spanningCoordinate[i]];
  return q;
}

/// Loops closed with dof d held, and where it is independent with all of those.
bool close(const ArticulatedSystem& robot, int d, std::vector<double>& q) {
  const Model& model = robot.model();
  const Lowered<double>& par = robot.parametersInForce();
  if (model.publicDof[d] >= 0) return closeAllLoops(model, par, true, q).isClosed;
  std::vector<char> held(static_cast<std::size_t>(model.nv()), 0);
  held[d] = 1;
  return LoopSystem{model.topology, par, allClosures(model), model.mechanism.couplings}
      .assemble(held, q)
      .isClosed;
}

void takeTarget(ArticulatedSystem& robot) {
  if (robot.getControlMode() != ControlMode::PD_PLUS_FEEDFORWARD_TORQUE) return;
  const VecDyn rest = VecDyn(Eigen::VectorXd::Zero(robot.getSpanningDOF()));
  robot.setSpanningPdTarget(robot.getSpanningCoordinate(), rest);
}

}  // namespace

void slideJoint(ArticulatedSystem& robot, int body, double value) {
  const Model& model = robot.model();
  const BodyTopology& b = model.topology.bodies[body];
  ESPALIER_REQUIRE(b.nq == 1 && b.nv == 1,
                   "this body has no joint with one coordinate; only those have sliders");
  std::vector<double> q = coordinates(robot);
  const auto at = static_cast<std::size_t>(b.q);
  const double from = q[at];
  const int steps =
      !model.hasLoops()
          ? 1
          : std::clamp(static_cast<int>(std::ceil(std::abs(value - from) / largest_step)), 1,
                       most_slider_steps);
  bool isClosed = true;
  double reached = from;
  for (int i = 1; i <= steps && isClosed; ++i) {
    std::vector<double> next = q;
    next[at] = from + (value - from) * i / steps;
    isClosed = !model.hasLoops() || close(robot, b.u, next);
    if (!isClosed) break;
    reached = next[at];
    q = std::move(next);
  }
  robot.setSpanningCoordinate(toSpanning(model, q));
  robot.setGeneralizedVelocity(Eigen::VectorXd::Zero(robot.getDOF()));
  takeTarget(robot);
  ESPALIER_REQUIRE(isClosed, fmt::format("the loops of '{}' do not close beyond {:.4g}; joint '{}' "
                                         "stays there",
                                         robot.getName(), reached, model.bodies[body].joint));
}

}  // namespace espalier
