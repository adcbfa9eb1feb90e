#include "espalier/world/articulated_system.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "espalier/core/check.h"
#include "espalier/dynamics/energy.h"
#include "espalier/dynamics/factor.h"
#include "espalier/dynamics/forward_dynamics.h"
#include "espalier/dynamics/inverse_dynamics.h"
#include "espalier/dynamics/jacobian.h"
#include "espalier/dynamics/kinematics.h"
#include "espalier/dynamics/mass_matrix.h"
#include "espalier/model/coordinates.h"
#include "espalier/world/world_data.h"

namespace espalier {
namespace {

void check(const Eigen::VectorXd& v, const std::vector<int>& place, const char* what) {
  ESPALIER_REQUIRE(v.size() == static_cast<Eigen::Index>(place.size()),
                   std::string(what) + " has " + std::to_string(v.size()) + " numbers, not " +
                       std::to_string(place.size()));
  ESPALIER_REQUIRE(v.allFinite(), std::string(what) + " must be finite");
}

/// v in the authored order -> to in internal order.
void scatter(const Eigen::VectorXd& v, const std::vector<int>& place, const char* what,
             double* to) {
  check(v, place, what);
  for (std::size_t i = 0; i < place.size(); ++i) to[i] = v[place[i]];
}

void gather(const double* from, const std::vector<int>& place, Eigen::VectorXd& v) {
  v.resize(static_cast<Eigen::Index>(place.size()));
  for (std::size_t i = 0; i < place.size(); ++i) v[place[i]] = from[i];
}
Eigen::VectorXd gather(const double* from, const std::vector<int>& place) {
  Eigen::VectorXd v;
  gather(from, place, v);
  return v;
}

Eigen::Vector3d toEigen(const Vec3d& v) { return {v.x, v.y, v.z}; }

/// A square matrix [nv][nv] in the authored order.
Eigen::MatrixXd reorderBoth(const Model& m, const std::vector<double>& dense) {
  Eigen::MatrixXd M(m.nv(), m.nv());
  for (int i = 0; i < m.nv(); ++i)
    for (int j = 0; j < m.nv(); ++j)
      M(m.publicDof[static_cast<std::size_t>(i)], m.publicDof[static_cast<std::size_t>(j)]) =
          dense[static_cast<std::size_t>(i * m.nv() + j)];
  return M;
}

/// Rows [count][nv] with their columns in the authored order.
Eigen::MatrixXd reorder(const Model& m, const std::vector<double>& rows, Eigen::Index count) {
  Eigen::MatrixXd J(count, m.nv());
  for (Eigen::Index r = 0; r < count; ++r)
    for (int d = 0; d < m.nv(); ++d)
      J(r, m.publicDof[static_cast<std::size_t>(d)]) =
          rows[static_cast<std::size_t>(r * m.nv() + d)];
  return J;
}

}  // namespace

/// Between integrate1 and integrate2 the step's own kinematics (the evaluation point's), which
/// must not be overwritten; else those of the present state.
const Workspace<double>& ArticulatedSystem::kinematicsNow() const {
  System& sys = system_;
  if (!world_.isBetween)
    kinematics(sys.topology(), sys.parameters, world_.qOf(sys), world_.uOf(sys), sys.ws);
  return sys.ws;
}

const double* ArticulatedSystem::coordinatesNow() const {
  const System& sys = system_;
  return world_.isBetween ? sys.qm.data() : world_.qOf(sys);
}

const std::string& ArticulatedSystem::getName() const { return model().name; }
const Model& ArticulatedSystem::model() const { return *system_.model; }
int ArticulatedSystem::getDOF() const { return model().nv(); }
int ArticulatedSystem::getGeneralizedCoordinateDim() const { return model().nq(); }

std::vector<std::string> ArticulatedSystem::getMovableJointNames() const {
  std::vector<std::pair<int, std::string>> named;
  for (int b = 1; b < model().nb(); ++b)
    named.emplace_back(model().publicDof[static_cast<std::size_t>(model().topology.bodies[b].u)],
                       model().bodies[static_cast<std::size_t>(b)].joint);
  std::sort(named.begin(), named.end());
  std::vector<std::string> names;
  for (auto& [place, name] : named) names.push_back(std::move(name));
  return names;
}

void ArticulatedSystem::setGeneralizedCoordinate(const Eigen::VectorXd& q) {
  ESPALIER_REQUIRE(!world_.isBetween, "finish the step with integrate2() first");
  double* to = world_.qOf(system_);
  scatter(q, model().publicCoordinate, "the generalized coordinate", to);
  makeUnit(system_, to);
  world_.knowsEnergy = false;
}
void ArticulatedSystem::setGeneralizedVelocity(const Eigen::VectorXd& u) {
  ESPALIER_REQUIRE(!world_.isBetween, "finish the step with integrate2() first");
  scatter(u, model().publicDof, "the generalized velocity", world_.uOf(system_));
  world_.knowsEnergy = false;
}
void ArticulatedSystem::setState(const Eigen::VectorXd& q, const Eigen::VectorXd& u) {
  check(u, model().publicDof, "the generalized velocity");  // before q is changed
  setGeneralizedCoordinate(q);
  setGeneralizedVelocity(u);
}
void ArticulatedSystem::getState(Eigen::VectorXd& q, Eigen::VectorXd& u) const {
  gather(world_.qOf(system_), model().publicCoordinate, q);
  gather(world_.uOf(system_), model().publicDof, u);
}
Eigen::VectorXd ArticulatedSystem::getGeneralizedCoordinate() const {
  return gather(world_.qOf(system_), model().publicCoordinate);
}
Eigen::VectorXd ArticulatedSystem::getGeneralizedVelocity() const {
  return gather(world_.uOf(system_), model().publicDof);
}

void ArticulatedSystem::setControlMode(ControlMode mode) { system_.actuation.mode = mode; }

void ArticulatedSystem::setPdGains(const Eigen::VectorXd& kp, const Eigen::VectorXd& kd) {
  check(kp, model().publicDof, "kp");
  check(kd, model().publicDof, "kd");
  ESPALIER_REQUIRE((kp.array() >= 0).all() && (kd.array() >= 0).all(),
                   "gains must not be negative");
  scatter(kp, model().publicDof, "kp", system_.actuation.kp.data());
  scatter(kd, model().publicDof, "kd", system_.actuation.kd.data());
}
void ArticulatedSystem::setPdTarget(const Eigen::VectorXd& q, const Eigen::VectorXd& u) {
  check(u, model().publicDof, "the velocity target");
  double* to = system_.actuation.targetQ.data();
  scatter(q, model().publicCoordinate, "the position target", to);
  normalize(model().topology, to);
  scatter(u, model().publicDof, "the velocity target", system_.actuation.targetU.data());
}
void ArticulatedSystem::setGeneralizedForce(const Eigen::VectorXd& tau) {
  scatter(tau, model().publicDof, "the generalized force", system_.actuation.feedforward.data());
}
Eigen::VectorXd ArticulatedSystem::getAppliedGeneralizedForce() const {
  return gather(system_.applied.data(), model().publicDof);
}
void ArticulatedSystem::setActuationLimits(const Eigen::VectorXd& upper,
                                           const Eigen::VectorXd& lower) {
  ESPALIER_REQUIRE(upper.size() == getDOF() && lower.size() == getDOF(),
                   "actuation limits have one number for each dof");
  for (int d = 0; d < getDOF(); ++d)
    ESPALIER_REQUIRE(lower[d] <= upper[d], "actuation limits of dof " + std::to_string(d) + ": " +
                                               std::to_string(lower[d]) + " is not below " +
                                               std::to_string(upper[d]));
  for (int d = 0; d < getDOF(); ++d) {
    const int place = model().publicDof[static_cast<std::size_t>(d)];
    system_.actuation.upper[static_cast<std::size_t>(d)] = upper[place];
    system_.actuation.lower[static_cast<std::size_t>(d)] = lower[place];
  }
}

void ArticulatedSystem::setExternalForce(int body, const Vec3d& force, const Vec3d& point) {
  ESPALIER_REQUIRE(body >= 0 && body < model().nb(), "there is no body " + std::to_string(body));
  ESPALIER_REQUIRE(std::isfinite(norm(force)) && std::isfinite(norm(point)),
                   "a force and its point must be finite");
  system_.external[static_cast<std::size_t>(body)] += Force<double>{cross(point, force), force};
  system_.hasExternal = true;
}
void ArticulatedSystem::setExternalTorque(int body, const Vec3d& torque) {
  ESPALIER_REQUIRE(body >= 0 && body < model().nb(), "there is no body " + std::to_string(body));
  ESPALIER_REQUIRE(std::isfinite(norm(torque)), "a torque must be finite");
  system_.external[static_cast<std::size_t>(body)] += Force<double>{torque, {0, 0, 0}};
  system_.hasExternal = true;
}

Eigen::MatrixXd ArticulatedSystem::getMassMatrix() const {
  const Topology& t = model().topology;
  Workspace<double> ws(t);
  kinematics(t, system_.parameters, coordinatesNow(), world_.uOf(system_), ws);
  massMatrix(t, system_.parameters, ws);
  std::vector<double> dense(static_cast<std::size_t>(t.nv * t.nv));
  unpack(t, ws.H.data(), dense.data());
  return reorderBoth(model(), dense);
}
Eigen::MatrixXd ArticulatedSystem::getInverseMassMatrix() const {
  const Topology& t = model().topology;
  Workspace<double> ws(t);
  kinematics(t, system_.parameters, coordinatesNow(), world_.uOf(system_), ws);
  massMatrix(t, system_.parameters, ws);
  factor(t, ws);
  std::vector<double> dense(static_cast<std::size_t>(t.nv * t.nv));
  inverse(t, ws, dense.data());
  return reorderBoth(model(), dense);
}
Eigen::VectorXd ArticulatedSystem::getNonlinearities() const {
  const Topology& t = model().topology;
  Workspace<double> ws(t);
  std::vector<double> h(static_cast<std::size_t>(t.nv));
  kinematics(t, system_.parameters, coordinatesNow(), world_.uOf(system_), ws);
  bias(t, world_.gravity, ws, h.data());
  return gather(h.data(), model().publicDof);
}
Eigen::VectorXd ArticulatedSystem::computeForwardDynamics(const Eigen::VectorXd& tau) const {
  const Topology& t = model().topology;
  Workspace<double> ws(t);
  std::vector<double> f(static_cast<std::size_t>(t.nv)), udot(f.size());
  scatter(tau, model().publicDof, "tau", f.data());
  forwardDynamics(t, system_.parameters, world_.gravity, coordinatesNow(), world_.uOf(system_),
                  f.data(), ws, udot.data());
  return gather(udot.data(), model().publicDof);
}

double ArticulatedSystem::getKineticEnergy() const {
  return kineticEnergy(model().topology, system_.parameters, world_.uOf(system_), kinematicsNow());
}
double ArticulatedSystem::getPotentialEnergy() const {
  return potentialEnergy(model().topology, world_.gravity, kinematicsNow());
}
Eigen::Vector3d ArticulatedSystem::getLinearMomentum() const {
  return toEigen(momentum(model().topology, kinematicsNow()).f);
}
Eigen::Vector3d ArticulatedSystem::getCOM() const {
  return toEigen(centreOfMass(model().topology, kinematicsNow()));
}
double ArticulatedSystem::getTotalMass() const { return model().mass; }

int ArticulatedSystem::getFrameIdxByName(const std::string& name) const {
  return model().frame(name);
}
int ArticulatedSystem::getBodyIdx(const std::string& link) const { return model().body(link); }

namespace {

const FrameInfo& frameAt(const Model& model, int frame) {
  ESPALIER_REQUIRE(frame >= 0 && frame < static_cast<int>(model.frames.size()),
                   "there is no frame " + std::to_string(frame));
  return model.frames[static_cast<std::size_t>(frame)];
}

/// Origin of a frame from the common origin, world axes.
Vec3d fromOrigin(const FrameInfo& f, const Workspace<double>& ws) {
  return ws.x[static_cast<std::size_t>(f.body)] +
         mul(ws.R[static_cast<std::size_t>(f.body)], f.X_CF.p);
}

}  // namespace

Transformd ArticulatedSystem::getFramePose(int frame) const {
  const FrameInfo& f = frameAt(model(), frame);
  const Workspace<double>& ws = kinematicsNow();
  const auto b = static_cast<std::size_t>(f.body);
  return Transformd{ws.R[b], ws.origin + ws.x[b]} * f.X_CF;
}
Vec3d ArticulatedSystem::getFrameVelocity(int frame) const {
  const FrameInfo& f = frameAt(model(), frame);
  const Workspace<double>& ws = kinematicsNow();
  return velocityAt(ws.V[static_cast<std::size_t>(f.body)], fromOrigin(f, ws));
}
Vec3d ArticulatedSystem::getFrameAngularVelocity(int frame) const {
  const FrameInfo& f = frameAt(model(), frame);
  return kinematicsNow().V[static_cast<std::size_t>(f.body)].w;
}
Eigen::MatrixXd ArticulatedSystem::getDenseFrameJacobian(int frame) const {
  const FrameInfo& f = frameAt(model(), frame);
  const Workspace<double>& ws = kinematicsNow();
  std::vector<double> J(static_cast<std::size_t>(3 * getDOF()));
  pointJacobian(model().topology, ws, f.body, fromOrigin(f, ws), J.data());
  return reorder(model(), J, 3);
}
Eigen::MatrixXd ArticulatedSystem::getDenseFrameRotationalJacobian(int frame) const {
  const FrameInfo& f = frameAt(model(), frame);
  std::vector<double> J(static_cast<std::size_t>(3 * getDOF()));
  rotationalJacobian(model().topology, kinematicsNow(), f.body, J.data());
  return reorder(model(), J, 3);
}
Transformd ArticulatedSystem::getBodyPose(int body) const {
  ESPALIER_REQUIRE(body >= 0 && body < model().nb(), "there is no body " + std::to_string(body));
  const Workspace<double>& ws = kinematicsNow();
  const auto b = static_cast<std::size_t>(body);
  return {mul(ws.R[b], transpose(model().bodies[b].R_LC)), ws.origin + ws.x[b]};
}

double ArticulatedSystem::getLowestCollisionPoint() const {
  const Workspace<double>& ws = kinematicsNow();
  double lowest = std::numeric_limits<double>::infinity();
  for (const CollisionInfo& c : model().collisions) {
    const auto b = static_cast<std::size_t>(c.body);
    lowest =
        std::min(lowest, lowestPoint(c.shape, Transformd{ws.R[b], ws.origin + ws.x[b]} * c.X_CG));
  }
  return lowest;
}

}  // namespace espalier
