#pragma once

// Time-stepping schemes and what each makes of a spring, a damper or a PD controller.
//
//   MIDPOINT       q_m = q (+) dt/2 u; all forces, M and contacts at q_m; h once more with
//                  (u + u+)/2; q+ = q (+) dt (u + u+)/2          second order (Moreau 1988)
//   SEMI_IMPLICIT  everything at q; q+ = q (+) dt u+             first order
//
// A force -b u - k x is taken implicitly: (M + diag w) (u+ - u) = dt (force at evaluation - h), with
//   MIDPOINT       w = dt/2 b + dt^2/4 k
//   SEMI_IMPLICIT  w = dt b + dt^2 k, and -dt k u added to the force

namespace espalier {

enum class Scheme { MIDPOINT, SEMI_IMPLICIT };

struct ImplicitWeights {
  double damping;    ///< w per unit of b
  double stiffness;  ///< w per unit of k
  double lookAhead;  ///< the force gains -lookAhead k u
};

constexpr ImplicitWeights implicitWeights(Scheme scheme, double dt) {
  return scheme == Scheme::MIDPOINT ? ImplicitWeights{dt / 2, dt * dt / 4, 0}
                                    : ImplicitWeights{dt, dt * dt, dt};
}

}  // namespace espalier
