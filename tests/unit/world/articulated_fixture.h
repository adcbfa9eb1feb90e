#pragma once

// A robot with every joint kind, welded links, and children named before their parents, at a random
// state; and the same robot a little later.

#include <Eigen/Dense>
#include <string>

#include "espalier/model/coordinates.h"
#include "tests/support/random_tree.h"
#include "tests/support/world_scenes.h"

namespace espalier::testing {

inline SystemSpec everyKindRobot(bool floating, std::uint64_t seed = 7) {
  Random random(seed);
  SystemSpec spec;
  spec.name = "every";
  const auto addLink = [&](const std::string& name) {
    LinkSpec link;
    link.name = name;
    InertialSpec in{random.uniform(0.5, 2), {random.rotation(), random.vector(0.2)}, {}};
    in.I = {0.02, 0, 0, 0.03, 0, 0.04};
    link.inertial = in;
    spec.links.push_back(link);
  };
  const auto addJoint = [&](const std::string& name, JointKind kind, const std::string& parent,
                            const std::string& child) {
    JointSpec joint;
    joint.name = name;
    joint.kind = kind;
    joint.parent = parent;
    joint.child = child;
    joint.X_PJ = {random.rotation(), random.vector(0.4)};
    joint.axes[0] = random.unit();
    const Vec3d second = random.unit(), third = random.unit();
    joint.axes[1] = second;
    joint.axes[2] = third;
    joint.pitch = 0.1;
    spec.joints.push_back(joint);
  };
  addLink(floating ? "base" : "world");
  const std::string root = spec.links[0].name;
  std::string parent = root;
  for (const JointKindInfo& kind : joint_kinds) {
    const std::string name = kind.name;
    addLink(name + "_link");
    // Two limbs, so that Jacobians have zeros; welds leave frames within bodies.
    const std::string on =
        kind.kind == JointKind::Euler || kind.kind == JointKind::Spherical ? root : parent;
    addJoint(name, kind.kind, on, name + "_link");
    parent = name + "_link";
  }
  addLink("tool");
  addJoint("tool_mount", JointKind::Fixed, parent, "tool");
  spec.jointOrder = {"floating", "prismatic", "revolute"};  // children first
  return spec;
}

struct EveryKind : ::testing::TestWithParam<bool> {
  World world;
  ArticulatedSystem* robot = nullptr;
  Eigen::VectorXd q, u;

  void SetUp() override {
    robot = world.addArticulatedSystem(everyKindRobot(GetParam()));
    const Model& m = robot->model();
    std::vector<double> internal(static_cast<std::size_t>(m.nq()));
    randomConfiguration(m.topology, 3, 0.8, internal.data());
    q.resize(m.nq());
    u.resize(m.nv());
    for (int i = 0; i < m.nq(); ++i) q[m.publicCoordinate[i]] = internal[i];
    Random random(11);
    for (int i = 0; i < m.nv(); ++i) u[i] = random.uniform(-1, 1);
    robot->setState(q, u);
  }

  /// q (+) t v, v in the authored order as u is.
  Eigen::VectorXd moved(const Eigen::VectorXd& v, double t) const {
    const Model& m = robot->model();
    std::vector<double> from(static_cast<std::size_t>(m.nq())), step(v.size());
    for (int i = 0; i < m.nq(); ++i) from[i] = q[m.publicCoordinate[i]];
    for (int i = 0; i < m.nv(); ++i) step[i] = t * v[m.publicDof[i]];
    advance(m.topology, from.data(), step.data(), from.data());
    Eigen::VectorXd to(m.nq());
    for (int i = 0; i < m.nq(); ++i) to[m.publicCoordinate[i]] = from[i];
    return to;
  }

  /// d/dt of what() along u, at the present state, by central differences.
  template <class What>
  auto rateOf(What&& what, double t = 1e-5) {
    robot->setGeneralizedCoordinate(moved(u, t));
    const auto after = what();
    robot->setGeneralizedCoordinate(moved(u, -t));
    const auto before = what();
    robot->setGeneralizedCoordinate(q);
    return ((after - before) / (2 * t)).eval();
  }
  int bodyCount() const { return robot->getNumberOfJoints(); }
};

inline std::string baseName(const ::testing::TestParamInfo<bool>& p) {
  return p.param ? "Floating" : "Fixed";
}

}  // namespace espalier::testing
