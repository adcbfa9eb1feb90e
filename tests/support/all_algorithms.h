#pragma once

// Every algorithm of dynamics/ in one go, for any scalar: what the lane tests compare and the
// allocation test watches. Plain pointers only, so that it may be compiled for wide registers
// (scripts/check_isa.py).

#include "espalier/dynamics/tree/accelerations.h"
#include "espalier/dynamics/tree/energy.h"
#include "espalier/dynamics/tree/factor.h"
#include "espalier/dynamics/tree/inverse_dynamics.h"
#include "espalier/dynamics/tree/jacobian.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/dynamics/tree/mass_matrix.h"
#include "tests/support/aba.h"
#include "tests/support/forward_dynamics.h"
#include "tests/support/lane_results.h"
#include "tests/support/rnea.h"

namespace espalier::testing {

/// One world's state: q [nq], u, udot, tau [nv].
template <class S>
struct WorldState {
  const S *q, *u, *udot, *tau;
};

template <class T>
class AllAlgorithms {
 public:
  using S = value_t<T>;

  AllAlgorithms(const Topology& t, const Lowered<S>& par)
      : t_(t),
        par_(par),
        q_(t.nq),
        u_(t.nv),
        udot_(t.nv),
        tau_(t.nv),
        ws_(t),
        body_(t),
        after_(t),
        aba_(t),
        h_(t.nv),
        inverse_(t.nv),
        rnea_(t.nv),
        packed_(t.entries()),
        product_(t.nv),
        solved_(t.nv),
        dense_(t.nv * t.nv),
        free_(t.nv),
        forward_(t.nv),
        J_(12 * t.nv),
        A_(t.nb),
        wrenches_(t.nb),
        composites_(t.nb) {}

  /// One state a lane.
  void load(const WorldState<S>* worlds) {
    for (int w = 0; w < lanes_v<T>; ++w) {
      for (int i = 0; i < t_.nq; ++i) setLane(q_[i], w, worlds[w].q[i]);
      for (int i = 0; i < t_.nv; ++i) {
        setLane(u_[i], w, worlds[w].u[i]);
        setLane(udot_[i], w, worlds[w].udot[i]);
        setLane(tau_[i], w, worlds[w].tau[i]);
      }
    }
  }

  void run() {
    const Vec3<T> g{T(S(0.3)), T(S(-0.2)), T(S(-9.81))};
    kinematics(t_, par_, q_.data(), u_.data(), ws_);
    bias(t_, par_, g, ws_, h_.data());
    inverseDynamics(t_, par_, g, udot_.data(), ws_, inverse_.data());
    rnea(t_, par_, g, q_.data(), u_.data(), udot_.data(), body_, rnea_.data());
    massMatrix(t_, par_, ws_);
    for (std::size_t i = 0; i < packed_.size(); ++i) packed_[i] = ws_.H[i];
    multiply(t_, packed_.data(), udot_.data(), product_.data());
    unpack(t_, packed_.data(), dense_.data());
    factor(t_, ws_);
    for (int i = 0; i < t_.nv; ++i) solved_[i] = tau_[i];
    solve(t_, ws_, solved_.data());
    inverse(t_, ws_, dense_.data());
    aba(t_, par_, g, q_.data(), u_.data(), tau_.data(), aba_, free_.data());
    forwardDynamics(t_, par_, g, q_.data(), u_.data(), tau_.data(), after_, forward_.data());
    const int last = t_.nb - 1, rows = 3 * t_.nv;
    const Vec3<T> r = ws_.x[last];
    pointJacobian(t_, ws_, last, r, J_.data());
    rotationalJacobian(t_, ws_, last, J_.data() + rows);
    pointJacobianRate(t_, ws_, u_.data(), last, r, J_.data() + 2 * rows);
    rotationalJacobianRate(t_, ws_, u_.data(), last, J_.data() + 3 * rows);
    accelerations(t_, ws_, udot_.data(), A_.data());
    jointWrenches<T>(t_, ws_, g, A_.data(), nullptr, wrenches_.data());
    compositeInertias(t_, ws_, composites_.data());
    kinetic_ = kineticEnergy(t_, par_, u_.data(), ws_);
    potential_ = potentialEnergy(t_, g, ws_);
    momentum_ = momentum(t_, par_, u_.data(), ws_);
    composite_ = compositeInertia(t_, 0, ws_);
    centre_ = centreOfMass(t_, ws_);
    velocities(t_, udot_.data(), ws_);
  }

  /// Calls f(number) for every result, always in the same order.
  template <class F>
  void forEachResult(F&& f) const {
    const auto vector = [&](const Vec3<T>& v) { f(v.x), f(v.y), f(v.z); };
    const auto motion = [&](const Motion<T>& m) { vector(m.w), vector(m.v); };
    const auto array = [&](const AlignedArray<T>& a) {
      for (std::size_t i = 0; i < a.size(); ++i) f(a[i]);
    };
    for (int i = 0; i < t_.nb; ++i) {
      vector(ws_.R[i].r0), vector(ws_.R[i].r1), vector(ws_.R[i].r2), vector(ws_.x[i]);
      motion(ws_.V[i]), motion(ws_.c[i]);
    }
    for (int d = t_.floating ? 6 : 0; d < t_.nv; ++d) motion(ws_.S[d]);
    for (const AlignedArray<T>* a : {&h_, &inverse_, &rnea_, &packed_, &product_, &ws_.Dinv,
                                     &solved_, &dense_, &free_, &forward_, &J_})
      array(*a);
    f(kinetic_), f(potential_);
    vector(momentum_.n), vector(momentum_.f), vector(centre_);
    const auto inertia = [&](const RigidInertia<T>& I) {
      f(I.m), vector(I.h), f(I.I.xx), f(I.I.xy), f(I.I.xz), f(I.I.yy), f(I.I.yz), f(I.I.zz);
    };
    inertia(composite_);
    for (int i = 0; i < t_.nb; ++i) {
      motion(A_[i]), vector(wrenches_[i].n), vector(wrenches_[i].f), inertia(composites_[i]);
    }
  }

 private:
  const Topology& t_;
  const Lowered<S>& par_;
  AlignedArray<T> q_, u_, udot_, tau_;
  Workspace<T> ws_, body_, after_;
  AbaWorkspace<T> aba_;
  AlignedArray<T> h_, inverse_, rnea_, packed_, product_, solved_, dense_, free_, forward_, J_;
  AlignedArray<Motion<T>> A_;
  AlignedArray<Force<T>> wrenches_;
  AlignedArray<RigidInertia<T>> composites_;
  T kinetic_, potential_;
  Force<T> momentum_;
  RigidInertia<T> composite_;
  Vec3<T> centre_;
};

/// Loads, runs and writes all results, as writeResults() does.
template <class T>
int runAllAlgorithms(const Topology& t, const Lowered<value_t<T>>& par,
                     const WorldState<value_t<T>>* worlds, value_t<T>* const* results) {
  AllAlgorithms<T> all(t, par);
  all.load(worlds);
  all.run();
  return writeResults<T>(all, results);
}

// The same in the widest registers this build knows (tests/property/lanes_v4.cpp), only where
// hasWideRegisters().
int runDoubleLanes_v4(const Topology& t, const Lowered<double>& par,
                      const WorldState<double>* worlds, double* const* results);
int runFloatLanes_v4(const Topology& t, const Lowered<float>& par, const WorldState<float>* worlds,
                     float* const* results);
int widthOfDoubleLanes_v4();
int widthOfFloatLanes_v4();

}  // namespace espalier::testing
