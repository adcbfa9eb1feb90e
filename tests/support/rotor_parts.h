#pragma once

// Links, rotors and gears for robots that tests draw.

#include <string>

#include "espalier/model/spec/spec.h"
#include "tests/support/random_tree.h"

namespace espalier::testing {

inline LinkSpec drawLink(const std::string& name, Random& random) {
  LinkSpec l;
  l.name = name;
  l.inertial.emplace();
  l.inertial->mass = random.uniform(0.5, 2);
  l.inertial->X_LC.p = random.vector(0.2);
  l.inertial->I = {0.05, 0.002, -0.001, 0.06, 0.003, 0.07};
  return l;
}

/// Symmetric about the axis, one of the link's own, with its centre of mass on it.
inline LinkSpec drawRotor(const std::string& name, const Vec3d& axis, Random& random) {
  LinkSpec part;
  part.name = name;
  part.inertial.emplace();
  part.inertial->mass = random.uniform(0.2, 0.6);
  part.inertial->X_LC.p = axis * random.uniform(-0.1, 0.1);
  const double across = random.uniform(0.01, 0.02), along = random.uniform(0.01, 0.02);
  const auto about = [&](double component) { return component != 0 ? along : across; };
  part.inertial->I = {about(axis.x), 0, 0, about(axis.y), 0, about(axis.z)};
  return part;
}

/// It is turned by the joints on the way to link `to`.
inline CouplingSpec drawGear(const std::string& rotor, const std::string& to, double ratio,
                             Random& random) {
  CouplingSpec c;
  c.name = rotor + "_gear";
  c.predecessor = to;
  c.successor = rotor;
  c.ratio = ratio;
  c.offset = random.uniform(-1, 1);
  return c;
}

}  // namespace espalier::testing
