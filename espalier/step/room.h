#pragma once

// How many contacts and rows a step has room for.
//
// Collision can report as many contacts as a step may have (mostContacts()). A contact takes 4 kB in the
// other arrays of the step and in the solver. These begin with room for 16 contacts and one more for every
// two shapes, and grow to what collision finds, at least to twice what they were, before the first of them
// is used. They never shrink: a step allocates only where more contacts are found than in any step before,
// or more kinds of joint rows have come into force (ArticulatedSystem::setTorqueLimits()). After
// World::setMaxContacts() they have room for all contacts from the start.

#include "espalier/step/step_data.h"

namespace espalier {

/// The most contacts of a step.
int mostContacts(const StepData& world);
/// The most joint rows of a step, all systems together: their limits, and dry friction, limits of speed
/// and motors where these are in force (joint_rows.cpp).
int mostJointRows(const StepData& world);

/// Sizes all arrays over contacts, groups and joint rows, for no fewer contacts than before.
///   pre  between steps
void reserveRoom(StepData& world);

/// Makes sure that so many contacts have room. Where it grows, the contact problem is forgotten and all else
/// keeps its numbers.
///   in  contacts  <= mostContacts()
void makeRoomForContacts(StepData& world, int contacts);
/// The same of joint rows, as many as mostJointRows().
///   cost  a few additions for each system where there is room
void makeRoomForJointRows(StepData& world);

}  // namespace espalier
