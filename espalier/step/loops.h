#pragma once

// The mechanism of a system in the step: everything that is solved for is in its independent rates y
// (dynamics/loops/reduction.h), while q and u of the world hold all joints, always closed. With loops:
//
//   evaluate  q_m = q (+) (lead u + dt^2/4 a), closed again; K, G, g there; u_m = G u_y
//             M_y = G'(H + diag w)G,   h_y = G'(h + H g)
//   solve     M~_y (u_y+ - u_y) = dt (tau_y - h_y) + J_y' lambda,   J_y = J G by reduced columns
//   finish    q+ = q (+) dt G u_mean, closed again by the dependent joints; u+ = G(q+) u_y+
//
// a is what the last two steps say of the acceleration, for a MIDPOINT step of a system that touches
// nothing and that nothing stiff holds, else zero. With it q_m is the true middle of q and q+, and h
// is taken at the true mean velocity from the first pass on: a linkage whose M_y varies strongly
// then keeps its energy a hundred times better, at no cost. (With contacts q_m must be where the
// last step's contact law looked, and stiff forces are taken there too.)
//
// A tree has no clusters: nothing is closed, and y is u.
//
// Near a change point clusters traverse a singularity (dynamics/loops/singularity_traversal.h) and
// the step says so.

#include "espalier/dynamics/loops/dependent_predictor.h"
#include "espalier/dynamics/loops/singularity_traversal.h"
#include "espalier/step/scheme.h"

namespace espalier {

struct System;
struct StepData;

struct Loops {
  /// Of a system as it is now; its topology and mechanism outlive this object.
  explicit Loops(System& sys);
  /// After an edit of parameters or of the mechanism's frames.
  void load(System& sys);
  void forgetWays() {
    endpointHistory.forget();
    midpointHistory.forget();
  }
  const Mechanism& m;
  SingularityTraversal traversal;
  DependentPredictor endpointHistory, midpointHistory;  ///< of steps: either foresees the other
  bool isPublic = true;                                 ///< every cluster's plan is the public one
  AlignedArray<double> predicted;                       ///< [nq] what is being closed
  AlignedArray<double> planned;  ///< [nq] the q that the leaders were chosen for; at first none

  AlignedArray<double> lastAcceleration, accelerationBefore;  ///< [nv]
  int knownAccelerations = 0;                                 ///< at most two; part of the state
  double gap = 0;                  ///< largest |phi| left in the step in progress; may be NaN
  bool passesChangePoint = false;  ///< some cluster traverses a singularity in the step in progress
};

/// Loops are closed to the first; from the second on the step says so, from the third on it is not
/// taken.
inline constexpr double closed_loop = 1e-13, open_loop = 1e-10, torn_loop = 1e-6;
/// Corrections of one closing at most.
inline constexpr int most_corrections = 8;
/// At a change point lengths need not fit.
inline constexpr double torn_at_change_point = 1e-4;

/// A closing that lanes have done (lane_steps.h).
struct LaneClosing {
  double left;         ///< the largest |phi|
  bool publicSuffice;  ///< publicSuffice()
  const double* G;     ///< as LoopWorkspace::G, its numbers so far apart
  int apart;
};
/// What remains of it at q_m.
///   pre  sys.qm is closed
void evaluatedInLanes(StepData& world, System& sys, const LaneClosing& closing);
/// q and u of all joints at the end of the step.
void arriveLoops(StepData& world, System& sys);
/// What remains of it where lanes have closed q, and found u there.
void arriveInLanes(StepData& world, System& sys, const LaneClosing& closing, const double* u);

/// The largest gap of a robot's loops with which a step is taken.
inline double mostGap(const Loops& loops) {
  return loops.passesChangePoint ? torn_at_change_point : torn_loop;
}
/// After a step whose loops did not close: moves from (q, u), which is closed, along u by the largest
/// of 1/2, 1/4, ... 1/64 of a step that can be closed on the same branch, and scales u, projected
/// onto the loops' rates, by the same share, or further, so that neither the kinetic energy nor the
/// sum of kinetic energy and potential energy of the weight grows. Where no share closes q stays and
/// u becomes zero.
///   io  q [nq], u [nv]
///   pre  forgetLoops(sys)
void moveAsFarAsLoopsClose(const StepData& world, System& sys, double* q, double* u);

/// What earlier steps say is no longer so.
void forgetLoops(System& sys);
/// After a history was read, u and q too.
void resume(System& sys, const double* q, const double* u);

/// After a user's hand on q: closes what rounding has left and makes u consistent with its leaders. A
/// cluster that these do not determine there, at a change point, comes to rest.
void settleCoordinates(System& sys, double* q, double* u);
/// After a user's hand on u: all joints follow the public ones.
///   returns false, and u as it was given, where they do not: where those of a cluster move at a dead
///           point of theirs
bool settleVelocities(System& sys, const double* q, double* u);

}  // namespace espalier
