#include "tests/support/random_spec.h"

#include <algorithm>

namespace espalier::testing {

InertialSpec randomInertial(Random& random) {
  InertialSpec in;
  in.X_LC = {random.rotation(), random.vector(0.2)};
  double mass = 0;
  Vec3d h{0, 0, 0}, points[6];
  double masses[6];
  for (int k = 0; k < 6; ++k) {
    masses[k] = random.uniform(0.1, 1);
    points[k] = random.vector(0.3);
    mass += masses[k];
    h += points[k] * masses[k];
  }
  for (int k = 0; k < 6; ++k) {
    const Vec3d d = points[k] - h * (1 / mass);
    const double m = masses[k], dd = dot(d, d);
    in.I += Sym3<double>{m * (dd - d.x * d.x), -m * d.x * d.y, -m * d.x * d.z,
                         m * (dd - d.y * d.y), -m * d.y * d.z, m * (dd - d.z * d.z)};
  }
  in.mass = mass;
  return in;
}

SystemSpec randomSpec(std::uint64_t seed, const RandomSpecOptions& options) {
  Random random(seed);
  SystemSpec spec;
  spec.name = "random";
  spec.fixedBase = options.fixedBase;
  for (int l = 0; l < options.links; ++l) {
    LinkSpec& link = spec.links.emplace_back();
    link.name = "link" + std::to_string(l);
    link.inertial = randomInertial(random);
    CollisionSpec& c = link.collisions.emplace_back();
    c.shape = SphereShape{random.uniform(0.05, 0.1)};
    c.X_LG = {random.rotation(), random.vector(0.2)};
    if (l == 0) continue;
    JointSpec& joint = spec.joints.emplace_back();
    joint.name = "joint" + std::to_string(l);
    joint.kind = options.welds && random.integer(4) == 0
                     ? JointKind::Fixed
                     : options.kinds[random.integer(static_cast<int>(options.kinds.size()))];
    joint.parent = "link" + std::to_string(std::max(0, l - 1 - random.integer(3)));
    joint.child = link.name;
    joint.X_PJ = {random.rotation(), random.vector(0.5)};
    for (Vec3d& axis : joint.axes) axis = random.unit() * random.uniform(0.5, 2);
    joint.pitch = random.uniform(-0.2, 0.2);
    joint.dynamics.rotorInertia = random.uniform(0, 0.1);
  }
  return spec;
}

bool sameBits(const Lowered<double>& a, const Lowered<double>& b) {
  const auto same = [](const auto& x, const auto& y) {
    const std::size_t n = sizeof x / sizeof(double);
    const double *p = reinterpret_cast<const double*>(&x), *q = reinterpret_cast<const double*>(&y);
    for (std::size_t i = 0; i < n; ++i)
      if (!(p[i] == q[i])) return false;
    return true;
  };
  if (a.bodies.size() != b.bodies.size() || a.armature != b.armature) return false;
  for (std::size_t i = 0; i < a.bodies.size(); ++i)
    if (!same(a.bodies[i], b.bodies[i]) || !same(a.extra[i], b.extra[i])) return false;
  return a.hasArmature == b.hasArmature;
}

}  // namespace espalier::testing
