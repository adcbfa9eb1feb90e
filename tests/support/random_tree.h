#pragma once

// Random mechanisms and states for property tests: any joint kind, any placement, any branching,
// the same on every platform.

#include <cstdint>
#include <random>
#include <vector>

#include "espalier/model/coordinates.h"
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

inline RandomTree randomTree(std::uint64_t seed, const RandomTreeOptions& options = {}) {
  Random random(seed);
  std::vector<BodyTopology> bodies;
  Lowered<double> par;
  for (int i = 0; i < options.bodies; ++i) {
    BodyTopology b;
    b.parent = i == 0 ? -1 : std::max(0, i - 1 - random.integer(3));
    b.kind = options.kinds[random.integer(static_cast<int>(options.kinds.size()))];
    if (i == 0) b.kind = options.floating ? JointKind::Floating : JointKind::Fixed;
    bodies.push_back(b);
    LoweredBody<double> low{random.rotation(), random.vector(0.5), random.inertia()};
    if (i == 0 && options.floating) low.E = identity3<double>(), low.p = {0, 0, 0};
    par.bodies.push_back(low);
    par.extra.push_back({{random.unit(), random.unit(), random.unit()}, random.uniform(-0.2, 0.2)});
  }
  RandomTree tree{makeTopology(std::move(bodies)), std::move(par)};
  for (int d = 0; d < tree.topology.nv; ++d)
    tree.parameters.armature.push_back(
        options.armature && tree.topology.dofBody[d] > 0 ? random.uniform(0, 0.5) : 0);
  tree.parameters.hasArmature = options.armature;
  return tree;
}

struct RandomState {
  std::vector<double> q, u, udot;
};

inline RandomState randomState(const Topology& t, std::uint64_t seed) {
  RandomState s{std::vector<double>(t.nq), std::vector<double>(t.nv), std::vector<double>(t.nv)};
  randomConfiguration(t, seed, 1.0, s.q.data());
  Random random(seed ^ 0x9e3779b97f4a7c15u);
  for (double& x : s.u) x = random.uniform(-2, 2);
  for (double& x : s.udot) x = random.uniform(-5, 5);
  return s;
}

}  // namespace espalier::testing
