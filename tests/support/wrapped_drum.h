#pragma once

// An arm with a drum on it, round which a rope runs from the ground to a bob that swings from the arm.

#include <cmath>
#include <optional>

#include "tests/support/world_scenes.h"

namespace espalier::testing {

/// The drum is a cylinder along y or a sphere at a height over the arm; `side` as of TendonSpec::Wrap,
/// in the arm. The second tendon runs straight where the first one, the rope, is led round.
inline SystemSpec wrappedDrum(bool isCylinder, double height = -0.15,
                              const std::optional<Vec3d>& side = {}) {
  SystemSpec spec = jointedBody(JointKind::Revolute, SphereShape{0.1}, 2, {0, 1, 0});
  spec.links[1].collisions.clear();
  spec.links[1].inertial->X_LC.p = {0.3, 0, 0};
  LinkSpec bob = spec.links[1];
  JointSpec joint = spec.joints[0];
  bob.name = joint.child = "bob";
  joint.name = "swing";
  joint.parent = spec.links[1].name;
  joint.kind = JointKind::Spherical;
  joint.X_PJ.p = {0.6, 0.1, 0};
  bob.inertial->X_LC.p = {0.1, 0, -0.3};
  spec.links.push_back(bob);
  spec.joints.push_back(joint);
  TendonSpec tendon;
  tendon.name = "rope";
  TendonSpec::Way& way = tendon.ways.emplace_back();
  way.points = {{"world", {-0.4, 0.2, 0.5}}, {"bob", {0.1, 0, -0.5}}};
  TendonSpec::Wrap& wrap = way.wraps.emplace_back();
  wrap.link = spec.links[1].name;
  wrap.X_LS.R = axisRotation<double>({1, 0, 0}, 1, 0);  // its z along the link's -y
  wrap.X_LS.p = {isCylinder ? 0.35 : 0.25, isCylinder ? 0.05 : 0.2, height};
  wrap.surface = {0.15, isCylinder};
  if (side) wrap.side = TendonSpec::Point{spec.links[1].name, *side};
  spec.tendons = {tendon, tendon};
  spec.tendons[1].name = "straight";
  spec.tendons[1].ways[0].wraps.clear();
  return spec;
}

inline Eigen::VectorXd startOfDrum(const ArticulatedSystem& robot) {
  Eigen::VectorXd q = robot.getGeneralizedCoordinate();
  q[0] = 0.2;
  q.tail(4) = Eigen::Vector4d(std::cos(0.2), 0.6 * std::sin(0.2), 0.8 * std::sin(0.2), 0);
  return q;
}

}  // namespace espalier::testing
