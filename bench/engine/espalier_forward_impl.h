#pragma once

// The calls themselves. T is double or lanes of it: as many worlds at once.

#include <optional>

#include "espalier/dynamics/loops/reduction.h"
#include "espalier/dynamics/tree/factor.h"
#include "espalier/dynamics/tree/inverse_dynamics.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/model/model.h"
#include "espalier/scalar/instantiate.h"
#include "tests/support/forward_dynamics.h"

namespace bench {

template <class T>
class ForwardDynamics {
 public:
  /// pre  the model outlives this object
  explicit ForwardDynamics(const espalier::Model& model);

  /// in   q [nq], u [nv], tau [nv]  of all joints, internal order; closed and consistent
  /// out  the independent accelerations, [nv] in a tree
  const T* operator()(const espalier::Vec3<T>& gravity, const T* q, const T* u, const T* tau);

 private:
  /// What only a mechanism needs.
  struct Loops {
    Loops(const espalier::Topology& t, const espalier::Mechanism& m)
        : at(t, m), solver(m.reduced), h(static_cast<std::size_t>(t.nv)) {}
    espalier::LoopWorkspace<T> at;
    espalier::Workspace<T> solver;
    espalier::AlignedArray<T> h;
  };
  void project(const espalier::Vec3<T>& gravity, const T* q, const T* u, const T* tau);

  const espalier::Model& model_;
  espalier::Workspace<T> ws_;
  std::optional<Loops> loops_;
  espalier::AlignedArray<T> out_;
};

template <class T>
ForwardDynamics<T>::ForwardDynamics(const espalier::Model& model)
    : model_(model), ws_(model.topology), out_(static_cast<std::size_t>(model.topology.nv)) {
  if (!model.mechanism.isTree()) loops_.emplace(model.topology, model.mechanism);
}

template <class T>
const T* ForwardDynamics<T>::operator()(const espalier::Vec3<T>& gravity, const T* q, const T* u,
                                        const T* tau) {
  if (loops_) {
    project(gravity, q, u, tau);
    return out_.data();
  }
  espalier::testing::forwardDynamics(model_.topology, model_.lowered, gravity, q, u, tau, ws_,
                                     out_.data());
  return out_.data();
}

/// M_y udot_y = G'(tau - h - H g), as the step does it.
template <class T>
void ForwardDynamics<T>::project(const espalier::Vec3<T>& gravity, const T* q, const T* u,
                                 const T* tau) {
  const espalier::Topology& t = model_.topology;
  const espalier::Mechanism& m = model_.mechanism;
  Loops& l = *loops_;
  kinematics(t, model_.lowered, q, u, ws_);
  loopRates(t, m, q, ws_, l.at);
  loopAccelerations(t, m, u, ws_, l.at);
  inverseDynamics(t, model_.lowered, gravity, l.at.g.data(), ws_, l.h.data());
  computeReducedColumns(t, m, ws_, l.at);
  reducedMassMatrix(t, model_.lowered, m, ws_, l.at, l.solver.H.data());
  factor(m.reduced, l.solver);
  for (int d = 0; d < t.nv; ++d) l.h[d] = tau[d] - l.h[d];
  reduce(m, l.at, l.h.data(), out_.data());
  solve(m.reduced, l.solver, out_.data());
}

}  // namespace bench
