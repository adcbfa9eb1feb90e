#pragma once

// How the numbers of one system at an evaluation point are found. There is one way for each kind of robot; all of
// them leave the same results:
//
//   trees                                     Newton-Euler and composite inertias (dynamics/tree/)
//   trees with alike legs that do not branch  the legs side by side in a register (dynamics/simd/chain_lanes.h)
//   mechanisms with closed loops              loops.h

#include <memory>

#include "espalier/spatial/inertia.h"

namespace espalier {

struct System;
struct StepData;

/// Momentum and inertia of a whole system, about sys.ws.origin, world axes.
struct WholeMotion {
  Force<double> momentum;
  RigidInertia<double> inertia;
};

/// By kinematics() of the tree, which it leaves in sys.ws.
WholeMotion wholeMotionOf(System& sys, const double* q, const double* u);

class Evaluation {
 public:
  virtual ~Evaluation() = default;

  /// Reads sys.parameters again; allocates nothing.
  virtual void load(System& sys) = 0;
  /// Where a step begins, at the state of the world.
  virtual void leaveStart(StepData& world, System& sys) = 0;
  /// Poses, rates, h and M at sys.qm; closes loops there.
  ///   in   u  [nv] of which the independent rates count
  ///   out  sys.rates, sys.h, H of sys.solver(); of sys.ws the bodies in sys.geomBodies
  virtual void evaluate(StepData& world, System& sys, const double* u) = 0;
  /// Of sys.ws what forces on bodies and rows of the contact problem read.
  ///   pre  evaluate()
  virtual void exportForForces(const StepData&, System&) {}
  /// All of sys.ws.
  virtual void exportAll(System&) {}
  /// h at sys.mean.
  virtual void evaluateBias(StepData& world, System& sys) = 0;
  ///   in  q [nq], u [nv]
  virtual WholeMotion wholeMotion(System& sys, const double* q, const double* u) = 0;
  /// q and u at the end of the step, and sys.acceleration.
  ///   pre  integratePosition()
  virtual void arrive(StepData& world, System& sys) = 0;
};

std::unique_ptr<Evaluation> newTreeEvaluation(const System& sys);
std::unique_ptr<Evaluation> newLoopEvaluation();

}  // namespace espalier
