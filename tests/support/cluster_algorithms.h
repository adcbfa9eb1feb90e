#pragma once

// All dynamics of a mechanism in one go, by projection and by the recursions over clusters, for any
// scalar: what the lane test compares and the allocation test watches. Plain pointers only, so that
// it may be compiled for wide registers (scripts/check_isa.py).

#include "espalier/dynamics/loops/closure.h"
#include "espalier/dynamics/tree/factor.h"
#include "espalier/dynamics/tree/inverse_dynamics.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "tests/support/cluster_aba.h"
#include "tests/support/cluster_rnea.h"
#include "tests/support/force_propagators.h"
#include "tests/support/lane_results.h"

namespace espalier::testing {

/// One world's state: q [nq], u and tau [nv].
struct MechanismWorld {
  const double *q, *u, *tau;
};

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
        solver_(m.reduced),
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
        spanning_(t.nv),
        h_(t.nv),
        projected_(m.reduced.nv),
        closed_(t.nq) {}

  /// One world a lane.
  void load(const MechanismWorld* worlds) {
    for (int w = 0; w < lanes_v<T>; ++w) {
      for (int i = 0; i < t_.nq; ++i) setLane(q_[i], w, static_cast<S>(worlds[w].q[i]));
      for (int i = 0; i < t_.nv; ++i) {
        setLane(u_[i], w, static_cast<S>(worlds[w].u[i]));
        setLane(tau_[i], w, static_cast<S>(worlds[w].tau[i]));
      }
    }
  }

  void run() {
    const Vec3<T> g{T(S(0.3)), T(S(-0.2)), T(S(-9.81))};
    kinematics(t_, par_, q_.data(), u_.data(), ws_);
    loopRates(t_, m_, q_.data(), ws_, loops_);
    loopAccelerations(t_, m_, u_.data(), ws_, loops_);
    computeReducedColumns(t_, m_, ws_, loops_);
    project(g);
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
    close();
  }

  /// Calls f(number) for every result, always in the same order.
  template <class F>
  void forEachResult(F&& f) const {
    for (const AlignedArray<T>* a :
         {&closed_, &projected_, &solver_.H, &loops_.phi, &loops_.K, &loops_.G, &loops_.g, &ydot_,
          &udot_, &tauY_, &inverse_, &response_, &spanning_, &clusters_.inverse})
      for (const T& x : *a) f(x);
    f(felt_);
    f(left_);
  }

 private:
  /// From nearby, further off in one world than in another, so that some are done before others.
  void close() {
    for (int i = 0; i < t_.nq; ++i) closed_[i] = q_[i];
    const T far = T(S(0.02)) * u_[0] * u_[0];
    for (const BodyTopology& b : t_.bodies)
      if (b.nq == 1) closed_[b.q] = fma(u_[b.u], far, q_[b.q]);
    left_ =
        closeLoops(t_, par_, m_, closed_.data(), S(sizeof(S) == 8 ? 1e-12 : 1e-5), 8, ws_, loops_);
  }
  /// M_y udot_y = G'(tau - h - H g)
  void project(const Vec3<T>& gravity) {
    inverseDynamics(t_, par_, gravity, loops_.g.data(), ws_, h_.data());
    reducedMassMatrix(t_, par_, m_, ws_, loops_, solver_.H.data());
    factor(m_.reduced, solver_);
    for (int d = 0; d < t_.nv; ++d) h_[d] = tau_[d] - h_[d];
    reduce(m_, loops_, h_.data(), projected_.data());
    solve(m_.reduced, solver_, projected_.data());
  }

  const Topology& t_;
  const Lowered<S>& par_;
  const Mechanism& m_;
  Workspace<T> ws_;
  LoopWorkspace<T> loops_;
  Workspace<T> solver_;
  ClusterScratch<T> clusters_;
  AlignedArray<T> q_, u_, tau_, ydot_, udot_, tauY_, z_, inverse_, response_, spanning_, h_,
      projected_, closed_;
  T felt_, left_;
};

/// Loads, runs and writes all results, as writeResults() does.
template <class T>
int runClusterAlgorithms(const Topology& t, const Lowered<value_t<T>>& par, const Mechanism& m,
                         const MechanismWorld* worlds, value_t<T>* const* results) {
  ClusterAlgorithms<T> all(t, par, m);
  all.load(worlds);
  all.run();
  return writeResults<T>(all, results);
}

// The same in the widest registers this build knows (tests/property/lanes_v4.cpp), only where
// hasWideRegisters().
int runClustersInDoubleLanes_v4(const Topology& t, const Lowered<double>& par, const Mechanism& m,
                                const MechanismWorld* worlds, double* const* results);
int runClustersInFloatLanes_v4(const Topology& t, const Lowered<float>& par, const Mechanism& m,
                               const MechanismWorld* worlds, float* const* results);

}  // namespace espalier::testing
