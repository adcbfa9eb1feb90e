#pragma once

// The formulas of one system's step, written once: for T double (a System) or lanes (LaneSystem), for
// trees and for mechanisms with closed loops. Both are solved for independent rates y, u = G y; those of a
// tree are the rates of all its joints, and y, z lie where u+ and the impulse do.
//
//   predictMidpoint  q_m = q (+) (lead u + dt^2/4 a + c g)            loops not closed yet
//   predictedMean    u_m + dt/2 a, the velocity at which h is taken first
//   factorDamped     M~ = M + diag w + what controllers hold against motion
//   freeImpulse      z = L'^-1 dt G'(force - h)
//   nextVelocity     y+ = y + L^-1 D^-1 z,  u+ = G y+,  mean = (u_m + u+) / 2
//   meanStep         dt ((1 - share) u_m + share u+) + c g, which leads from q to q+
//
// All are inlined where they are called, because a small tree's step would feel the loads of the
// pointers.
//
// a and g are those of Loops: predicted accelerations, and what the constraints add to the
// accelerations of the dependent joints.

#include <algorithm>
#include <limits>

#include "espalier/dynamics/loops/reduction.h"
#include "espalier/dynamics/tree/factor.h"
#include "espalier/model/coordinates.h"
#include "espalier/step/scheme.h"

namespace espalier {

/// Where the numbers of what is solved for are: those of a mechanism, or of a tree those of all its joints,
/// because its y is u.
template <class T>
struct SolvedNumbers {
  const Topology* topology;
  Workspace<T>* workspace;  ///< H and Dinv of M~_y
  T *y, *impulse;           ///< as in SystemStep
  Motion<T>* columns;       ///< by Mechanism::columnReduced
  const T* dependentBias;   ///< g of the last step; null where no joint follows others
};

/// Where the numbers of a system in a step are: [nv] unless said.
template <class T>
struct SystemStep {
  const Topology& t;       ///< all joints
  const Topology& solved;  ///< the dofs that are solved for
  Workspace<T>& solver;    ///< H and Dinv of M~, by `solved`
  const Mechanism& mechanism;
  const LoopWorkspace<T>& loops;     ///< G and g at the evaluation point
  const T *u, *rates;                ///< at the start; at the evaluation point
  const T *force, *h, *w;            ///< w: implicit weights on the diagonal of M
  const T* impedance = nullptr;      ///< as Actuation::controlImpedance; null: none
  T* z;                              ///< [solved.nv] L'^-1 times the impulse
  T *y, *uNext, *mean;               ///< [solved.nv] y+, of a tree uNext; u+; a mean velocity
  T* impulse;                        ///< scratch; of a tree z
  const T* predicted = nullptr;      ///< a; null: none
  const T* dependentBias = nullptr;  ///< g of the last step; null: a tree
  T isPredicted{}, biasShare{};      ///< 1 where a counts; Loops::shareOfG()

  /// The dof of all joints that one of those solved for is.
  int dofOf(int i) const { return loops.dofOfY[i]; }
};

///   out  qm  [nq], may be q
template <class T>
ESPALIER_INLINE void predictMidpoint(const SystemStep<T>& s, Scheme scheme, double dt, const T* q,
                                     T* qm) {
  const double lead = evaluationOffsetOf(scheme, dt);
  const T zero = bc<T>(0.0), share = s.biasShare * bc<T>(lead * lead);
  T* __restrict step = s.mean;
  const auto setSteps = [&](const auto& ahead) {
    for (int d = 0; d < s.t.nv; ++d)
      step[d] = bc<T>(lead) * s.u[d] + ahead(d) + share * s.dependentBias[d];
  };
  // Chosen outside the loop, because a compiler masks loads in it, and those from null are slow.
  if (!s.dependentBias)
    for (int d = 0; d < s.t.nv; ++d) step[d] = bc<T>(lead) * s.u[d];
  else if (s.predicted)
    setSteps([&](int d) { return bc<T>(dt * dt / 4) * s.predicted[d]; });
  else
    setSteps([&](int) { return zero; });
  advance(s.t, q, s.mean, qm);
}

template <class T>
ESPALIER_INLINE const T* predictedMean(const SystemStep<T>& s, double dt) {
  if (!s.predicted) return s.rates;
  for (int i = 0; i < s.solved.nv; ++i) {
    const int d = s.dofOf(i);
    s.y[i] = s.rates[d] + bc<T>(dt / 2) * s.predicted[d];
  }
  expand(s.mechanism, s.loops, s.y, s.mean);
  const auto isPredicted = s.isPredicted > bc<T>(0.0);
  for (int d = 0; d < s.t.nv; ++d) s.mean[d] = select(isPredicted, s.mean[d], s.rates[d]);
  return s.mean;
}

///   returns  where every pivot is positive and finite
template <class T>
ESPALIER_INLINE mask_t<T> factorDamped(const SystemStep<T>& s, double damping) {
  T* H = s.solver.H.data();
  addDiagonal(s.mechanism, s.loops, s.w, H);
  if (s.impedance)
    for (int i = 0; i < s.t.entries(); ++i) H[i] += bc<T>(damping) * s.impedance[i];
  factor(s.solved, s.solver);
  const T zero = bc<T>(0.0), most = bc<T>(std::numeric_limits<double>::max());
  mask_t<T> isRegular = zero <= zero;
  for (int i = 0; i < s.solved.nv; ++i) {
    const T x = s.solver.Dinv[i];
    isRegular = isRegular & (x > zero) & (x <= most);
  }
  return isRegular;
}

template <class T>
ESPALIER_INLINE void freeImpulse(const SystemStep<T>& s, double dt) {
  T* __restrict impulse = s.impulse;
  for (int d = 0; d < s.t.nv; ++d) impulse[d] = bc<T>(dt) * (s.force[d] - s.h[d]);
  reduce(s.mechanism, s.loops, s.impulse, s.z);
  solveTransposed(s.solved, s.solver, s.z);
}

template <class T>
ESPALIER_INLINE void nextVelocity(const SystemStep<T>& s) {
  std::copy_n(s.z, s.solved.nv, s.y);
  solveForward(s.solved, s.solver, s.y);
  for (int i = 0; i < s.solved.nv; ++i) s.y[i] += s.rates[s.dofOf(i)];
  expand(s.mechanism, s.loops, s.y, s.uNext);
  T* __restrict mean = s.mean;
  for (int d = 0; d < s.t.nv; ++d) mean[d] = bc<T>(0.5) * (s.rates[d] + s.uNext[d]);
}

///   out  s.mean
template <class T>
ESPALIER_INLINE void meanStep(const SystemStep<T>& s, Scheme scheme, double dt) {
  const double share = shareOfNext(scheme);
  const T bias = bc<T>(dt * (dt / 2 - evaluationOffsetOf(scheme, dt))), step = bc<T>(dt);
  const bool isSum = s.mechanism.isTree() && share == 0.5;
  T* __restrict mean = s.mean;
  for (int d = 0; d < s.t.nv; ++d) {
    const T &u = s.rates[d], &next = s.uNext[d];
    mean[d] = step * (isSum ? bc<T>(0.5) * (u + next) : u + bc<T>(share) * (next - u)) +
              bias * s.loops.g[d];
  }
}

}  // namespace espalier
