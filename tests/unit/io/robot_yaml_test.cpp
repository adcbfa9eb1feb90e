// Extended URDF: a robot.yaml beside the robot.

#include "espalier/io/urdf/robot_yaml.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "espalier/io/export/export.h"
#include "espalier/io/spec_difference.h"
#include "espalier/io/urdf/urdf.h"
#include "espalier/model/model.h"
#include "folder.h"
#include "remarks.h"
#include "reproduction.h"

namespace espalier::io {
namespace {

const std::string urdf = R"(<robot name="r"><link name="world"/><link name="a"/><link name="b"/>
<joint name="ja" type="continuous"><parent link="world"/><child link="a"/></joint>
<joint name="jb" type="continuous"><parent link="world"/><child link="b"/></joint>
<link name="tip"/><joint name="tip_frame" type="fixed"><parent link="a"/><child link="tip"/>
<origin xyz="1 0 0"/></joint></robot>)";

Expected<SystemSpec> load(const TestFolder& folder, const std::string& yaml) {
  folder.write("robot.yaml", yaml);
  return loadRobot(folder.write("any.urdf", urdf));
}

void expectYamlError(const std::string& yaml, int line, const std::string& part) {
  SCOPED_TRACE(yaml);
  const TestFolder folder;
  const auto spec = load(folder, yaml);
  EXPECT_FALSE(spec);
  expectRemark(spec.diagnostics(), Severity::Error, line, part, folder.path("robot.yaml"));
}

TEST(RobotYaml, LoopsAndMotors) {
  const TestFolder folder;
  const auto spec = load(folder,
                         "closed_loop: [['tip', 'jb'], [ja, b]]\n"
                         "type: ['6d', \"3d\"]\nname_mot: ['jb']\n");
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  EXPECT_TRUE(spec.diagnostics().all().empty()) << spec.diagnostics().toString();
  ASSERT_EQ(spec->loops.size(), 2u);
  EXPECT_EQ(spec->loops[0].name, "tip_jb");
  EXPECT_TRUE(spec->loops[0].file.ends_with("robot.yaml")) << "where its line is counted";
  EXPECT_EQ(spec->loops[0].line, 1);
  EXPECT_EQ(spec->loops[0].kind, LoopKind::FIXED);
  EXPECT_EQ(spec->loops[0].predecessor, "tip");
  EXPECT_EQ(spec->loops[0].successor, "b") << "a joint's frame is that of the link below";
  EXPECT_EQ(spec->loops[1].kind, LoopKind::POINT);
  EXPECT_EQ(spec->loops[1].predecessor, "a");
  EXPECT_EQ(spec->joints[0].independent, std::nullopt);
  EXPECT_EQ(spec->joints[1].independent, true);
  const auto again = parseUrdf(exportUrdf(*spec));
  ASSERT_TRUE(again) << again.diagnostics().toString();
  EXPECT_EQ(difference(*spec, *again), "");
}

TEST(RobotYaml, OneOfAnotherRobotOrProgramIsLeftAlone) {
  for (const char* yaml :
       {"closed_loop: [[left, right]]\ntype: [7d]\n", "speed: 3\n", "", "- 1\n"}) {
    SCOPED_TRACE(yaml);
    const TestFolder folder;
    const auto spec = load(folder, yaml);
    ASSERT_TRUE(spec) << spec.diagnostics().toString();
    EXPECT_TRUE(spec->loops.empty());
    expectRemark(spec.diagnostics(), Severity::Note, 1, "left alone", folder.path("robot.yaml"));
  }
}

TEST(RobotYaml, IsNotReadForTextAlone) {
  const auto spec = loadRobot(urdf);
  ASSERT_TRUE(spec);
  EXPECT_TRUE(spec->loops.empty());
}

TEST(RobotYaml, TypesMayBeLeftOutOtherKeysAreNoted) {
  const TestFolder folder;
  const auto spec = load(folder, "closed_loop:\n- [tip, b]\ncolour: red\n");
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  EXPECT_EQ(spec->loops[0].kind, LoopKind::FIXED);
  expectRemark(spec.diagnostics(), Severity::Note, 3, "'colour'", folder.path("robot.yaml"));
}

TEST(RobotYaml, MistakesAreErrorsWithTheirLine) {
  expectYamlError("closed_loop: [[tip, b]\ntype: [6d]\n", 2, "the YAML cannot be read");
  expectYamlError("closed_loop: [['tip, b]]\n", 2, "the YAML cannot be read");
  expectYamlError("closed_loop:\n- [tip, c]\n", 2, "closed_loop names the frame 'c'");
  expectYamlError("closed_loop:\n- [tip, b, a]\n", 2, "no pair");
  expectYamlError("closed_loop:\n  tip\n", 2, "closed_loop is no list");
  expectYamlError("closed_loop: [[tip, b]]\ntype: [5d]\n", 2, "the type '5d'");
  expectYamlError("closed_loop: [[tip, b]]\ntype: [6d, 6d]\n", 2, "type has not one entry");
  expectYamlError("closed_loop: [[tip, b]]\nname_mot: [ja, jc]\n", 2, "name_mot names 'jc'");
  expectYamlError("closed_loop: [[tip, b]]\nname_mot: [tip_frame]\n", 2, "no movable joint");
  expectYamlError("closed_loop: [[tip, b]]\nname_mot: ja\n", 2, "name_mot is no list");
  const std::string loop = "closed_loop: [[tip, b]]\n";
  expectYamlError(loop + "joint_name: [ja]\njoint_type: [PLANE]\n", 3, "the type 'PLANE'");
  expectYamlError(loop + "joint_name: [ja]\njoint_type: [UJOINT_XX]\n", 3, "the type 'UJOINT_XX'");
  expectYamlError(loop + "joint_name: [jc]\njoint_type: [FIXED]\n", 2, "joint_name names 'jc'");
  expectYamlError(loop + "joint_name: [ja]\n", 2, "no two lists of one length");
  expectYamlError(loop + "joint_name: [ja]\njoint_type: [FIXED, FIXED]\n", 2, "no two lists");
  expectYamlError(loop + "joint_type: [FIXED]\n", 2, "no two lists");
  expectYamlError("closed_loop:\n- [tip, a]\n", 2, "welded together already");
  expectYamlError("closed_loop:\n- [tip, tip]\n", 2, "to itself");
}

TEST(RobotYaml, CapitalsAndSmallLettersAreAlike) {
  const TestFolder folder;
  const auto spec = load(folder, "closed_loop: [[tip, jb], [a, b]]\ntype: [6D, 3D]\n");
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  EXPECT_EQ(spec->loops[0].kind, LoopKind::FIXED);
  EXPECT_EQ(spec->loops[1].kind, LoopKind::POINT);
}

TEST(RobotYaml, TypesOfJoints) {
  const TestFolder folder;
  const auto spec = load(folder,
                         "closed_loop: [[tip, jb]]\njoint_name: [ja, jb]\n"
                         "joint_type: [UJOINT_ZX, spherical]\n");
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  EXPECT_TRUE(spec.diagnostics().all().empty()) << spec.diagnostics().toString();
  EXPECT_EQ(spec->joints[0].kind, JointKind::Universal);
  EXPECT_EQ(spec->joints[0].axes[0].z, 1);
  EXPECT_EQ(spec->joints[0].axes[1].x, 1);
  EXPECT_EQ(spec->joints[1].kind, JointKind::Spherical);
  const auto welded =
      load(folder, "closed_loop: [[tip, jb]]\njoint_name: [ja]\njoint_type: [FIXED]\n");
  ASSERT_TRUE(welded) << welded.diagnostics().toString();
  EXPECT_EQ(welded->joints[0].kind, JointKind::Fixed);
}

TEST(RobotYaml, LimitsAndSpringsOfAJointOfAnotherTypeDoNotAct) {
  const TestFolder folder;
  folder.write("robot.yaml", "closed_loop: [[a, b]]\njoint_name: [jb]\njoint_type: [SPHERICAL]\n");
  const auto spec = loadRobot(folder.write("any.urdf", R"(<robot name="r"><link name="world"/>
<link name="a"/><link name="b"/>
<joint name="ja" type="continuous"><parent link="world"/><child link="a"/></joint>
<joint name="jb" type="revolute"><parent link="world"/><child link="b"/><limit lower="0" upper="1"
effort="3"/><dynamics stiffness="2" spring_mount="0.5" damping="0.1"/></joint></robot>)"));
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  expectRemark(spec.diagnostics(), Severity::Note, 2, "do not act", folder.path("robot.yaml"));
  const JointSpec& joint = spec->joints[1];
  EXPECT_EQ(joint.limits.upper, unlimited);
  EXPECT_EQ(joint.limits.effort, 3);
  EXPECT_EQ(joint.dynamics.stiffness, 0);
  EXPECT_EQ(joint.dynamics.damping, 0.1);
  EXPECT_TRUE(joint.dynamics.springMount.empty());
}

// The same robot, drawn with balls and universal joints between 6d loops, and with all revolute
// joints of which some are fixed.
TEST(RobotYaml, DigitLikeLegsHaveEighteenDofsInBothForms) {
  for (const char* name : {"digit_like_2legs", "digit_like_2legs_6D"}) {
    const auto path = reproduction(std::string(name) + "/robot.urdf");
    if (!path) GTEST_SKIP() << "ESPALIER_SHARED does not have " << name;
    UrdfOptions options;
    options.loadMeshes = false;
    const auto spec = loadRobot(*path, options);
    ASSERT_TRUE(spec) << spec.diagnostics().toString();
    const auto model = compile(*spec);
    ASSERT_TRUE(model) << model.diagnostics().toString();
    EXPECT_EQ(model->publicNv, 18) << name;
  }
}

TEST(RobotYaml, BinaryFilesAreReported) {
  const TestFolder folder;
  std::filesystem::create_directory(folder.path("robot.yaml"));
  const auto spec = loadRobot(folder.write("any.urdf", urdf));
  EXPECT_FALSE(spec);
  EXPECT_TRUE(spec.diagnostics().hasErrors());
}

TEST(RobotYaml, CutAnywhereItIsStillOnlyText) {
  const std::string yaml =
      "closed_loop: [['tip', 'b'], [a, b]]\ntype: ['6d', 3d]\nname_mot: [ja]\n";
  const auto spec = parseUrdf(urdf);
  ASSERT_TRUE(spec);
  for (std::size_t n = 0; n <= yaml.size(); ++n) {
    SystemSpec copy = *spec;
    const Diagnostics said = applyRobotYaml(yaml.substr(0, n), "y", copy);
    for (const Diagnostic& d : said.all()) EXPECT_FALSE(d.remedy.empty()) << d.what;
  }
  SystemSpec copy = *spec;
  EXPECT_TRUE(applyRobotYaml(std::string(100000, '['), "y", copy).hasErrors());
  EXPECT_TRUE(applyRobotYaml("closed_loop: &x [*x, *x]\n", "y", copy).hasErrors());
}

TEST(RobotYaml, ParallelRobotsOfOthers) {
  const auto folder = sharedFolder() / "models";
  if (sharedFolder().empty() || !std::filesystem::is_directory(folder)) {
    GTEST_SKIP() << "no robots of others here; set ESPALIER_SHARED to a folder with models/";
  }
  const struct {
    const char* name;
    std::size_t loops;
    int motors;
  } robots[] = {
      {"5bar_linkage", 1, 2}, {"cassie_like", 2, 5}, {"digit_like", 3, 6}, {"robot_delta", 3, 2}};
  for (const auto& [name, loops, motors] : robots) {
    SCOPED_TRACE(name);
    const auto spec =
        loadRobot((folder / ("parallel_" + std::string(name)) / "robot.urdf").string());
    ASSERT_TRUE(spec) << spec.diagnostics().toString();
    EXPECT_EQ(spec->loops.size(), loops);
    EXPECT_EQ(std::count_if(spec->joints.begin(), spec->joints.end(),
                            [](const JointSpec& j) { return j.independent == true; }),
              motors);
    for (const LoopSpec& loop : spec->loops) EXPECT_EQ(loop.kind, LoopKind::FIXED);
  }
}

}  // namespace
}  // namespace espalier::io
