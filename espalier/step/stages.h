#pragma once

// The step's stages in smaller pieces (step.cpp has them in order), for who runs some of them
// otherwise: lane_steps.cpp and lane_stages.cpp.

#include "espalier/step/geom_motion.h"
#include "espalier/step/step_data.h"
#include "espalier/step/system_step.h"

namespace espalier {

/// Whether rows that are neither contacts nor a joint's own look at the system's bodies.
inline bool hasRowsOnBodies(const StepData& world, const System& sys) {
  return !world.welds.empty() || !sys.tendons.empty() || !sys.loopImpulses.empty();
}
/// Sizes, and the energy before.
///   pre  between steps; the caller's edits are in force
void prepareStep(StepData& world);
/// evaluate() and findContacts().
///   errors  of the contact callback; the step is abandoned
void firstHalf(StepData& world);
/// solveStep() and finishStep().
void secondHalf(StepData& world);
/// Both.
void stepAlone(StepData& world);
/// What the step does not leave as it is: an empty report, the state to go back to.
void beginEvaluation(StepData& world);
/// What the way ahead depends on. May put u right (momentum.h).
void leaveStart(StepData& world, System& sys);
/// A robot's geoms to where they are at the evaluation point.
///   in  motions  [sys.geoms]; null: as its workspace says
void placeGeoms(StepData& world, const System& sys, const GeomMotion<double>* motions = nullptr);
/// world.points of pairs that touch, or will soon; how many.
///   pre  the robots' geoms are placed
int findPoints(StepData& world);
/// The contacts that the law makes of them.
///   pre  V and A of their bodies, and the origin, in the workspaces
void makeContacts(StepData& world, int found);
/// Motor torques really applied, now that u+ is known.
void noteApplied(StepData& world, System& sys);
/// q at the end of the step; loops are not closed there yet.
void integratePosition(StepData& world, System& sys);
/// External forces last one step.
void forgetExternal(System& sys);
/// u+ of a tree.
void takeNextVelocity(StepData& world, System& sys);
/// Refuses what cannot be taken of the step; closures of bilateral loops, sleep, time.
void judgeStep(StepData& world);
/// Puts robots and bodies whose step cannot be taken, with their contact islands, back to the state
/// before the step, and flags it (refused_step.cpp). Everything else keeps the step.
void refuseFailures(StepData& world);
/// Ends a step that an exception interrupted in its first half: the state before it, no contacts, an
/// empty report, no history. External forces stay for the step to come.
void abandonStep(StepData& world);
/// The energy after.
///   in  work  J, of forces from outside
void endStep(StepData& world, double work);

}  // namespace espalier
