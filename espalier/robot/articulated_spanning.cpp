// All joints of a system with closed loops, dependent ones too.

#include "espalier/core/check.h"
#include "espalier/model/coordinates.h"
#include "espalier/model/loops/all_loops.h"
#include "espalier/robot/articulated_order.h"
#include "espalier/robot/articulated_system.h"
#include "espalier/robot/editing.h"
#include "espalier/step/step_data.h"

namespace espalier {

using namespace authored_order;

int ArticulatedSystem::getSpanningDOF() const { return model().nv(); }
VecDyn ArticulatedSystem::getSpanningCoordinate() const {
  return gather(world_.qOf(system_), model().spanningCoordinate);
}
VecDyn ArticulatedSystem::getSpanningVelocity() const {
  return gather(world_.uOf(system_), model().spanningDof);
}

void ArticulatedSystem::setSpanningCoordinate(const Eigen::VectorXd& q) {
  requireBetweenSteps(world_);
  std::vector<double> all(static_cast<std::size_t>(model().nq()));
  scatter(q, model().spanningCoordinate, "the spanning coordinate", all.data());
  takeAssembled(std::move(all), false);
  world_.knowsEnergy = false;
}

void ArticulatedSystem::setSpanningVelocity(const Eigen::VectorXd& u) {
  check(u, model().spanningDof, "the spanning velocity");
  Eigen::VectorXd own(getDOF());
  for (std::size_t d = 0; d < model().publicDof.size(); ++d)
    if (const int at = model().publicDof[d]; at >= 0) own[at] = u[model().spanningDof[d]];
  setGeneralizedVelocity(own);
}

/// Takes q once its loops are closed.
///   in  holds  whether the independent joints keep their coordinates
void ArticulatedSystem::takeAssembled(std::vector<double> q, bool holds) {
  const Topology& t = model().topology;
  normalize(t, q.data());
  const AssemblyResult result = closeAllLoops(model(), system_.parameters, holds, q);
  ESPALIER_REQUIRE(result.isClosed, "robot '" + getName() + "': the loops do not close there, " +
                                        std::to_string(result.residual) +
                                        " is left; give coordinates that it can reach");
  takeCoordinates(world_, system_, q);
}

void ArticulatedSystem::setSpanningPdGains(const Eigen::VectorXd& kp, const Eigen::VectorXd& kd) {
  const int base = baseDofs(model());
  checkNotNegative(kp, model().spanningDof, "kp", base);
  checkNotNegative(kd, model().spanningDof, "kd", base);
  scatter(kp, model().spanningDof, "kp", system_.actuation.kp.data(), base);
  scatter(kd, model().spanningDof, "kd", system_.actuation.kd.data(), base);
  setControlMode(ControlMode::PD_PLUS_FEEDFORWARD_TORQUE);
}
void ArticulatedSystem::setSpanningPdTarget(const Eigen::VectorXd& q, const Eigen::VectorXd& u) {
  const int base = baseDofs(model());
  check(u, model().spanningDof, "the velocity target", base);  // before q's is changed
  scatter(q, model().spanningCoordinate, "the position target", system_.actuation.targetQ.data(),
          baseCoordinates(model()));
  normalize(model().topology, system_.actuation.targetQ.data());
  scatter(u, model().spanningDof, "the velocity target", system_.actuation.targetU.data(), base);
  setControlMode(ControlMode::PD_PLUS_FEEDFORWARD_TORQUE);
}
void ArticulatedSystem::setSpanningForce(const Eigen::VectorXd& tau) {
  scatter(tau, model().spanningDof, "the force", system_.actuation.feedforward.data());
}
VecDyn ArticulatedSystem::getSpanningAppliedForce() const {
  return gather(system_.applied.data(), model().spanningDof);
}

double ArticulatedSystem::getClosureResidual() const {
  return closureResidual(model(), system_.parameters, world_.qOf(system_));
}

}  // namespace espalier
