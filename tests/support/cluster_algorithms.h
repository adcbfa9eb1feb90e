#pragma once

// Every recursion over clusters in one go, for any scalar: what the lane test compares and the
// allocation test watches.

#include "espalier/dynamics/cluster_aba.h"
#include "espalier/dynamics/cluster_rnea.h"
#include "espalier/dynamics/kinematics.h"
#include "espalier/dynamics/operational.h"

namespace espalier::testing {

template <class T>
class ClusterAlgorithms {
 public:
  using S = value_t<T>;
  static constexpr int rows = 3;

  ClusterAlgorithms(const Topology& t, const Lowered<S>& par, const Mechanism& m)
      : t_(t),
        par_(par),
        m_(m),
        ws_(t),
        loops_(t, m),
        clusters_(t, m),
        q_(t.nq),
        u_(t.nv),
        tau_(t.nv),
        ydot_(m.reduced.nv),
        udot_(t.nv),
        tauY_(m.reduced.nv),
        z_(rows * m.reduced.nv),
        inverse_(rows * rows),
        response_(m.reduced.nv),
        spanning_(t.nv) {}

  /// q [nq], u and tau [nv] of one lane.
  void load(int lane, const double* q, const double* u, const double* tau) {
    for (int i = 0; i < t_.nq; ++i) setLane(q_[i], lane, static_cast<S>(q[i]));
    for (int i = 0; i < t_.nv; ++i) {
      setLane(u_[i], lane, static_cast<S>(u[i]));
      setLane(tau_[i], lane, static_cast<S>(tau[i]));
    }
  }

  void run() {
    const Vec3<T> g{T(S(0.3)), T(S(-0.2)), T(S(-9.81))};
    kinematics(t_, par_, q_.data(), u_.data(), ws_);
    loopRates(t_, m_, q_.data(), ws_, loops_);
    loopAccelerations(t_, m_, u_.data(), ws_, loops_);
    bodyScrews(t_, m_, ws_, loops_);
    clusterAba(t_, par_, m_, g, tau_.data(), ws_, loops_, clusters_, ydot_.data(), udot_.data());
    clusterRnea(t_, par_, m_, g, ydot_.data(), ws_, loops_, clusters_, tauY_.data());
    const Vec3<T> force{T(S(1)), T(S(-2)), T(S(0.5))};
    BodyWrench<T> wrenches[rows];
    for (int k = 0; k < rows; ++k) {
      const int body = t_.nb - 1 - k % t_.nb;
      wrenches[k] = {body, forceAt(ws_.x[body], force)};
    }
    inverseOperationalInertia(m_, loops_, clusters_, wrenches, rows, z_.data(), inverse_.data());
    felt_ = testForce(m_, loops_, wrenches[0], clusters_, response_.data(), spanning_.data());
  }

  /// Calls f(number) for every result, always in the same order.
  template <class F>
  void forEachResult(F&& f) const {
    for (const AlignedArray<T>* a :
         {&ydot_, &udot_, &tauY_, &inverse_, &response_, &spanning_, &clusters_.inverse})
      for (const T& x : *a) f(x);
    f(felt_);
  }

 private:
  const Topology& t_;
  const Lowered<S>& par_;
  const Mechanism& m_;
  Workspace<T> ws_;
  LoopWorkspace<T> loops_;
  ClusterWorkspace<T> clusters_;
  AlignedArray<T> q_, u_, tau_, ydot_, udot_, tauY_, z_, inverse_, response_, spanning_;
  T felt_;
};

}  // namespace espalier::testing
