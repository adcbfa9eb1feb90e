#pragma once

// The robot that the tests of live editing edit.

#include "tests/support/random_spec.h"
#include "tests/support/world_scenes.h"

namespace espalier::testing {

/// Two links on hinges under a floating trunk; every link is one body.
inline SystemSpec hopper() {
  SystemSpec spec = randomSpec(7, {.links = 3, .welds = false, .kinds = {JointKind::Revolute}});
  spec.name = "hopper";
  for (LinkSpec& link : spec.links) link.inertial->X_LC.R = identity3<double>();
  for (JointSpec& joint : spec.joints) joint.X_PJ.R = identity3<double>();
  return spec;
}

inline void start(ArticulatedSystem& robot) {
  Eigen::VectorXd q = robot.getGeneralizedCoordinate(), u(robot.getDOF());
  q[2] = 0.5;
  for (Eigen::Index i = 0; i < u.size(); ++i) u[i] = 0.25 * static_cast<double>(i % 3) - 0.25;
  robot.setState(q, u);
}

}  // namespace espalier::testing
