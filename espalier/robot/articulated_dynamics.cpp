#include "espalier/core/check.h"
#include "espalier/dynamics/tree/energy.h"
#include "espalier/dynamics/tree/mass_matrix.h"
#include "espalier/robot/articulated_order.h"
#include "espalier/robot/articulated_system.h"
#include "espalier/robot/dynamics_query.h"
#include "espalier/step/step_data.h"

namespace espalier {

using namespace authored_order;

namespace {

std::vector<double> numbers(int n) { return std::vector<double>(static_cast<std::size_t>(n)); }

/// What the step takes implicitly of motors, springs, dampers and controllers: M~ = M + diag w + W.
struct ImplicitTerms {
  ImplicitTerms(const System& sys, Scheme scheme, double dt) {
    const Topology& t = sys.topology();
    const Actuation& a = sys.actuation;
    const ImplicitWeights weights = implicitWeights(scheme, dt);
    const bool pd = a.mode == ControlMode::PD_PLUS_FEEDFORWARD_TORQUE;
    for (int d = 0; d < t.nv; ++d) {
      const bool driven = pd && !(t.floating && d < 6);
      w.push_back(weights.damping * (a.damping[d] + (driven ? a.kd[d] : 0)) +
                  weights.stiffness * (a.stiffness[d] + (driven ? a.kp[d] : 0)));
    }
    if (!a.hasControl || !sys.model->mechanism.isTree()) return;
    for (int i = 0; i < t.entries(); ++i) W.push_back(weights.damping * a.controlImpedance[i]);
  }

  std::vector<double> w;  ///< [nv] spanning
  std::vector<double> W;  ///< packed as M; empty without controllers, which trees alone have
};

}  // namespace

// ---- M

MatDyn ArticulatedSystem::getMassMatrix() const {
  return DynamicsQuery(system_, coordinatesNow(), velocitiesNow()).massMatrix();
}
MatDyn ArticulatedSystem::getInverseMassMatrix() const {
  return DynamicsQuery(system_, coordinatesNow(), velocitiesNow()).inverseMassMatrix();
}
MatDyn ArticulatedSystem::getDampedMassMatrix() const {
  const ImplicitTerms added(system_, world_.scheme, world_.dt);
  return DynamicsQuery(system_, coordinatesNow(), velocitiesNow())
      .massMatrix(added.w.data(), added.W.empty() ? nullptr : added.W.data());
}
MatDyn ArticulatedSystem::getDampedInverseMassMatrix() const {
  const ImplicitTerms added(system_, world_.scheme, world_.dt);
  return DynamicsQuery(system_, coordinatesNow(), velocitiesNow())
      .inverseMassMatrix(added.w.data(), added.W.empty() ? nullptr : added.W.data());
}
void ArticulatedSystem::massMatrixVecMul(const Eigen::VectorXd& u, Eigen::VectorXd& Mu) const {
  if (!model().mechanism.isTree()) {
    check(u, model().publicDof, "the vector");
    Mu = getMassMatrix() * u;
    return;
  }
  std::vector<double> x = numbers(getDOF()), y = numbers(getDOF());
  scatter(u, model().publicDof, "the vector", x.data());
  Workspace<double> ws = workspaceNow();
  massMatrix(model().topology, system_.parameters, ws);
  multiply(model().topology, ws.H.data(), x.data(), y.data());
  gather(y.data(), model().publicDof, Mu);
}
VecDyn ArticulatedSystem::getGeneralizedMomentum() const {
  VecDyn momentum;
  massMatrixVecMul(getGeneralizedVelocity(), momentum);
  return momentum;
}

// ---- M udot + h = tau

VecDyn ArticulatedSystem::getNonlinearities() const { return getNonlinearities(world_.gravity); }
VecDyn ArticulatedSystem::getNonlinearities(const Vec<3>& gravity) const {
  return DynamicsQuery(system_, coordinatesNow(), velocitiesNow()).nonlinearities(gravity);
}
VecDyn ArticulatedSystem::computeForwardDynamics(const Eigen::VectorXd& tau) const {
  return DynamicsQuery(system_, coordinatesNow(), velocitiesNow())
      .forwardDynamics(world_.gravity, tau);
}
VecDyn ArticulatedSystem::getUdot() const { return computeForwardDynamics(getGeneralizedForce()); }
VecDyn ArticulatedSystem::computeInverseDynamics(const Eigen::VectorXd& udot) const {
  return DynamicsQuery(system_, coordinatesNow(), velocitiesNow())
      .inverseDynamics(world_.gravity, udot);
}

// ---- energy

double ArticulatedSystem::getKineticEnergy() const {
  return kineticEnergy(model().topology, system_.parameters, velocitiesNow(), kinematicsNow());
}
double ArticulatedSystem::getPotentialEnergy() const { return getPotentialEnergy(world_.gravity); }
double ArticulatedSystem::getPotentialEnergy(const Vec<3>& gravity) const {
  return potentialEnergy(model().topology, static_cast<Vec3d>(gravity), kinematicsNow());
}
double ArticulatedSystem::getEnergy() const { return getKineticEnergy() + getPotentialEnergy(); }
double ArticulatedSystem::getEnergy(const Vec<3>& gravity) const {
  return getKineticEnergy() + getPotentialEnergy(gravity);
}

}  // namespace espalier
