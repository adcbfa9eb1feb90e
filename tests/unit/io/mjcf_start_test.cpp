// Where a MuJoCo model starts: as drawn, or at a keyframe.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "espalier/io/export/export.h"
#include "espalier/io/spec_difference.h"
#include "espalier/io/urdf/urdf.h"
#include "espalier/io/world_xml/world_xml.h"
#include "espalier/model/model.h"
#include "espalier/step/contact.h"
#include "remarks.h"
#include "tests/support/mjcf_rhombus.h"

namespace espalier::io {
namespace {

constexpr double degree = std::numbers::pi / 180;

TEST(MjcfStart, OfALinkageHasAllCoordinates) {
  const Expected<WorldSpec> spec = loadWorld(testing::mjcfRhombus(""));
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  ASSERT_EQ(spec->systems.size(), 1u);
  const std::vector<double>& q = spec->systems[0].q;
  ASSERT_EQ(q.size(), 3u);
  EXPECT_NEAR(q[0], -30 * degree, 1e-15);
  EXPECT_NEAR(q[1], 60 * degree, 1e-15);
  EXPECT_NEAR(q[2], 120 * degree, 1e-15);
}

TEST(MjcfStart, AnActuatedJointOfALoopIsIndependent) {
  for (const char* joint : {"j_a", "j_b", "j_c"}) {
    const Expected<WorldSpec> spec = loadWorld(testing::mjcfRhombus(
        "<actuator><motor joint=\"" + std::string(joint) + "\" gear=\"3\"/></actuator>"));
    ASSERT_TRUE(spec) << spec.diagnostics().toString();
    const Expected<Model> model = compile(spec->systems[0].system);
    ASSERT_TRUE(model);
    const int body = model->joint(joint);
    EXPECT_GE(model->publicCoordinate[model->topology.bodies[body].q], 0) << joint;
  }
}

/// As robots' packages have it: negative by a fit to measurements.
TEST(MjcfStart, NegativeDampingIsKeptWithAWarning) {
  const Expected<SystemSpec> spec = loadRobot(
      "<mujoco>\n<worldbody><body><joint damping=\"-0.0132\"/><geom "
      "size=\".1\"/></body></worldbody></mujoco>");
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  expectRemark(spec.diagnostics(), Severity::Warning, 2, "negative damping");
  EXPECT_EQ(spec->joints.back().dynamics.damping, -0.0132);
  for (const char* damping : {"inf", "-inf", "nan"})
    EXPECT_FALSE(loadRobot("<mujoco><worldbody><body><joint damping=\"" + std::string(damping) +
                           "\"/><geom size=\".1\"/></body></worldbody></mujoco>"))
        << damping;
}

TEST(MjcfStart, PenetrationsArePushedOut) {
  EXPECT_EQ(loadWorld(testing::mjcfRhombus(""))->erp, ContactSettings{}.erp);
}

const std::string scene =
    "<mujoco><worldbody><body name=\"arm\" pos=\"0 0 1\" euler=\"0 0 90\"><joint name=\"h\" "
    "axis=\"0 1 0\" ref=\"10\"/><geom size=\".1\" pos=\".2 0 0\"/></body>"
    "<body name=\"ball\" pos=\"3 0 1\" euler=\"30 0 0\"><joint name=\"s\" type=\"ball\"/>"
    "<geom size=\".1\" pos=\".2 0 0\"/></body>"
    "<body name=\"box\" pos=\"6 0 1\"><freejoint/><geom type=\"box\" size=\".1 .2 .3\"/></body>"
    "<body name=\"target\" mocap=\"true\"><geom size=\".1\"/></body></worldbody>"
    "<actuator><position name=\"p\" joint=\"h\" kp=\"5\" ctrlrange=\"-1 1\"/></actuator>"
    "<keyframe><key name=\"zero\"/><key name=\"up\" qpos=\".3 0 1 0 0 1 2 3 0 0 0 1\" "
    "qvel=\"4 .1 .2 .3 1 2 3 .4 .5 .6\" ctrl=\"7\" mpos=\"1 2 3\" mquat=\"0 0 1 0\" time=\"2\"/>"
    "</keyframe></mujoco>";

WorldSpec sceneAt(const std::string& keyframe) {
  WorldOptions options;
  options.keyframe = keyframe;
  auto spec = loadWorld(scene, options);
  EXPECT_TRUE(spec) << spec.diagnostics().toString();
  return spec ? *spec : WorldSpec{};
}

TEST(MjcfStart, AKeyframeByNameOrNumber) {
  for (const char* name : {"up", "1"}) {
    const WorldSpec spec = sceneAt(name);
    ASSERT_EQ(spec.systems.size(), 2u);
    EXPECT_EQ(spec.systems[0].q, (std::vector<double>{0.3}));
    EXPECT_EQ(spec.systems[0].u, (std::vector<double>{4}));
    ASSERT_EQ(spec.systems[1].q.size(), 4u);
    EXPECT_NEAR(spec.systems[1].q[1], 1, 1e-15);
    // Half a turn about x: the body's y and z axes point the other way.
    ASSERT_EQ(spec.systems[1].u.size(), 3u);
    EXPECT_NEAR(spec.systems[1].u[0], 0.1, 1e-15);
    EXPECT_NEAR(spec.systems[1].u[1], -0.2, 1e-15);
    EXPECT_NEAR(spec.systems[1].u[2], -0.3, 1e-15);
    EXPECT_EQ(spec.systems[0].system.joints[0].actuator->target, 1) << "within ctrlrange";
    ASSERT_EQ(spec.bodies.size(), 2u);
    EXPECT_EQ(spec.bodies[0].X_WB.p.y, 2);
    EXPECT_NEAR(spec.bodies[0].X_WB.R.r0.x, -1, 1e-15) << "half a turn about z";
    EXPECT_EQ(spec.bodies[0].velocity.z, 3);
    EXPECT_NEAR(spec.bodies[0].angularVelocity.x, -0.4, 1e-15);
    EXPECT_NEAR(spec.bodies[0].angularVelocity.z, 0.6, 1e-15);
    EXPECT_EQ(spec.bodies[1].X_WB.p.z, 3);
    EXPECT_NEAR(spec.bodies[1].X_WB.R.r1.y, 1, 1e-15) << "half a turn about y";
  }
}

TEST(MjcfStart, TheFirstKeyframeOrNone) {
  for (const char* name : {"", "zero", "0"}) {
    const WorldSpec spec = sceneAt(name);
    EXPECT_TRUE(spec.systems[1].q.empty());
    EXPECT_NEAR(spec.systems[0].q.at(0), 10 * degree, 1e-15) << "as drawn";
    EXPECT_EQ(spec.systems[0].system.joints[0].actuator->target, 0);
  }
  EXPECT_NEAR(sceneAt("none").systems[0].q.at(0), 10 * degree, 1e-15);
}

TEST(MjcfStart, OfAFloatingRobotIsInTheWorld) {
  const std::string head =
      "<mujoco><worldbody><body name=\"base\" pos=\"1 2 3\" euler=\"0 0 90\"><joint type=\"free\" ";
  const std::string rest =
      "/><geom size=\".1\"/><body pos=\"0 0 .3\"><joint name=\"a\"/><geom size=\".1\"/></body>"
      "</body></worldbody><keyframe><key qpos=\"4 5 6 0 0 0 1 .7\" qvel=\"1 2 3 4 5 6 7\"/>"
      "</keyframe></mujoco>";
  const auto plain = loadWorld(head + rest);
  ASSERT_TRUE(plain) << plain.diagnostics().toString();
  EXPECT_EQ(plain->systems[0].q, (std::vector<double>{4, 5, 6, 0, 0, 0, 1, 0.7}));
  EXPECT_EQ(plain->systems[0].u, (std::vector<double>{1, 2, 3, -4, -5, 6, 7}));
  // With a rotor it is a joint whose q counts from the pose as drawn: a quarter turn about z.
  const auto held = loadWorld(head + "name=\"f\" armature=\".1\"" + rest);
  ASSERT_TRUE(held) << held.diagnostics().toString();
  const std::vector<double>& q = held->systems[0].q;
  ASSERT_EQ(q.size(), 8u);
  const double wanted[] = {3, -3, 3, std::sqrt(0.5), 0, 0, std::sqrt(0.5), 0.7};
  for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(q[i], wanted[i], 1e-14) << i;
}

TEST(MjcfStart, AKeyframeThatDoesNotFitIsRefused) {
  const auto refused = [](const std::string& text, const std::string& keyframe,
                          const std::string& part) {
    WorldOptions options;
    options.keyframe = keyframe;
    const auto spec = loadWorld(text, options);
    ASSERT_FALSE(spec);
    const Diagnostic* found = findRemark(spec.diagnostics(), Severity::Error, part);
    ASSERT_NE(found, nullptr) << spec.diagnostics().toString();
    EXPECT_FALSE(found->remedy.empty());
  };
  refused(scene, "down", "no keyframe 'down'");
  refused(scene, "2", "no keyframe '2'");
  refused("<espalier/>", "up", "only MuJoCo's files have keyframes");
  std::string text = scene;
  text.replace(text.find("<key name=\"zero\"/>"), 18,
               "<key qpos=\"1 2 3 4 5 6 7 8 9 10 11 12 13\"/>");
  refused(text, "", "has 13 numbers, the model 12");
}

TEST(MjcfStart, AShortKeyframeIsCompletedAsDrawn) {
  std::string text = scene;
  text.replace(text.find("<key name=\"zero\"/>"), 18, "<key qpos=\".3 0\" qvel=\"4\"/>");
  const auto spec = loadWorld(text);
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  EXPECT_NE(findRemark(spec.diagnostics(), Severity::Warning, "has 2 numbers, the model 12"),
            nullptr);
  ASSERT_EQ(spec->systems.size(), 2u);
  EXPECT_EQ(spec->systems[0].q, std::vector<double>{0.3});
  EXPECT_EQ(spec->systems[0].u, std::vector<double>{4});
  EXPECT_EQ(spec->bodies.at(0).X_WB.p.x, 6);
}

TEST(MjcfStart, ActuatorsAndTendonsAreWrittenAndReadAgain) {
  UrdfOptions options;
  options.keyframe = "k";
  const auto spec = loadRobot(
      "<mujoco><worldbody><body name=\"a\" gravcomp=\".5\"><joint name=\"ja\"/><geom size=\".1\"/>"
      "<body name=\"b\"><joint name=\"jb\"/><geom size=\".1\"/></body></body></worldbody><tendon>"
      "<fixed name=\"t\" stiffness=\"3\" springlength=\"-.1 .2\" damping=\".4\" "
      "frictionloss=\".5\" "
      "range=\"-1 2\"><joint joint=\"ja\" coef=\"2\"/><joint joint=\"jb\" coef=\"-1\"/></fixed>"
      "</tendon><actuator><general name=\"g\" joint=\"ja\" biastype=\"affine\" gainprm=\"4\" "
      "biasprm=\"1 -5 "
      "-2\" forcerange=\"-3 4\" gear=\"2\"/><position name=\"p\" tendon=\"t\" "
      "kp=\"6\"/></actuator><keyframe>"
      "<key/><key name=\"k\" ctrl=\".5 .25\"/></keyframe></mujoco>",
      options);
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  ASSERT_TRUE(spec->joints[0].actuator);
  const ActuatorSpec& a = *spec->joints[0].actuator;
  EXPECT_EQ(a.kp, 20);
  EXPECT_EQ(a.kd, 8);
  EXPECT_NEAR(a.target, 2 * (4 * 0.5 + 1) / 20, 1e-15);
  EXPECT_EQ(a.lower, -6);
  EXPECT_EQ(a.upper, 8);
  ASSERT_EQ(spec->tendons.size(), 2u);
  EXPECT_EQ(spec->tendons[0].upper, 2);
  EXPECT_EQ(spec->tendons[0].restLower, -0.1);
  EXPECT_EQ(spec->tendons[1].name, "p");
  EXPECT_EQ(spec->tendons[1].actuator->kp, 6);
  EXPECT_EQ(spec->tendons[1].actuator->target, 0.25);
  EXPECT_EQ(spec->links[1].gravityCompensation, 0.5);
  auto again = loadRobot(exportUrdf(*spec));
  ASSERT_TRUE(again) << again.diagnostics().toString();
  again->name = spec->name;
  EXPECT_EQ(difference(*spec, *again), "");
}

TEST(MjcfStart, ActuatorsOfTendonsAreNamedApart) {
  const auto spec = loadRobot(
      "<mujoco><worldbody><body><joint name=\"ja\"/><geom size=\".1\"/></body>"
      "<body><joint name=\"jb\"/><geom size=\".1\"/></body></worldbody><tendon>"
      "<fixed name=\"t\" stiffness=\"3\"><joint joint=\"ja\" coef=\"1\"/>"
      "<joint joint=\"jb\" coef=\"1\"/></fixed></tendon><actuator>"
      "<position name=\"t\" tendon=\"t\" kp=\"6\"/><position tendon=\"t\" kp=\"5\"/>"
      "<position name=\"p\" tendon=\"t\" kp=\"4\"/></actuator></mujoco>");
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  std::vector<std::string> names;
  for (const TendonSpec& tendon : spec->tendons) names.push_back(tendon.name);
  EXPECT_EQ(names, (std::vector<std::string>{"t", "actuator:t", "actuator:3", "p"}));
}

}  // namespace
}  // namespace espalier::io
