// The inertia that actuators and springs of a MuJoCo model see.

#include "espalier/io/mjcf/mjcf_reflected.h"

#include <gtest/gtest.h>

#include "espalier/io/mjcf/mjcf.h"
#include "espalier/io/mjcf/mjcf_parts.h"

namespace espalier::io {
namespace {

MjcfBody sliding(int parent, double mass) {
  MjcfBody body;
  body.parent = parent;
  body.inertial.emplace();
  body.inertial->mass = mass;
  MjcfJoint& joint = body.joints.emplace_back();
  joint.spec.kind = JointKind::Prismatic;
  joint.spec.axes[0] = {1, 0, 0};
  return body;
}

/// A slide of 2 kg on one of 3 kg, along one line.
MjcfModel twoSlides() {
  MjcfModel model;
  model.bodies = {MjcfBody{}, sliding(0, 3), sliding(1, 2)};
  model.bodies[0].children = {1};
  model.bodies[1].children = {2};
  return model;
}

TEST(MjcfReflected, TheBodyThatCarriesAJointGivesWay) {
  const MjcfMassMatrix masses(twoSlides());
  const auto seen = [&](std::vector<MjcfTerm> length) {
    MjcfActuator actuator;
    actuator.length = std::move(length);
    return masses.seenBy(actuator);
  };
  EXPECT_NEAR(seen({{2, 0, 1}}), 3.0 * 2 / (3 + 2), 1e-15);  // not the 2 kg that M holds
  EXPECT_NEAR(seen({{1, 0, 1}}), 3, 1e-15);                  // the other one stays behind
  EXPECT_NEAR(seen({{1, 0, 1}, {2, 0, 1}}), 2, 1e-15);
  EXPECT_NEAR(seen({{2, 0, 4}}), 6.0 / 5 / 16, 1e-15);
  EXPECT_EQ(seen({}), 0);
  EXPECT_NEAR(masses.seenBy(MjcfTerm{2, 0, 1}, 1), 6.0 / 5, 1e-15);
}

TEST(MjcfReflected, AStringPullsAtItsEnds) {
  MjcfModel model = twoSlides();
  model.bodies[2].X_WB.p = {4, 0, 0};
  const MjcfMassMatrix masses(model);
  MjcfActuator actuator;
  actuator.gear = 2;
  actuator.ways = {{{{0, {0, 0, 0}}, {2, {0, 3, 0}}}, 1}};  // 4 along the slides, 3 across
  EXPECT_NEAR(masses.seenBy(actuator), 2 / (0.8 * 2 * 0.8 * 2), 1e-14);
  actuator.ways[0].divisor = 2;
  EXPECT_NEAR(masses.seenBy(actuator), 2 / (0.8 * 0.8), 1e-14);
}

const JointSpec& jointOf(const SystemSpec& spec, const std::string& name) {
  for (const JointSpec& joint : spec.joints)
    if (joint.name == name) return joint;
  ADD_FAILURE() << name;
  return spec.joints.front();
}

TEST(MjcfReflected, DampingRatiosAndSpringDampers) {
  // A sphere of 1 kg at 1 m: 1.004 kg m^2 about the hinge, with the armature 1.25.
  const auto spec = parseMjcfRobot(
      "<mujoco><worldbody><body><joint name=\"a\" axis=\"0 1 0\" armature=\".246\"/><geom "
      "size=\".1\" mass=\"1\" pos=\"1 0 0\"/></body><body pos=\"0 5 0\"><joint name=\"b\" axis=\"0 "
      "1 "
      "0\" armature=\".246\" springdamper=\".5 2\"/><geom size=\".1\" mass=\"1\" pos=\"1 0 "
      "0\"/></body>"
      "</worldbody><actuator><position joint=\"a\" kp=\"20\" "
      "dampratio=\".5\"/></actuator></mujoco>",
      "<text>", {});
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  EXPECT_NEAR(jointOf(*spec, "a").actuator.value().kd, 2 * 0.5 * std::sqrt(20 * 1.25), 1e-12);
  EXPECT_NEAR(jointOf(*spec, "b").dynamics.stiffness, 1.25, 1e-12);
  EXPECT_NEAR(jointOf(*spec, "b").dynamics.damping, 5, 1e-12);
}

}  // namespace
}  // namespace espalier::io
