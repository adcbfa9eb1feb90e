#pragma once

// Random robots as Specs: any joint kind, any placement, some links welded, all of them possible.

#include <string>
#include <vector>

#include "espalier/model/model.h"
#include "tests/support/random_tree.h"

namespace espalier::testing {

struct RandomSpecOptions {
  int links = 8;
  bool welds = true;
  bool fixedBase = false;
  std::vector<JointKind> kinds{JointKind::Revolute,    JointKind::Prismatic, JointKind::Helical,
                               JointKind::Universal,   JointKind::Euler,     JointKind::Planar,
                               JointKind::Translation, JointKind::Spherical};
};

/// Of a few point masses, about their centre.
InertialSpec randomInertial(Random& random);

SystemSpec randomSpec(std::uint64_t seed, const RandomSpecOptions& options = {});

/// Bit for bit; zeros of either sign are equal.
bool sameBits(const Lowered<double>& a, const Lowered<double>& b);

}  // namespace espalier::testing
