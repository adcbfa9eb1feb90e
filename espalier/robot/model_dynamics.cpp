#include "espalier/robot/model_dynamics.h"

#include <Eigen/LU>
#include <cmath>

#include "espalier/core/check.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/model/coordinates.h"
#include "espalier/model/loops/all_loops.h"
#include "espalier/model/spec/named.h"
#include "espalier/model/state.h"
#include "espalier/robot/articulated_order.h"

namespace espalier {

using namespace authored_order;

namespace {

/// |G| above which the independent joints are taken to be at a dead point.
constexpr double dead_point_gain = 1e6;

std::vector<double> closedCoordinates(const Model& model, const Eigen::VectorXd& q) {
  std::vector<double> all = neutralState(model).q;
  const bool isSpanning = model.hasLoops() && q.size() == model.nq();
  scatter(q, isSpanning ? model.spanningCoordinate : model.publicCoordinate, "q", all.data());
  normalize(model.topology, all.data());
  if (!model.hasLoops()) return all;
  const AssemblyResult result = closeAllLoops(model, model.lowered, true, all);
  ESPALIER_REQUIRE(result.isClosed,
                   "model '" + model.name + "': the loops do not close at this q, " +
                       std::to_string(result.residual) +
                       " is left; give coordinates that it can reach, or those of all joints, from "
                       "which the dependent ones start");
  return all;
}

/// The rates of the joints that follow.
void followRates(const Model& model, SpanningState& state) {
  const Topology& t = model.topology;
  const Mechanism& m = model.mechanism;
  Workspace<double> ws(t);
  LoopWorkspace<double> loops(t, m);
  kinematics(t, model.lowered, state.q.data(), state.u.data(), ws);
  loopRates(t, m, state.q.data(), ws, loops);
  bool isDetermined = true;
  for (const double gain : loops.G) isDetermined &= std::abs(gain) < dead_point_gain;
  ESPALIER_REQUIRE(isDetermined, "model '" + model.name +
                                     "': at this q its independent joints are at a dead point and "
                                     "do not determine how the others move");
  dependentRates(m, loops, state.u.data());
}

}  // namespace

const FrameInfo& findFrame(const Model& model, const std::string& name) {
  for (const auto* frames : {&model.frames, &model.links})
    if (const FrameInfo* frame = named(*frames, name)) return *frame;
  ESPALIER_REQUIRE(false, "model '" + model.name + "' has no joint or link '" + name + "'");
}

SpanningState closedState(const Model& model, const Eigen::VectorXd& q, const Eigen::VectorXd& u) {
  SpanningState state{{}, std::vector<double>(static_cast<std::size_t>(model.nv()))};
  scatter(u, model.publicDof, "u", state.u.data());
  state.q = closedCoordinates(model, q);
  if (!model.mechanism.isTree() && !u.isZero(0)) followRates(model, state);
  return state;
}

ModelDynamics::ModelDynamics(std::shared_ptr<const Model> model, const Eigen::VectorXd& q)
    : ModelDynamics(model, q, Eigen::VectorXd::Zero(model->publicNv)) {}
ModelDynamics::ModelDynamics(std::shared_ptr<const Model> model, const Eigen::VectorXd& q,
                             const Eigen::VectorXd& u)
    : model_(std::move(model)),
      state_(closedState(*model_, q, u)),
      query_(*model_, model_->lowered, state_.q.data(), state_.u.data()) {}

VecDyn ModelDynamics::coordinate() const {
  return gather(state_.q.data(), model_->publicCoordinate);
}
VecDyn ModelDynamics::velocity() const { return gather(state_.u.data(), model_->publicDof); }
VecDyn ModelDynamics::spanningCoordinate() const {
  return gather(state_.q.data(), model_->spanningCoordinate);
}
VecDyn ModelDynamics::spanningVelocity() const {
  return gather(state_.u.data(), model_->spanningDof);
}

VecDyn ModelDynamics::stepped(const Eigen::VectorXd& dq) const {
  check(dq, model_->publicDof, "the step");
  const Eigen::VectorXd step = query_.spanningRates() * dq;
  std::vector<double> q(state_.q.size());
  advance(model_->topology, state_.q.data(), step.data(), q.data());
  return gather(q.data(), model_->spanningCoordinate);
}

// ---- M udot + h = tau + J' external. A query's workspace is written to: each call has its own.

MatDyn ModelDynamics::massMatrix() const { return DynamicsQuery(query_).massMatrix(); }
MatDyn ModelDynamics::inverseMassMatrix() const {
  return DynamicsQuery(query_).inverseMassMatrix();
}
VecDyn ModelDynamics::nonlinearities(const Vec3d& gravity) const {
  return DynamicsQuery(query_).nonlinearities(gravity);
}
VecDyn ModelDynamics::inverseDynamics(const Eigen::VectorXd& udot, const Vec3d& gravity,
                                      const std::vector<FrameWrench>& external) const {
  VecDyn tau = DynamicsQuery(query_).inverseDynamics(gravity, udot);
  if (!external.empty()) tau -= generalizedForce(external);
  return tau;
}
VecDyn ModelDynamics::forwardDynamics(const Eigen::VectorXd& tau, const Vec3d& gravity,
                                      const std::vector<FrameWrench>& external) const {
  DynamicsQuery query(query_);
  if (external.empty()) return query.forwardDynamics(gravity, tau);
  check(tau, model_->publicDof, "tau");
  return query.forwardDynamics(gravity, tau + generalizedForce(external));
}
VecDyn ModelDynamics::generalizedForce(const std::vector<FrameWrench>& external) const {
  VecDyn tau(model_->publicNv);
  for (const auto& [frame, F] : external) {
    Eigen::Matrix<double, 6, 1> wrench;
    wrench << F.n.x, F.n.y, F.n.z, F.f.x, F.f.y, F.f.z;
    tau += frameJacobian(*frame).transpose() * wrench;
  }
  return tau;
}

}  // namespace espalier
