#pragma once

// Kernels for one scalar T; with lanes, a call takes as many of the robot's states as T has lanes.

#include "bench/kernels/kernels.h"
#include "espalier/dynamics/tree/factor.h"
#include "espalier/dynamics/tree/inverse_dynamics.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/dynamics/tree/mass_matrix.h"
#include "tests/support/forward_dynamics.h"

namespace espalier::bench {

template <class T>
class KernelsOf final : public Kernels {
  static constexpr int lanes = lanes_v<T>;
  static constexpr int blocks = state_count / lanes;
  static_assert(state_count % lanes == 0);

 public:
  KernelsOf(const char* scalarName, const Robot& robot)
      : Kernels(scalarName, lanes),
        t_(robot.topology),
        par_(parameters(robot)),
        q_(gather(robot.q, t_.nq)),
        u_(gather(robot.u, t_.nv)),
        udot_(gather(robot.udot, t_.nv)),
        tau_(gather(robot.tau, t_.nv)),
        out_(static_cast<std::size_t>(t_.nv)),
        ws_(t_),
        M_(ws_.H.size()) {
    kinematics(t_, par_, q_.data(), u_.data(), ws_);
    massMatrix(t_, par_, ws_);
    for (std::size_t i = 0; i < M_.size(); ++i) M_[i] = ws_.H[i];
  }

  void run(Metric metric, int calls) override {
    const Vec3<T> g{T(value_t<T>(0)), T(value_t<T>(0)), T(value_t<T>(-9.81))};
    T* out = out_.data();
    switch (metric) {
      case Metric::Kinematics:
        return cycle(calls, [&](const T* q, const T* u, const T*, const T*) {
          kinematics(t_, par_, q, u, ws_);
        });
      case Metric::InverseDynamics:
        return cycle(calls, [&](const T* q, const T* u, const T* udot, const T*) {
          kinematics(t_, par_, q, u, ws_);
          inverseDynamics(t_, par_, g, udot, ws_, out);
        });
      case Metric::Crba:
        return cycle(calls, [&](const T* q, const T* u, const T*, const T*) {
          kinematics(t_, par_, q, u, ws_);
          massMatrix(t_, par_, ws_);
        });
      case Metric::Factor:
        return cycle(calls, [&](const T*, const T*, const T*, const T*) {
          for (std::size_t i = 0; i < M_.size(); ++i) ws_.H[i] = M_[i];
          factor(t_, ws_);
        });
      case Metric::Dynamics:
        return cycle(calls, [&](const T* q, const T* u, const T*, const T*) {
          kinematics(t_, par_, q, u, ws_);
          bias(t_, par_, g, ws_, out);
          massMatrix(t_, par_, ws_);
          factor(t_, ws_);
        });
      case Metric::ForwardDynamics:
        return cycle(calls, [&](const T* q, const T* u, const T*, const T* tau) {
          testing::forwardDynamics(t_, par_, g, q, u, tau, ws_, out);
        });
    }
  }

 private:
  static const Lowered<value_t<T>>& parameters(const Robot& robot) {
    if constexpr (sizeof(value_t<T>) == sizeof(double)) {
      return robot.inDouble;
    } else {
      return robot.inFloat;
    }
  }

  /// [state_count][n] numbers -> [blocks][n] of T, state i in lane i % lanes.
  static AlignedArray<T> gather(const AlignedArray<double>& from, int n) {
    AlignedArray<T> to(static_cast<std::size_t>(blocks * n));
    for (int i = 0; i < state_count; ++i)
      for (int k = 0; k < n; ++k)
        setLane(to[i / lanes * n + k], i % lanes, static_cast<value_t<T>>(from[i * n + k]));
    return to;
  }

  template <class Call>
  ESPALIER_INLINE void cycle(int calls, Call call) {
    for (int i = 0; i < calls; ++i) {
      const int u = next_ * t_.nv;
      call(q_.data() + next_ * t_.nq, u_.data() + u, udot_.data() + u, tau_.data() + u);
      next_ = (next_ + 1) % blocks;
    }
  }

  const Topology& t_;
  const Lowered<value_t<T>>& par_;
  AlignedArray<T> q_, u_, udot_, tau_;
  AlignedArray<T> out_;
  Workspace<T> ws_;
  AlignedArray<T> M_;  // of the first states
  int next_ = 0;
};

}  // namespace espalier::bench
