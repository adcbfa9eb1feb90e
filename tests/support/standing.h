#pragma once

// How a robot with closed loops comes to stand: the pose nearest to a given one in which the points
// under its feet are level and the centre of mass is above their middle.

#include <Eigen/Dense>
#include <string>
#include <vector>

#include "espalier/world/world.h"

namespace espalier::testing {

/// A point of a sole: where it is on its link.
struct SolePoint {
  std::string link;
  Vec3d point;  ///< m, in the link
};

/// Finds it by Newton's method of least change over the named joints and the base's attitude, then
/// lowers the robot until its lowest collision body touches zero. No velocities.
///   in   motors  names of independent joints
///   out  what is left: m of height or of the centre's offset
double standUpright(ArticulatedSystem& robot, const std::vector<std::string>& motors,
                    const std::vector<SolePoint>& soles);

/// Gains by joint names; every name occurs in the robot.
struct Gains {
  std::string joint;
  double kp, kd;
};

/// Holds the present pose by spanning PD, on the named joints only.
void holdHere(ArticulatedSystem& robot, const std::vector<Gains>& gains);

/// What 60 s or less of standing came to.
struct Stance {
  double lowest = 0, highest = 0;  ///< of the base's height against the start, m
  double residual = 0, closure = 0;
  std::uint32_t flags = 0;
  double drift = 0;  ///< of the base in the plane, m
  int contacts = 0;  ///< at the end
};

Stance stand(World& world, ArticulatedSystem& robot, int steps);

}  // namespace espalier::testing
