#pragma once

// A robot of two sliders that a tendon ties.

#include "tests/support/world_scenes.h"

namespace espalier::testing {

inline constexpr double m1 = 2, m2 = 3;  // kg

/// Two sliders along x on one base, tied by a tendon of length x1 - x2, without weight.
inline SystemSpec twoSliders(const TendonSpec& tendon) {
  SystemSpec spec = jointedBody(JointKind::Prismatic, SphereShape{0.1}, m1, {1, 0, 0});
  const SystemSpec other = jointedBody(JointKind::Prismatic, SphereShape{0.1}, m2, {1, 0, 0});
  LinkSpec link = other.links[1];
  JointSpec joint = other.joints[0];
  for (LinkSpec* l : {&spec.links[1], &link}) l->collisions.clear();
  link.name = joint.child = "second";
  joint.name = "second_joint";
  spec.links.push_back(link);
  spec.joints.push_back(joint);
  spec.tendons = {tendon};
  spec.tendons[0].name = "t";
  spec.tendons[0].terms = {{spec.joints[0].name, 1}, {"second_joint", -1}};
  return spec;
}

}  // namespace espalier::testing
