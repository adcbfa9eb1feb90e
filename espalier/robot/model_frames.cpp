// The frames of a model by themselves: poses, velocities, accelerations, Jacobians.

#include "espalier/core/check.h"
#include "espalier/dynamics/tree/accelerations.h"
#include "espalier/dynamics/tree/jacobian.h"
#include "espalier/robot/model_dynamics.h"
#include "espalier/robot/model_poses.h"
#include "espalier/robot/operational_query.h"

namespace espalier {
namespace {

const RotorInfo* rotorOf(const Model& model, const FrameInfo& frame) {
  return frame.rotor < 0 ? nullptr : &model.rotors[frame.rotor];
}
void requireNoRotor(const FrameInfo& frame) {
  ESPALIER_REQUIRE(frame.rotor < 0, "frame '" + frame.name +
                                        "' turns with a geared rotor, which is no body: ask for "
                                        "its carrier's");
}

}  // namespace

Transformd ModelDynamics::bodyPose(int body) const {
  ESPALIER_REQUIRE(body >= 0 && body < model_->nb(), "there is no body " + std::to_string(body));
  const Workspace<double>& ws = query_.kinematics();
  const Transformd X_OL = linkPose(*model_, ws, body);
  return {X_OL.R, ws.origin + X_OL.p};
}

Vec3d ModelDynamics::originOf(const FrameInfo& frame) const {
  return linkPose(*model_, query_.kinematics(), frame.body) * frame.X_LF.p;
}

Transformd ModelDynamics::framePose(const FrameInfo& frame) const {
  const Transformd X_WF =
      bodyPose(frame.body) * rotorTurn(*model_, frame.rotor, state_.q.data()) * frame.X_LF;
  return X_WF;
}

Motion<double> ModelDynamics::frameVelocity(const FrameInfo& frame) const {
  const Workspace<double>& ws = query_.kinematics();
  const Motion<double>& V = ws.V[frame.body];
  Motion<double> out{V.w, velocityAt(V, originOf(frame))};
  if (const RotorInfo* rotor = rotorOf(*model_, frame))
    out.w += rotorAxis(*model_, ws, *rotor) * rotor->rate(state_.u.data());
  return out;
}

Motion<double> ModelDynamics::frameAcceleration(const FrameInfo& frame,
                                                const Eigen::VectorXd& udot) const {
  const Workspace<double>& ws = query_.kinematics();
  const std::vector<double> all = query_.spanningAcceleration(udot);
  const auto b = static_cast<std::size_t>(frame.body);
  AlignedArray<Motion<double>> A(static_cast<std::size_t>(model_->nb()));
  accelerations(model_->topology, ws, all.data(), A.data());
  Motion<double> out{A[b].w, accelerationAt(ws.V[b], A[b], originOf(frame))};
  if (const RotorInfo* rotor = rotorOf(*model_, frame)) {
    const Vec3d axis = rotorAxis(*model_, ws, *rotor);
    out.w += axis * rotor->rate(all.data()) + cross(ws.V[b].w, axis) * rotor->rate(state_.u.data());
  }
  return out;
}

MatDyn ModelDynamics::frameJacobian(const FrameInfo& frame) const {
  Eigen::MatrixXd linear = Eigen::MatrixXd::Zero(3, model_->publicNv), angular = linear;
  const Vec3d r = originOf(frame);
  query_.jacobian(frame.body, &r, linear);
  query_.jacobian(frame.body, nullptr, angular);
  if (const RotorInfo* rotor = rotorOf(*model_, frame)) {
    const Vec3d axis = rotorAxis(*model_, query_.kinematics(), *rotor);
    for (const RotorInfo::Term& term : rotor->terms)
      query_.addRate(term.u, axis * term.factor, angular);
  }
  MatDyn J(6, model_->publicNv);
  J << angular, linear;
  return J;
}

MatDyn ModelDynamics::frameJacobianRate(const FrameInfo& frame) const {
  requireNoRotor(frame);
  Eigen::MatrixXd linear = Eigen::MatrixXd::Zero(3, model_->publicNv), angular = linear;
  SparseJacobian columns;
  const Vec3d r = originOf(frame);
  query_.jacobianRate(frame.body, &r, columns);
  columns.fill(linear);
  query_.jacobianRate(frame.body, nullptr, columns);
  columns.fill(angular);
  MatDyn J(6, model_->publicNv);
  J << angular, linear;
  return J;
}

MatDyn ModelDynamics::inverseOperationalInertia(const std::vector<const FrameInfo*>& frames) const {
  std::vector<BodyWrench> rows;
  for (const FrameInfo* frame : frames) {
    requireNoRotor(*frame);
    OperationalQuery::addRows(frame->body, originOf(*frame), identity3<double>(), rows);
  }
  return OperationalQuery(*model_, parameters(), state_.q.data(), state_.u.data())
      .inverseInertia(rows);
}

}  // namespace espalier
