#pragma once

// Dry friction of joints that slide. A dof that slid through the last step, and whose rate is far from
// zero, slides on: lambda = -sign(u) dt f is known, and acts as a force instead of a row of the contact
// problem. After each solve u+ is checked. Where it has another sign the row joins with what is still
// unknown of its impulse,
//
//   lambda = -sign(u) dt f + x,   0 <= sign(u) x <= 2 dt f
//
// and the problem is solved once more, as with candidates (candidates.h). The step's result is that of
// all rows.

#include "espalier/step/step_data.h"

namespace espalier {

/// Adds the friction of joints that slide to sys.force; findJointRows() leaves their rows out.
///   pre  actuate(); sys.warm is that of the last step
void setSlidingAside(StepData& world, System& sys);
/// Whether setSlidingAside() has taken the friction of a dof.
///   io  next  the first of world.sliding that may be it; to be asked in order
bool isSetAside(const StepData& world, const System& sys, int dof, int& next);
/// Marks the joints of a system that do not go on as they slid; whether there are any.
///   in  uNext  u+ of dof d at d * stride
bool findStopped(StepData& world, const System& sys, const double* uNext, int stride);
/// Rows of the joints that are marked, behind the other joint rows, and asks the laws once more:
/// assembleAgain(world), and solve once more.
///   in  groups  of the problem that was solved; the next solve starts from its impulses
///       rows    joint rows that it had; those behind are new (limit_rows.h)
void admitJointRows(StepData& world, int groups, int rows);

}  // namespace espalier
