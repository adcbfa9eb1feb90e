#pragma once

// Four stages without contacts, from the velocity that contact impulses have left.
//   from Munthe-Kaas 1998: each stage lies at q (+) theta, with theta' = dexp^-1(theta) u on the
//        rotations, so that the fourth order holds for quaternions too

#include <algorithm>

#include "espalier/step/system_step.h"

namespace espalier {

/// When the four stages are, in steps, and what each counts.
struct Stages {
  double at[4] = {0, 0.5, 0.5, 1}, share[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
};
inline constexpr Stages stages;

/// theta' for the rotation vector theta of R = exp(theta) R0 with angular velocity w, up to the
/// terms that a fourth order needs.
template <class T>
Vec3<T> rotationRate(const Vec3<T>& theta, const Vec3<T>& w) {
  const Vec3<T> c = cross(theta, w);
  return w - c * bc<T>(0.5) + cross(theta, c) * bc<T>(1.0 / 12.0);
}

/// theta' of all joints for the step theta that leads to a stage with velocity u.
template <class T>
void tangentRate(const Topology& t, const T* theta, const T* u, T* rate) {
  for (int d = 0; d < t.nv; ++d) rate[d] = u[d];
  for (int b = 0; b < t.nb; ++b) {
    const BodyTopology& body = t.bodies[b];
    const bool isBall = body.kind == JointKind::Spherical;
    if (!isBall && body.kind != JointKind::Floating) continue;
    const int d = isBall ? body.u : body.u + 3;
    const Vec3<T> turn = rotationRate(Vec3<T>{theta[d], theta[d + 1], theta[d + 2]},
                                      Vec3<T>{u[d], u[d + 1], u[d + 2]});
    rate[d] = turn.x;
    rate[d + 1] = turn.y;
    rate[d + 2] = turn.z;
  }
}

/// Four stages of a tree, or of a mechanism whose loops are closed in each: y+ of the step's end, and
/// in s.mean the step from q to q+.
///   in   q     [nq]
///        accelerate(u)  M~^-1 (force - h) at s.qm and u into s.z; returns the rates of all joints there
///   out  s.qm  of the last stage
///   pre  nextVelocity();  s.free, so that contact impulses change u by u+ - free
template <class T, class Accelerate>
void rungeKutta(StepNumbers<T>& s, double dt, const T* q, const Accelerate& accelerate) {
  const Topology& t = s.topology();
  const int n = t.nv, solved = s.solved().nv;
  T *stage = s.stage.data(), *y = s.y();
  const T zero = bc<T>(0.0);
  T *start = stage, *u = start + n, *theta = start + 2 * n, *rate = start + 3 * n,
    *sumRate = start + 4 * n, *sumChange = start + 5 * n, *change = s.z.data();
  for (int d = 0; d < n; ++d) rate[d] = sumRate[d] = u[d] = zero;
  for (int i = 0; i < solved; ++i) {
    start[i] = s.rates[s.dofOf(i)] + (y[i] - s.free[s.dofOf(i)]);
    change[i] = sumChange[i] = zero;
  }
  for (int k = 0; k < 4; ++k) {
    const T to = bc<T>(dt * stages.at[k]), share = bc<T>(dt * stages.share[k]);
    for (int d = 0; d < n; ++d) theta[d] = to * rate[d];
    for (int i = 0; i < solved; ++i) u[s.dofOf(i)] = start[i] + to * change[i];
    advance(t, q, theta, s.qm.data());
    const T* rates = accelerate(u);
    if (k == 0) std::copy_n(rates, n, stage + 6 * n);
    tangentRate(t, theta, rates, rate);
    for (int d = 0; d < n; ++d) sumRate[d] += share * rate[d];
    for (int i = 0; i < solved; ++i) sumChange[i] += share * change[i];
  }
  for (int i = 0; i < solved; ++i) y[i] = start[i] + sumChange[i];
  std::copy_n(sumRate, n, s.mean.data());
}

}  // namespace espalier
