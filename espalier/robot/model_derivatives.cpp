// Derivatives of the equation of motion of a model by itself: inverse dynamics in dual numbers, one
// direction at a time.

#include <Eigen/LU>

#include "espalier/core/check.h"
#include "espalier/dynamics/loops/reduction.h"
#include "espalier/dynamics/tree/inverse_dynamics.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/model/coordinates.h"
#include "espalier/robot/articulated_order.h"
#include "espalier/robot/model_dynamics.h"
#include "espalier/scalar/dual.h"

namespace espalier {
namespace {

using D = Dual<double>;

/// tau(q, u, udot) and its derivative along one direction.
class DualInverseDynamics {
 public:
  DualInverseDynamics(const Model& model, const SpanningState& state, const Eigen::VectorXd& udot,
                      const Vec3d& gravity)
      : model_(model),
        state_(state),
        gravity_(bc<D>(gravity)),
        q_(state.q.size()),
        u_(state.u.size()),
        a_(state.u.size()),
        tau_(state.u.size()),
        ws_(model.topology),
        at_(model.topology, model.mechanism),
        ydot_(static_cast<std::size_t>(model.mechanism.reduced.nv)) {
    for (std::size_t i = 0; i < ydot_.size(); ++i) ydot_[i] = D(udot[placeOfY(i)], 0);
  }

  /// out  column  d tau for steps dq [nv] of all joints, which keep the loops closed, and du [nv],
  ///              of which the independent joints are read; null: none
  void along(const double* dq, const double* du, Eigen::Ref<Eigen::VectorXd> column) {
    const Topology& t = model_.topology;
    AlignedArray<D> step(u_.size());
    for (std::size_t i = 0; i < q_.size(); ++i) q_[i] = D(state_.q[i], 0);
    for (std::size_t d = 0; d < u_.size(); ++d) {
      u_[d] = D(state_.u[d], du ? du[d] : 0);
      step[d] = D(0, dq ? dq[d] : 0);
    }
    advance(t, q_.data(), step.data(), q_.data());
    kinematics(t, model_.lowered, q_.data(), u_.data(), ws_);
    closeRates();
    espalier::inverseDynamics(t, model_.lowered, gravity_, a_.data(), ws_, tau_.data());
    std::vector<D> y(ydot_.size());
    reduce(model_.mechanism, at_, tau_.data(), y.data());
    for (std::size_t i = 0; i < y.size(); ++i) column[placeOfY(i)] = y[i].d;
  }

 private:
  int placeOfY(std::size_t i) const { return model_.publicDof[model_.mechanism.dofOfY[i]]; }
  /// G, and with it u of the dependent joints, g and udot of all joints.
  void closeRates() {
    const Mechanism& m = model_.mechanism;
    loopRates(model_.topology, m, q_.data(), ws_, at_);
    dependentRates(m, at_, u_.data());
    velocities(model_.topology, u_.data(), ws_);
    loopAccelerations(model_.topology, m, u_.data(), ws_, at_);
    expand(m, at_, ydot_.data(), a_.data());
    for (std::size_t d = 0; d < u_.size(); ++d) a_[d] += at_.g[d];
  }

  const Model& model_;
  const SpanningState& state_;
  const Vec3<D> gravity_;
  AlignedArray<D> q_, u_, a_, tau_;
  Workspace<D> ws_;
  LoopWorkspace<D> at_;
  std::vector<D> ydot_;
};

}  // namespace

DynamicsDerivatives ModelDynamics::inverseDynamicsDerivatives(const Eigen::VectorXd& udot,
                                                              const Vec3d& gravity) const {
  authored_order::check(udot, model_->publicDof, "udot");
  DualInverseDynamics dual(*model_, state_, udot, gravity);
  const int n = model_->publicNv;
  DynamicsDerivatives out{MatDyn(n, n), MatDyn(n, n), massMatrix()};
  const Eigen::MatrixXd G = query_.spanningRates();
  for (int j = 0; j < n; ++j) {
    dual.along(G.col(j).data(), nullptr, out.byQ.col(j));
    dual.along(nullptr, G.col(j).data(), out.byU.col(j));
  }
  return out;
}

DynamicsDerivatives ModelDynamics::forwardDynamicsDerivatives(const Eigen::VectorXd& tau,
                                                              const Vec3d& gravity) const {
  ESPALIER_REQUIRE(model_->bilateral.isEmpty(),
                   "model '" + model_->name +
                       "' has bilateral loops, of which there are no derivatives; compile it with "
                       "embedded ones");
  const VecDyn udot = forwardDynamics(tau, gravity);
  DynamicsDerivatives out = inverseDynamicsDerivatives(udot, gravity);
  out.byInput = inverseMassMatrix();
  out.byQ = MatDyn(-(out.byInput * out.byQ));
  out.byU = MatDyn(-(out.byInput * out.byU));
  return out;
}

}  // namespace espalier
