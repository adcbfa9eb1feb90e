#pragma once

// Names by which quantities are asked of the robots of a world.

#include <string>
#include <vector>

#include "espalier/spatial/motion.h"
#include "espalier/step/step_data.h"

namespace espalier {

/// A coordinate or dof of a robot.
struct JointNumber {
  std::string joint;  ///< that it is of; of a floating base its link
  std::string name;   ///< the joint's and, where it has several, the coordinate's own
  int row;            ///< in State
  int coordinate;     ///< the row in q of what the number is or changes; -1: of a quaternion
};

/// All coordinates of the robots, or dofs, in the order of State.
std::vector<JointNumber> jointNumbers(const StepData& world, bool areDofs);

/// A link or a frame of a robot.
struct PlacedFrame {
  std::string name;
  int robot;        ///< place in StepData::owned
  int body;         ///< of the robot
  Transformd X_CF;  ///< pose in the body
};

/// The bodies' own links, in the order of the bodies.
std::vector<PlacedFrame> bodyLinks(const StepData& world);
/// The bodies' own links, then all links, then the frames that joints leave; those that turn with a geared
/// rotor are left out.
std::vector<PlacedFrame> allFrames(const StepData& world);

}  // namespace espalier
