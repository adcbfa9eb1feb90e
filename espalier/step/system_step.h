#pragma once

// The formulas of one robot's step, written once: for T double (a System) or lanes (LaneRobot), for trees and for
// mechanisms with closed loops.
//
//   predictMidpoint  q_m = q (+) (lead u + dt^2/4 a + c g)            loops not closed yet
//   predictedMean    u_m + dt/2 a, the velocity at which h is taken first
//   factorDamped     M~ = M + diag w + what controllers hold against motion
//   freeImpulse      z = L'^-1 dt G'(force - h)
//   nextVelocity     y+ = y + L^-1 D^-1 z,  u+ = G y+,  mean = (u_m + u+) / 2
//   meanStep         dt ((1 - share) u_m + share u+) + c g, which leads from q to q+
//
// a and g are the predicted accelerations, and what the constraints add to the accelerations of the dependent
// joints. All are inlined where they are called, because a small tree's step would feel the loads.

#include <algorithm>
#include <limits>

#include "espalier/dynamics/loops/reduction.h"
#include "espalier/dynamics/tree/factor.h"
#include "espalier/model/coordinates.h"
#include "espalier/step/scheme.h"
#include "espalier/step/step_numbers.h"

namespace espalier {

///   in   q   [nq], u  [nv]
///   out  qm  [nq], may be q
template <class T>
ESPALIER_INLINE void predictMidpoint(StepNumbers<T>& s, Scheme scheme, double dt, const T* q,
                                     const T* u, T* qm) {
  const double lead = evaluationOffsetOf(scheme, dt);
  const T zero = bc<T>(0.0), share = s.shareOfG() * bc<T>(lead * lead);
  const int n = s.topology().nv;
  T* __restrict step = s.mean.data();
  const T* g = s.lastG.data();
  const auto setSteps = [&](const auto& ahead) {
    for (int d = 0; d < n; ++d) step[d] = bc<T>(lead) * u[d] + ahead(d) + share * g[d];
  };
  if (!s.hasLoops())
    for (int d = 0; d < n; ++d) step[d] = bc<T>(lead) * u[d];
  else if (s.isAnyPredicted())
    setSteps([&](int d) { return bc<T>(dt * dt / 4) * s.predictedAcceleration[d]; });
  else
    setSteps([&](int) { return zero; });
  advance(s.topology(), q, s.mean.data(), qm);
}

template <class T>
ESPALIER_INLINE const T* predictedMean(StepNumbers<T>& s, double dt) {
  if (!s.isAnyPredicted()) return s.rates.data();
  T* y = s.y();
  for (int i = 0; i < s.solved().nv; ++i) {
    const int d = s.dofOf(i);
    y[i] = s.rates[d] + bc<T>(dt / 2) * s.predictedAcceleration[d];
  }
  expand(s.mechanism(), s.loopWs, y, s.mean.data());
  const auto isPredicted = s.isPredicted > bc<T>(0.0);
  for (int d = 0; d < s.topology().nv; ++d) s.mean[d] = select(isPredicted, s.mean[d], s.rates[d]);
  return s.mean.data();
}

///   returns  where every pivot is positive and finite
template <class T>
ESPALIER_INLINE mask_t<T> factorDamped(StepNumbers<T>& s, double damping) {
  Workspace<T>& solver = s.solver();
  T* H = solver.H.data();
  addDiagonal(s.mechanism(), s.loopWs, s.w.data(), H);
  if (s.impedance)
    for (int i = 0; i < s.topology().entries(); ++i) H[i] += bc<T>(damping) * s.impedance[i];
  factor(s.solved(), solver);
  const T zero = bc<T>(0.0), most = bc<T>(std::numeric_limits<double>::max());
  mask_t<T> isRegular = zero <= zero;
  for (int i = 0; i < s.solved().nv; ++i) {
    const T x = solver.Dinv[i];
    isRegular = isRegular & (x > zero) & (x <= most);
  }
  return isRegular;
}

template <class T>
ESPALIER_INLINE void freeImpulse(StepNumbers<T>& s, double dt) {
  T* __restrict impulse = s.impulse();
  const T *force = s.force.data(), *h = s.h.data();
  for (int d = 0; d < s.topology().nv; ++d) impulse[d] = bc<T>(dt) * (force[d] - h[d]);
  reduce(s.mechanism(), s.loopWs, s.impulse(), s.z.data());
  solveTransposed(s.solved(), s.solver(), s.z.data());
}

template <class T>
ESPALIER_INLINE void nextVelocity(StepNumbers<T>& s) {
  T* y = s.y();
  std::copy_n(s.z.data(), s.solved().nv, y);
  solveForward(s.solved(), s.solver(), y);
  for (int i = 0; i < s.solved().nv; ++i) y[i] += s.rates[s.dofOf(i)];
  expand(s.mechanism(), s.loopWs, y, s.uNext.data());
  const T *rates = s.rates.data(), *next = s.uNext.data();
  T* __restrict mean = s.mean.data();
  for (int d = 0; d < s.topology().nv; ++d) mean[d] = bc<T>(0.5) * (rates[d] + next[d]);
}

///   out  s.mean
template <class T>
ESPALIER_INLINE void meanStep(StepNumbers<T>& s, Scheme scheme, double dt) {
  const double share = shareOfNext(scheme);
  const T bias = bc<T>(dt * (dt / 2 - evaluationOffsetOf(scheme, dt))), step = bc<T>(dt);
  const bool isSum = !s.hasLoops() && share == 0.5;
  const T *rates = s.rates.data(), *uNext = s.uNext.data(), *g = s.loopWs.g.data();
  T* __restrict mean = s.mean.data();
  for (int d = 0; d < s.topology().nv; ++d) {
    const T &u = rates[d], &next = uNext[d];
    mean[d] =
        step * (isSum ? bc<T>(0.5) * (u + next) : u + bc<T>(share) * (next - u)) + bias * g[d];
  }
}

/// force += J' of a wrench on a body.
///   in  wrench   about ws.origin, world axes
///       column   column(dof): S of the dof about the same
template <class T, class Column>
void addWrench(const Topology& t, int body, const Force<T>& wrench, const Column& column,
               T* force) {
  const int first = t.floating ? 6 : 0;  // whose columns are implied
  for (int d = t.lastDof(body); d >= first; d = t.dofParent[d]) force[d] += dot(column(d), wrench);
  if (!t.floating) return;
  const Vec3<T>&f = wrench.f, &n = wrench.n;
  const T base[6] = {f.x, f.y, f.z, n.x, n.y, n.z};
  for (int d = 0; d < 6; ++d) force[d] += base[d];
}

}  // namespace espalier
