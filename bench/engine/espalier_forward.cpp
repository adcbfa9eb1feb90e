#include "bench/engine/espalier_forward.h"

#include "espalier/dynamics/factor.h"
#include "espalier/dynamics/inverse_dynamics.h"
#include "espalier/dynamics/kinematics.h"

namespace bench {

using namespace espalier;

ForwardDynamics::ForwardDynamics(const Model& model)
    : model_(model),
      branches_(model.topology, model.lowered),
      aba_(model.topology),
      ws_(model.topology),
      out_(static_cast<std::size_t>(model.nv())) {
  if (model.mechanism) loops_.emplace(model.topology, *model.mechanism);
}

const double* ForwardDynamics::operator()(const Vec3d& gravity, const double* q, const double* u,
                                          const double* tau) {
  if (loops_)
    project(gravity, q, u, tau);
  else if (branches_.isWorthIt())
    branches_.aba(gravity, q, u, tau, aba_, out_.data());
  else
    aba(model_.topology, model_.lowered, gravity, q, u, tau, aba_, out_.data());
  return out_.data();
}

/// M_y udot_y = G'(tau - h - H g), as the step does it.
void ForwardDynamics::project(const Vec3d& gravity, const double* q, const double* u,
                              const double* tau) {
  const Topology& t = model_.topology;
  const Mechanism& m = *model_.mechanism;
  Loops& l = *loops_;
  kinematics(t, model_.lowered, q, u, ws_);
  loopRates(t, m, q, ws_, l.at);
  loopAccelerations(t, m, u, ws_, l.at);
  inverseDynamics(t, model_.lowered, gravity, l.at.g.data(), ws_, l.h.data());
  bodyScrews(t, m, ws_, l.at);
  reducedMassMatrix(t, model_.lowered, m, ws_, l.at, l.solver.H.data());
  factor(m.reduced, l.solver);
  for (int d = 0; d < t.nv; ++d) l.h[d] = tau[d] - l.h[d];
  reduce(m, l.at, l.h.data(), out_.data());
  solve(m.reduced, l.solver, out_.data());
}

}  // namespace bench
