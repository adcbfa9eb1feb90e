#pragma once

namespace espalier::testing {

/// RUNGE_KUTTA_4 through so many dead points of the public joint: the crank-rocker led by its
/// rocker, and a triple rocker by each of its joints.
bool passDeadPoints(long passages);

/// Unforced linkages and the beest, floating in space, at about 0.01 rad of the crank a step, by
/// MIDPOINT and RUNGE_KUTTA_4.
bool keepTurning(long turns);

}  // namespace espalier::testing
