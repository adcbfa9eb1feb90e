#pragma once

// What the worlds of a batch have to have in common.

#include <string>

#include "espalier/step/step_data.h"

namespace espalier {

/// Robots of one description, whose loops are closed and whose shapes stand in the same places of their bodies.
///   in  who  names the robot for the message
///   errors  throws std::invalid_argument with what differs
void requireSameRobot(const System& robot, const System& first, const std::string& who);
/// The same time step and scheme.
///   in  index  number of the world, for the message
///   errors  as above
void requireSameStepping(const StepData& world, const StepData& first, std::size_t index);
/// All that throughput mode takes from one of the worlds that a function made: stepping, robots with their
/// parameters, single bodies with theirs.
///   errors  as above
void requireAlike(const StepData& world, const StepData& first, std::size_t index);

}  // namespace espalier
