#include "apps/cli/answer.h"

#include <cmath>

#include "apps/cli/closing.h"
#include "apps/cli/robot.h"
#include "espalier/core/check.h"
#include "espalier/dynamics/loops/reduction.h"
#include "espalier/dynamics/tree/energy.h"
#include "espalier/dynamics/tree/factor.h"
#include "espalier/dynamics/tree/inverse_dynamics.h"
#include "espalier/dynamics/tree/jacobian.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/dynamics/tree/mass_matrix.h"

namespace espalier::cli {
namespace {

/// Columns of a row-major matrix into the authored order.
std::vector<double> permutedColumns(const std::vector<double>& from,
                                    const std::vector<int>& place) {
  const std::size_t n = place.size();
  std::vector<double> to(from.size());
  for (std::size_t k = 0; k < from.size(); ++k) to[k / n * n + place[k % n]] = from[k];
  return to;
}

std::vector<double> rowsOf(const Eigen::MatrixXd& m) {
  std::vector<double> rows;
  for (Eigen::Index i = 0; i < m.rows(); ++i)
    for (Eigen::Index j = 0; j < m.cols(); ++j) rows.push_back(m(i, j));
  return rows;
}

Eigen::Map<const Eigen::VectorXd> vector(const std::vector<double>& x) {
  return {x.data(), static_cast<Eigen::Index>(x.size())};
}
std::vector<double> list(const Eigen::VectorXd& x) { return {x.data(), x.data() + x.size()}; }

/// To coordinates of all joints, and the rates of the independent ones.
void move(ArticulatedSystem& system, const std::vector<double>& q, const std::vector<double>& u) {
  system.setSpanningCoordinate(vector(q));
  system.setGeneralizedVelocity(vector(u));
}

/// A rotor's frame turns against its carrier, about an axis through its origin.
///   in  a  its axis in the world;  w  of the carrier
void turn(const RotorInfo& rotor, const Vec3d& a, const Vec3d& w, const JointMotion& joints,
          FrameAnswer& f) {
  const double rate = rotor.rate(joints.u.data());
  f.X_WF.R = mul(f.X_WF.R, rotation(expQuat(rotor.axis * rotor.angle(joints.q.data()))));
  f.angularVelocity += a * rate;
  f.angularAcceleration += a * rotor.rate(joints.udot.data()) + cross(w, a) * rate;
}
/// Its terms beyond a tree's Jacobian.
void addColumns(const Model& model, const RotorInfo& rotor, const Vec3d& a,
                std::vector<double>& rotationalJacobian) {
  const double axis[] = {a.x, a.y, a.z};
  for (const RotorInfo::Term& term : rotor.terms)
    for (int row = 0; row < 3; ++row)
      rotationalJacobian[row * model.publicNv + model.publicDof[term.u]] += axis[row] * term.factor;
}

bool areFinite(const std::vector<double>& numbers) {
  for (double x : numbers)
    if (!std::isfinite(x)) return false;
  return true;
}

}  // namespace

std::vector<double> Computer::dofs(const std::vector<double>& internal) const {
  return inOrder(internal, model_.publicDof);
}

Answer Computer::answer(const StateInput& state) {
  Answer a;
  a.warnings = state.warnings;
  a.q = inOrder(state.q, model_.publicCoordinate);
  a.u = dofs(state.u);
  a.tau = dofs(state.tau);
  const JointMotion joints = !model_.hasLoops()          ? answerTree(state, a)
                             : model_.mechanism.isTree() ? answerRows(state, a)
                                                         : answerLoops(state, a);
  a.potentialEnergy = potentialEnergy(model_.topology, gravity_, ws_);
  a.com = centreOfMass(model_.topology, ws_);
  if (!areFinite(a.udot))
    a.warnings.push_back("the mass matrix is singular here: udot is not determined");
  computeFrames(joints, a);
  computeTendons(joints, a);
  return a;
}

/// Leaves ws_ at the state.
JointMotion Computer::answerTree(const StateInput& state, Answer& a) {
  const Topology& t = model_.topology;
  const Lowered<double>& par = model_.lowered;
  const std::size_t nv = state.u.size();
  kinematics(t, par, state.q.data(), state.u.data(), ws_);
  a.kineticEnergy = kineticEnergy(t, par, state.u.data(), ws_);

  std::vector<double> h(nv), M(nv * nv), udot(nv);
  bias(t, par, gravity_, ws_, h.data());
  a.h = dofs(h);
  massMatrix(t, par, ws_);
  unpack(t, ws_.H.data(), M.data());
  a.M.resize(M.size());
  for (std::size_t i = 0; i < nv; ++i)
    for (std::size_t j = 0; j < nv; ++j)
      a.M[model_.publicDof[i] * nv + model_.publicDof[j]] = M[i * nv + j];

  factor(t, ws_);
  for (std::size_t i = 0; i < nv; ++i) udot[i] = state.tau[i] - h[i];
  solve(t, ws_, udot.data());
  a.udot = dofs(udot);
  if (state.udot.empty()) return {state.q, state.u, udot};
  std::vector<double> tau(nv);
  inverseDynamics(t, par, gravity_, state.udot.data(), ws_, tau.data());
  a.tauInverse = dofs(tau);
  return {state.q, state.u, state.udot};
}

Computer::InWorld::InWorld(const Model& model, const Vec3d& gravity)
    : system(world.addArticulatedSystem(std::make_shared<const Model>(model))),
      at(model.topology, model.mechanism) {
  world.setGravity(Vec<3>(gravity));
}

/// The same where rows of the contact problem keep all loops: M and h are the tree's, u and udot are
/// as the loops allow.
JointMotion Computer::answerRows(const StateInput& state, Answer& a) {
  ArticulatedSystem& system = *inWorld_->system;
  move(system, inOrder(state.q, model_.spanningCoordinate), a.u);
  StateInput closed = state;
  a.q = list(system.getGeneralizedCoordinate());
  a.u = list(system.getGeneralizedVelocity());
  for (std::size_t i = 0; i < closed.q.size(); ++i) closed.q[i] = a.q[model_.publicCoordinate[i]];
  for (std::size_t d = 0; d < closed.u.size(); ++d) closed.u[d] = a.u[model_.publicDof[d]];
  answerTree(closed, a);
  a.udot = list(system.computeForwardDynamics(vector(a.tau)));
  std::vector<double> udot = state.udot;
  if (udot.empty())
    for (const int d : model_.publicDof) udot.push_back(a.udot[d]);
  a.loops = LoopAnswer{inOrder(closed.q, model_.spanningCoordinate),
                       inOrder(closed.u, model_.spanningDof), inOrder(udot, model_.spanningDof),
                       system.getClosureResidual()};
  return {closed.q, closed.u, udot};
}

/// The same with closed loops: u and udot of the dependent joints follow those of the others.
JointMotion Computer::answerLoops(const StateInput& state, Answer& a) {
  const Topology& t = model_.topology;
  const Mechanism& m = model_.mechanism;
  ArticulatedSystem& system = *inWorld_->system;
  move(system, inOrder(state.q, model_.spanningCoordinate), a.u);
  a.M = rowsOf(system.getMassMatrix());
  ESPALIER_REQUIRE(areFinite(a.M), "robot '" + system.getName() +
                                       "': where it is now its independent joints do not determine "
                                       "how the others move; set other coordinates first");
  a.h = list(system.getNonlinearities());
  a.udot = list(system.computeForwardDynamics(vector(a.tau)));
  if (!state.udot.empty())
    a.tauInverse = list(system.computeInverseDynamics(vector(dofs(state.udot))));
  a.kineticEnergy = system.getKineticEnergy();

  std::vector<double> u = state.u, udot(u.size());
  kinematics(t, model_.lowered, state.q.data(), u.data(), ws_);
  loopRates(t, m, state.q.data(), ws_, inWorld_->at);
  dependentRates(m, inWorld_->at, u.data());
  velocities(t, u.data(), ws_);
  loopAccelerations(t, m, u.data(), ws_, inWorld_->at);
  const std::vector<double> given = state.udot.empty() ? a.udot : dofs(state.udot);
  std::vector<double> y;
  for (const int d : m.dofOfY) y.push_back(given[model_.publicDof[d]]);
  expand(m, inWorld_->at, y.data(), udot.data());
  for (std::size_t d = 0; d < udot.size(); ++d) udot[d] += inWorld_->at.g[d];
  a.loops = LoopAnswer{inOrder(state.q, model_.spanningCoordinate), inOrder(u, model_.spanningDof),
                       inOrder(udot, model_.spanningDof), system.getClosureResidual()};
  return {state.q, u, udot};
}

/// A point at r from O moving with V, A:  v = V.v + V.w x r,  a = A.v + A.w x r + V.w x v,
/// since A.v is the rate of V.v at a point of space, not of the body.
void Computer::computeFrames(const JointMotion& joints, Answer& answer) {
  const Topology& t = model_.topology;
  const std::size_t nv = joints.udot.size();
  std::vector<double> unused(nv);
  inverseDynamics(t, model_.lowered, zero3<double>(), joints.udot.data(), ws_, unused.data());
  for (const FrameInfo& frame : model_.frames) {
    const Mat3d& R = ws_.R[frame.body];
    const Vec3d r = ws_.x[frame.body] + mul(R, frame.X_CF.p);
    const Motion<double>&V = ws_.V[frame.body], A = ws_.A[frame.body];
    FrameAnswer f;
    f.X_WF = {mul(R, frame.X_CF.R), ws_.origin + r};
    f.velocity = velocityAt(V, r);
    f.angularVelocity = V.w;
    f.acceleration = velocityAt(A, r) + cross(V.w, f.velocity);
    f.angularAcceleration = A.w;
    if (model_.hasLoops()) {
      f.jacobian = rowsOf(inWorld_->system->getDenseFrameJacobian(frame.name));
      f.rotationalJacobian = rowsOf(inWorld_->system->getDenseFrameRotationalJacobian(frame.name));
    } else {
      std::vector<double> J(3 * nv), Jr(3 * nv);
      pointJacobian(t, ws_, frame.body, r, J.data());
      rotationalJacobian(t, ws_, frame.body, Jr.data());
      f.jacobian = permutedColumns(J, model_.publicDof);
      f.rotationalJacobian = permutedColumns(Jr, model_.publicDof);
    }
    if (frame.rotor >= 0) {
      const RotorInfo& rotor = model_.rotors[frame.rotor];
      const Vec3d axis = mul(R, mul(frame.X_CF.R, rotor.axis));
      turn(rotor, axis, V.w, joints, f);
      if (!model_.hasLoops()) addColumns(model_, rotor, axis, f.rotationalJacobian);
    }
    answer.frames.push_back(std::move(f));
  }
}

void Computer::computeTendons(const JointMotion& joints, Answer& answer) {
  if (model_.tendons.empty()) return;
  ArticulatedSystem& system = *inWorld_->system;
  move(system, inOrder(joints.q, model_.spanningCoordinate), answer.u);
  const Eigen::VectorXd length = system.getTendonLength(), velocity = system.getTendonVelocity();
  const Eigen::MatrixXd J = system.getTendonJacobian();
  for (Eigen::Index i = 0; i < length.size(); ++i)
    answer.tendons.push_back({length[i], velocity[i], rowsOf(J.row(i))});
}

Json toJson(const Model& model, const Answer& a) {
  const int nv = model.publicNv;
  const auto list = [](const std::vector<double>& x) {
    return toJson(x.data(), static_cast<int>(x.size()));
  };
  Json::array_t joints;
  Json::array_t all;
  for (int b : bodiesInOrder(model)) {
    if (b == 0) continue;
    all.push_back(model.bodies[b].joint);
    if (isPublic(model, b)) joints.push_back(model.bodies[b].joint);
  }
  Json frames = Json::object();
  for (std::size_t i = 0; i < a.frames.size(); ++i) {
    const FrameAnswer& f = a.frames[i];
    frames.emplace(model.frames[i].name,
                   Json{{"body", model.bodies[model.frames[i].body].name},
                        {"position", toJson(f.X_WF.p)},
                        {"rotation", toJson(f.X_WF.R)},
                        {"velocity", toJson(f.velocity)},
                        {"angular_velocity", toJson(f.angularVelocity)},
                        {"acceleration", toJson(f.acceleration)},
                        {"angular_acceleration", toJson(f.angularAcceleration)},
                        {"jacobian", toJson(f.jacobian.data(), 3, nv)},
                        {"rotational_jacobian", toJson(f.rotationalJacobian.data(), 3, nv)}});
  }
  Json result{{"nq", model.publicNq},
              {"nv", nv},
              {"joints", joints},
              {"coordinates", coordinateNames(model)},
              {"dofs", dofNames(model)},
              {"q", list(a.q)},
              {"u", list(a.u)},
              {"tau", list(a.tau)},
              {"M", toJson(a.M.data(), nv, nv)},
              {"h", list(a.h)},
              {"udot", list(a.udot)}};
  if (!a.tauInverse.empty()) result["tau_inverse"] = list(a.tauInverse);
  result["kinetic_energy"] = a.kineticEnergy;
  result["potential_energy"] = a.potentialEnergy;
  result["com"] = toJson(a.com);
  if (a.loops)
    result["loops"] = {{"residual", a.loops->residual},
                       {"joints", all},
                       {"coordinates", coordinateNames(model, Joints::All)},
                       {"dofs", dofNames(model, Joints::All)},
                       {"q", list(a.loops->q)},
                       {"u", list(a.loops->u)},
                       {"udot", list(a.loops->udot)}};
  result["frames"] = std::move(frames);
  for (std::size_t i = 0; i < a.tendons.size(); ++i)
    result["tendons"][model.tendons[i].spec.name] = {{"length", a.tendons[i].length},
                                                     {"velocity", a.tendons[i].velocity},
                                                     {"jacobian", list(a.tendons[i].jacobian)}};
  result["warnings"] = a.warnings;
  return result;
}

}  // namespace espalier::cli
