#pragma once

// Small worlds whose motion can be written down.

#include <Eigen/Dense>

#include "espalier/compat/arboris/simulate.h"
#include "tests/support/world_scenes.h"

namespace espalier::testing {

/// A floating body whose centre of mass is off its origin, with an inertia of three different axes.
inline SystemSpec lopsidedBody(const std::string& name = "body") {
  SystemSpec spec;
  spec.name = name;
  spec.links.emplace_back().name = name;
  spec.links[0].inertial = InertialSpec{
      2.0, {identity3<double>(), {0.1, -0.2, 0.05}}, {0.3, 0.02, -0.01, 0.4, 0.03, 0.2}};
  return spec;
}

/// Hinges about y one below the other, links 0.5 m long.
inline SystemSpec hangingArm(int links) {
  SystemSpec spec;
  spec.name = "arm";
  spec.links.emplace_back().name = "world";
  for (int k = 0; k < links; ++k) {
    LinkSpec link;
    link.name = "link" + std::to_string(k);
    link.inertial =
        InertialSpec{1.0, {identity3<double>(), {0, 0, -0.25}}, {0.02, 0, 0, 0.02, 0, 0.001}};
    JointSpec joint;
    joint.name = "joint" + std::to_string(k);
    joint.kind = JointKind::Revolute;
    joint.parent = k == 0 ? "world" : "link" + std::to_string(k - 1);
    joint.child = link.name;
    joint.axes[0] = {0, 1, 0};
    if (k > 0) joint.X_PJ.p = {0, 0, -0.5};
    spec.links.push_back(link);
    spec.joints.push_back(joint);
  }
  return spec;
}

inline Eigen::Matrix3d skewOf(const Eigen::Vector3d& a) {
  Eigen::Matrix3d m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

inline std::vector<double> timeline(double dt, int steps) {
  std::vector<double> times;
  for (int k = 0; k <= steps; ++k) times.push_back(k * dt);
  return times;
}

/// One step of a simulation.
inline void step(Simulation& simulation, double dt) {
  simulation.updateDynamic();
  simulation.updateControllers(dt);
  simulation.updateConstraints(dt);
  simulation.integrate(dt);
}

}  // namespace espalier::testing
