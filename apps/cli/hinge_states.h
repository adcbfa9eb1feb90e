#pragma once

// States that are written for the three hinges of a ball joint, of a robot in which these are one
// spherical joint (io/merge_hinges.h).

#include "apps/cli/robot.h"
#include "apps/cli/state_file.h"

namespace espalier::cli {

/// readStates() of a robot. Where the numbers fit not the robot's coordinates but those that it has
/// with its hinges kept, q and u are converted, with a warning in each state.
///   pre  robot.isGood()
Expected<StateFile> readStatesOf(const Robot& robot, const RobotOptions& options,
                                 const std::string& path);

/// A state of a robot with its hinges kept as one of the same robot where they are spherical joints.
///   in  hinged  q closed; of u the independent dofs count
///   pre  both models are of the same file
StateInput withBalls(const Model& hinged, const StateInput& state, const Model& balls,
                     const SystemSpec& spec);

}  // namespace espalier::cli
