#pragma once

// Rows of limits in the contact problem (joint_rows.cpp): of positions, of the angles of spherical joints, of
// tendons' lengths, and of speeds.
//
// A limit has a row where it is near at the velocity u of the start. A strong force or an impact can carry a
// joint past another in the same step: after each solve u+ is checked, and limits that it would break join, as
// candidates do (candidates.h).

#include "espalier/step/step_data.h"

namespace espalier {

/// Adds the rows of limits that are near.
void findLimitRows(StepData& world, System& sys);
/// Adds rows of the limits that u+ breaks, behind the other joint rows; whether there are any.
///   in  uNext  u+ of dof d at d * stride
bool findBrokenLimits(StepData& world, System& sys, const double* uNext, int stride);

}  // namespace espalier
