#pragma once

// Time-stepping schemes and what each makes of a spring, a damper or a PD controller.
//
//   MIDPOINT        q_m = q (+) dt/2 u; all forces, M and contacts at q_m; h once more with
//                   (u + u+)/2; q+ = q (+) dt (u + u+)/2          second order (Moreau 1988)
//   TRAPEZOID       everything at q; q+ = q (+) dt (u + u+)/2     RaiSim's default
//   SEMI_IMPLICIT   everything at q; q+ = q (+) dt u+             first order
//   EULER           everything at q; q+ = q (+) dt u              first order
//   RUNGE_KUTTA_4   contact impulses at q change u; then four stages without contacts
//                   (Munthe-Kaas 1998 on the rotations)           fourth order in flight
//
// A force -b u - k x is taken implicitly: (M + diag w) (u+ - u) = dt (force at evaluation - h), with
//   MIDPOINT        w = dt/2 b + dt^2/4 k
//   TRAPEZOID       the same, and -(dt/2) k u added to the force: x is taken at q
//   SEMI_IMPLICIT   w = dt b + dt^2 k, and -dt k u added
//   EULER           w = dt b, and -dt k u added: the next x is known
//   RUNGE_KUTTA_4   w = 0: forces follow each stage

namespace espalier {

enum class Scheme { MIDPOINT, TRAPEZOID, SEMI_IMPLICIT, EULER, RUNGE_KUTTA_4 };

struct ImplicitWeights {
  double damping;    ///< w per unit of b
  double stiffness;  ///< w per unit of k
  double lookAhead;  ///< the force gains -lookAhead k u
};

constexpr ImplicitWeights implicitWeights(Scheme scheme, double dt) {
  switch (scheme) {
    case Scheme::MIDPOINT: return {dt / 2, dt * dt / 4, 0};
    case Scheme::TRAPEZOID: return {dt / 2, dt * dt / 4, dt / 2};
    case Scheme::SEMI_IMPLICIT: return {dt, dt * dt, dt};
    case Scheme::EULER: return {dt, 0, dt};
    case Scheme::RUNGE_KUTTA_4: return {0, 0, 0};
  }
  return {0, 0, 0};
}

/// How far ahead of q the step is evaluated.
constexpr double leadOf(Scheme scheme, double dt) {
  return scheme == Scheme::MIDPOINT ? dt / 2 : 0;
}

/// The velocity that moves q is (1 - share) u + share u+.
constexpr double shareOfNext(Scheme scheme) {
  switch (scheme) {
    case Scheme::SEMI_IMPLICIT: return 1;
    case Scheme::EULER: return 0;
    default: return 0.5;
  }
}

}  // namespace espalier
