#pragma once

// Time-stepping schemes: one table of all that depends on them.
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
//
// The rows of loops ask that phi = 0 at the end of the step, with k the part of d2 phi/dt2 that does
// not depend on udot (docs/loops.md):
//   MIDPOINT        phi(q_m) = dt^2/8 k and J u+ = -dt/2 k lead to phi(q+) = 0, u+ tangent there
//   TRAPEZOID       J u+ = -dt k, tangent at q+
//   SEMI_IMPLICIT   J u+ = -dt/2 k, the velocity of half a step before q+; RUNGE_KUTTA_4 likewise
//   EULER           q+ is known; J u+ is for the q after it

namespace espalier {

enum class Scheme { MIDPOINT, TRAPEZOID, SEMI_IMPLICIT, EULER, RUNGE_KUTTA_4 };

struct SchemeInfo {
  Scheme scheme;
  const char* name;  ///< on the command line and in summaries; C++ and Python: in capitals
  const char* meaning;
  double evaluationOffset;  ///< in dt: the step is evaluated at q (+) offset u
  double nextShare;         ///< the velocity that moves q is (1 - share) u + share u+
  double damping;           ///< in dt: w per unit of b
  double stiffness;         ///< in dt^2: w per unit of k
  double lookAhead;         ///< in dt: the force gains -lookAhead k u
  bool solvesTwice;    ///< h and the contacts once more, with the mean velocity of the first time
  bool hasStages;      ///< contact impulses change u at once; then stages without contacts
  bool keepsMomentum;  ///< step/momentum.h; the correction is of third order there
  double openGap, openSpeed;  ///< v_N+ >= -max(0, openGap gap / dt + openSpeed v_N) across a gap
  double loopShareOfK, loopRate;  ///< J u+ + phi / dt + loopShareOfK dt k + loopRate J u = 0
  double farBodyTurn;  ///< rad in a step, beyond which free_rotation.h integrates a body's rotation
  double farJointTurn;  ///< rad in a step, beyond which the error of energy is computed
};

// Errors of energy are of the order of the scheme; of first order SEMI_IMPLICIT errs to and fro, EULER
// upwards alone.
// clang-format off
inline constexpr SchemeInfo schemes[] = {
    // evaluationOffset, nextShare | damping, stiffness, lookAhead | solvesTwice, hasStages,
    // keepsMomentum | openGap, openSpeed | loopShareOfK, loopRate | farBodyTurn, farJointTurn
    {Scheme::MIDPOINT, "midpoint", "all forces, M and contacts at the middle; second order",
     0.5, 0.5,  0.5, 0.25, 0,  true, false, true,  1, 0,  0.375, 0,  0.05, 0.1},
    {Scheme::TRAPEZOID, "trapezoid", "everything at q; RaiSim's default",
     0, 0.5,  0.5, 0.25, 0.5,  false, false, true,  2, 1,  1, 0,  0.05, 0.1},
    {Scheme::SEMI_IMPLICIT, "semi_implicit", "q+ = q + dt u+; first order",
     0, 1,  1, 1, 1,  false, false, false,  1, 0,  0.5, 0,  0.005, 0.3},
    {Scheme::EULER, "euler", "q+ = q + dt u; first order",
     0, 0,  1, 0, 1,  false, false, false,  1, 1,  2, 1,  0.005, 0.02},
    {Scheme::RUNGE_KUTTA_4, "runge_kutta_4", "fourth order in flight",
     0, 0.5,  0, 0, 0,  false, true, false,  1, 0,  0.5, 0,  0.15, 0.1},
};
// clang-format on

constexpr const SchemeInfo& info(Scheme scheme) { return schemes[static_cast<int>(scheme)]; }

struct ImplicitWeights {
  double damping;    ///< w per unit of b
  double stiffness;  ///< w per unit of k
  double lookAhead;  ///< the force gains -lookAhead k u
};

constexpr ImplicitWeights implicitWeights(Scheme scheme, double dt) {
  const SchemeInfo& in = info(scheme);
  return {in.damping * dt, in.stiffness * (dt * dt), in.lookAhead * dt};
}

/// s; how far ahead of q the step is evaluated.
constexpr double evaluationOffsetOf(Scheme scheme, double dt) {
  return info(scheme).evaluationOffset * dt;
}

/// The velocity that moves q is (1 - share) u + share u+.
constexpr double shareOfNext(Scheme scheme) { return info(scheme).nextShare; }

}  // namespace espalier
