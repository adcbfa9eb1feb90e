#pragma once

// The ranges of a world's q and u that its systems and bodies have.

#include "espalier/step/step_data.h"

namespace espalier {

/// Gives a body a range at the end of the state, with its pose and no velocity.
void insertState(StepData& world, FreeBody& body);
/// Takes a body's range out of the state; its pose is kept in X_WB.
void eraseState(StepData& world, FreeBody& body);
/// Takes [q0, q0 + nq) and [u0, u0 + nv) out of the state; the ranges behind move up.
void eraseState(StepData& world, int q0, int u0, int nq, int nv);

/// q and u of an object as it was added.   in  object  place in the world's list
void resetObject(StepData& world, int object);

}  // namespace espalier
