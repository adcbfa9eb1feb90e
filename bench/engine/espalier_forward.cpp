#include "bench/engine/espalier_forward.h"

#include "espalier/dynamics/factor.h"
#include "espalier/dynamics/inverse_dynamics.h"
#include "espalier/dynamics/kinematics.h"

namespace bench {

using namespace espalier;

template <class T>
ForwardDynamics<T>::ForwardDynamics(const Model& model)
    : model_(model),
      branches_(model.topology, model.lowered),
      aba_(model.topology),
      ws_(model.topology),
      out_(static_cast<std::size_t>(model.nv())) {
  if (model.mechanism) loops_.emplace(model.topology, *model.mechanism);
}

template <class T>
const T* ForwardDynamics<T>::operator()(const Vec3<T>& gravity, const T* q, const T* u,
                                        const T* tau) {
  if (loops_) {
    project(gravity, q, u, tau);
    return out_.data();
  }
  if constexpr (lanes_v<T> == 1) {  // a robot's branches side by side take the lanes of one world
    if (branches_.isWorthIt()) {
      branches_.aba(gravity, q, u, tau, aba_, out_.data());
      return out_.data();
    }
  }
  aba(model_.topology, model_.lowered, gravity, q, u, tau, aba_, out_.data());
  return out_.data();
}

/// M_y udot_y = G'(tau - h - H g), as the step does it.
template <class T>
void ForwardDynamics<T>::project(const Vec3<T>& gravity, const T* q, const T* u, const T* tau) {
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

template class ForwardDynamics<double>;
template class ForwardDynamics<DoubleLanes>;

}  // namespace bench
