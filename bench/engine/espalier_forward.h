#pragma once

// Forward dynamics of one robot, as one would call it in a loop of one's own: nothing is allocated.
// Trees by the articulated-body algorithm, mechanisms with closed loops by projection.

#include <memory>

#include "bench/engine/espalier_forward_impl.h"

namespace bench {

extern template class ForwardDynamics<double>;

/// As many worlds at once as the widest register of this machine takes, every lane the same world.
/// Nothing is inline, because espalier_forward_v4.cpp must not bring its own copies
/// (scripts/check_isa.py).
class ForwardInLanes {
 public:
  virtual ~ForwardInLanes();
  virtual void run() = 0;

  const int worlds;

 protected:
  explicit ForwardInLanes(int worldCount);
};

/// Free of any forces but gravity.
///   pre  the model outlives it
///   in   gravity  m/s^2, downwards;  q [nq], u [nv]  of all joints, internal order; closed
std::unique_ptr<ForwardInLanes> makeForwardInLanes(const espalier::Model& model, double gravity,
                                                   const double* q, const double* u);

/// In the lanes of x86-64-v4; the caller owns it.
///   pre  espalier::hasWideRegisters()
ForwardInLanes* newForwardInLanes_v4(const espalier::Model& model, double gravity, const double* q,
                                     const double* u);

/// In T's lanes.
template <class T>
class ForwardInLanesOf final : public ForwardInLanes {
 public:
  ForwardInLanesOf(const espalier::Model& model, double gravity, const double* q, const double* u)
      : ForwardInLanes(espalier::lanes_v<T>),
        forward_(model),
        gravity_{T(0.0), T(0.0), T(-gravity)},
        q_(static_cast<std::size_t>(model.topology.nq)),
        u_(static_cast<std::size_t>(model.topology.nv)),
        zero_(u_.size()) {
    for (std::size_t i = 0; i < q_.size(); ++i) q_[i] = T(q[i]);
    for (std::size_t i = 0; i < u_.size(); ++i) u_[i] = T(u[i]);
    for (T& x : zero_) x = T(0.0);
  }
  void run() override { forward_(gravity_, q_.data(), u_.data(), zero_.data()); }

 private:
  ForwardDynamics<T> forward_;
  espalier::Vec3<T> gravity_;
  espalier::AlignedArray<T> q_, u_, zero_;
};

}  // namespace bench
