#pragma once

// A joint moved by hand: its coordinate is set, the joints that depend on it follow.

#include "espalier/robot/articulated_system.h"

namespace espalier {

/// Moves the joint that carries a body to a coordinate in small steps, so that its loops stay on the
/// way they are on, and brings the robot to rest. An independent joint leaves the other independent
/// ones where they are; a dependent one takes the joints of its loops along. A PD target that held
/// the robot becomes where it is then.
///   in  value  rad or m
///   errors  throws std::invalid_argument where the joint has not one coordinate, or where its loops
///           do not close on the way; the robot is then at the last place where they did
void slideJoint(ArticulatedSystem& robot, int body, double value);

}  // namespace espalier
