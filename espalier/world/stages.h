#pragma once

// The step's stages in smaller pieces (step.cpp has them in order), for who runs some of them
// otherwise: lane_steps.cpp and lane_stages.cpp.

#include "espalier/world/geom_motion.h"
#include "espalier/world/system_step.h"
#include "espalier/world/world_data.h"

namespace espalier {

/// What a user may have changed, sizes, the energy before.
///   errors  throws std::invalid_argument where an edit cannot be
void beginStep(WorldData& world);
/// All that comes after it.
void stepAlone(WorldData& world);
/// What the step does not leave as it is: an empty report, the state to go back to.
void beginEvaluation(WorldData& world);
/// What the way ahead depends on. May put u right (momentum.h).
void leaveStart(WorldData& world, System& sys);
/// Its numbers, for the formulas of system_step.h.
SystemStep<double> stepOf(WorldData& world, System& sys);
/// Poses, rates, h and M at sys.qm; closes loops there.
///   in  u  [nv] of which the independent rates count
void evaluateLoopsAt(WorldData& world, System& sys, const double* u);
/// A robot's geoms to where they are at the evaluation point.
///   in  motions  [sys.geoms]; null: as its workspace says
void placeGeoms(WorldData& world, const System& sys, const GeomMotion<double>* motions = nullptr);
/// world.points of pairs that touch, or will soon; how many.
///   pre  the robots' geoms are placed
int findPoints(WorldData& world);
/// The contacts that the law makes of them.
///   pre  V and A of their bodies, and the origin, in the workspaces
void makeContacts(WorldData& world, int found);
/// Motor torques really applied, now that u+ is known.
void noteApplied(WorldData& world, System& sys);
/// q at the end of the step; loops are not closed there yet.
void integratePosition(WorldData& world, System& sys);
/// External forces last one step.
void forgetExternal(System& sys);
/// u+ of a tree.
void takeNextVelocity(WorldData& world, System& sys);
/// Refuses what cannot be taken of the step; closures of bilateral loops, sleep, time.
void judgeStep(WorldData& world);
/// Puts robots and bodies whose step cannot be taken, with their contact islands, back to the state
/// before the step, and flags it (refused_step.cpp). Everything else keeps the step.
void refuseFailures(WorldData& world);
/// Ends a step that an exception interrupted in its first half: the state before it, no contacts, an
/// empty report, no history. External forces stay for the step to come.
void abandonStep(WorldData& world);
/// The energy after.
///   in  work  J, of forces from outside
void endStep(WorldData& world, double work);

}  // namespace espalier
