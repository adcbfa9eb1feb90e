#pragma once

// Where a body of a robot stands in the world, as a Transformd.

#include "espalier/robot/articulated_system.h"

namespace espalier::testing {

inline Transformd poseOf(const ArticulatedSystem& robot, int body) {
  Vec<3> p;
  Mat<3, 3> R;
  robot.getPosition(body, p);
  robot.getOrientation(body, R);
  return {static_cast<Mat3d>(R), static_cast<Vec3d>(p)};
}

}  // namespace espalier::testing
