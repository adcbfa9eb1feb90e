#include "apps/cli/answer.h"

#include <cmath>

#include "apps/cli/robot.h"
#include "espalier/dynamics/energy.h"
#include "espalier/dynamics/inverse_dynamics.h"
#include "espalier/dynamics/jacobian.h"
#include "espalier/dynamics/kinematics.h"
#include "espalier/dynamics/mass_matrix.h"

namespace espalier::cli {
namespace {

std::vector<double> permuted(const std::vector<double>& from, const std::vector<int>& place) {
  std::vector<double> to(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) to[place[i]] = from[i];
  return to;
}

/// Columns of a row-major matrix into the authored order.
std::vector<double> permutedColumns(const std::vector<double>& from,
                                    const std::vector<int>& place) {
  const std::size_t n = place.size();
  std::vector<double> to(from.size());
  for (std::size_t k = 0; k < from.size(); ++k) to[k / n * n + place[k % n]] = from[k];
  return to;
}

bool areFinite(const std::vector<double>& numbers) {
  for (double x : numbers)
    if (!std::isfinite(x)) return false;
  return true;
}

}  // namespace

std::vector<double> Computer::dofs(const std::vector<double>& internal) const {
  return permuted(internal, model_.publicDof);
}

Answer Computer::answer(const StateInput& state) {
  const Topology& t = model_.topology;
  const Lowered<double>& par = model_.lowered;
  const std::size_t nv = state.u.size();
  Answer a;
  a.warnings = state.warnings;
  a.q = permuted(state.q, model_.publicCoordinate);
  a.u = dofs(state.u);
  a.tau = dofs(state.tau);

  kinematics(t, par, state.q.data(), state.u.data(), ws_);
  a.kineticEnergy = kineticEnergy(t, par, state.u.data(), ws_);
  a.potentialEnergy = potentialEnergy(t, gravity_, ws_);
  a.com = centreOfMass(t, ws_);

  std::vector<double> h(nv), M(nv * nv), udot(nv);
  bias(t, gravity_, ws_, h.data());
  a.h = dofs(h);
  massMatrix(t, par, ws_);
  unpack(t, ws_.H.data(), M.data());
  a.M.resize(M.size());
  for (std::size_t i = 0; i < nv; ++i)
    for (std::size_t j = 0; j < nv; ++j)
      a.M[model_.publicDof[i] * nv + model_.publicDof[j]] = M[i * nv + j];

  aba(t, par, gravity_, state.q.data(), state.u.data(), state.tau.data(), aba_, udot.data());
  a.udot = dofs(udot);
  if (!areFinite(udot))
    a.warnings.push_back("the mass matrix is singular here: udot is not determined");
  if (!state.udot.empty()) {
    std::vector<double> tau(nv);
    rnea(t, par, gravity_, state.q.data(), state.u.data(), state.udot.data(), scratch_, tau.data());
    a.tauInverse = dofs(tau);
  }
  computeFrames(state.udot.empty() ? udot : state.udot, a);
  return a;
}

/// A point at r from O moving with V, A:  v = V.v + V.w x r,  a = A.v + A.w x r + V.w x v,
/// since A.v is the rate of V.v at a point of space, not of the body.
void Computer::computeFrames(const std::vector<double>& udot, Answer& answer) {
  const Topology& t = model_.topology;
  const std::size_t nv = udot.size();
  std::vector<double> unused(nv);
  inverseDynamics(t, model_.lowered, zero3<double>(), udot.data(), ws_, unused.data());
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
    std::vector<double> J(3 * nv), Jr(3 * nv);
    pointJacobian(t, ws_, frame.body, r, J.data());
    rotationalJacobian(t, ws_, frame.body, Jr.data());
    f.jacobian = permutedColumns(J, model_.publicDof);
    f.rotationalJacobian = permutedColumns(Jr, model_.publicDof);
    answer.frames.push_back(std::move(f));
  }
}

Json toJson(const Model& model, const Answer& a) {
  const int nv = model.nv();
  const auto list = [](const std::vector<double>& x) {
    return toJson(x.data(), static_cast<int>(x.size()));
  };
  Json::array_t joints;
  for (int b : publicBodies(model))
    if (b > 0) joints.push_back(model.bodies[b].joint);
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
  Json result{{"nq", model.nq()},
              {"nv", nv},
              {"joints", joints},
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
  result["frames"] = std::move(frames);
  result["warnings"] = a.warnings;
  return result;
}

}  // namespace espalier::cli
