#pragma once

// Random mechanisms and states for property tests: any joint kind, any placement, any branching,
// the same on every platform.

#include <cstdint>
#include <random>
#include <vector>

#include "espalier/model/lowered.h"
#include "espalier/model/topology.h"
#include "espalier/spatial/rotation.h"

namespace espalier::testing {

class Random {
 public:
  explicit Random(std::uint64_t seed) : bits_(seed) {}
  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(bits_() >> 11) * 0x1p-53);
  }
  int integer(int count) { return static_cast<int>(bits_() % static_cast<std::uint64_t>(count)); }
  Vec3d vector(double size) {
    return {uniform(-size, size), uniform(-size, size), uniform(-size, size)};
  }
  Vec3d unit() {
    Vec3d v;
    do v = vector(1);
    while (norm(v) > 1 || norm(v) < 0.1);
    return v * (1 / norm(v));
  }
  Mat3d rotation() { return espalier::rotation(expQuat(vector(3))); }
  /// A few point masses: always physical.
  RigidInertia<double> inertia() {
    RigidInertia<double> sum{0, {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
    for (int k = 0; k < 6; ++k) {
      const RigidInertia<double> point{uniform(0.1, 1), {0, 0, 0}, {0, 0, 0, 0, 0, 0}};
      sum += toParent(identity3<double>(), vector(0.3), point);
    }
    return sum;
  }

 private:
  std::mt19937_64 bits_;
};

struct RandomTree {
  Topology topology;
  Lowered<double> parameters;
};

struct RandomTreeOptions {
  int bodies = 10;
  bool floating = true;
  bool armature = false;
  std::vector<JointKind> kinds{JointKind::Revolute,    JointKind::Prismatic, JointKind::Helical,
                               JointKind::Universal,   JointKind::Euler,     JointKind::Planar,
                               JointKind::Translation, JointKind::Spherical, JointKind::Floating};
};

RandomTree randomTree(std::uint64_t seed, const RandomTreeOptions& options = {});

struct RandomState {
  std::vector<double> q, u, udot;
};

RandomState randomState(const Topology& t, std::uint64_t seed);

}  // namespace espalier::testing
