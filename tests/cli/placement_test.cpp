// Where `sim` puts a robot: poses from files, heights, disturbances, overlaps.

#include "apps/cli/placement.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>

#include "apps/cli/closing.h"
#include "apps/cli/overlaps.h"
#include "apps/cli/robot.h"
#include "tests/support/source_folder.h"

namespace espalier::cli {
namespace {

const std::string models = sourceFolder() + "/models/";

Robot loadModel(const std::string& name, const RobotOptions& options = {}) {
  Robot robot = loadRobot(models + name + "/" + name + ".urdf", options, Meshes::Load);
  EXPECT_TRUE(robot.isGood()) << robot.diagnostics.toString();
  return robot;
}

std::vector<double> nominal(const Robot& robot) {
  Diagnostics diagnostics;
  const std::vector<double> q =
      nominalPose(robot.file, *robot.model, restingState(*robot.model).q, diagnostics);
  EXPECT_TRUE(diagnostics.all().empty()) << diagnostics.toString();
  return q;
}

/// Coordinate of a joint by name, whatever the order.
double angle(const Model& model, const std::vector<double>& q, const std::string& joint) {
  return q[model.topology.bodies[model.joint(joint)].q];
}

TEST(NominalPose, IsReadInTheFilesOrderWhateverOrderWasAskedFor) {
  RobotOptions options;
  options.urdf.jointOrder = {"RH_KFE", "LF_HAA", "RF_HFE"};
  for (const Robot& robot : {loadModel("strider"), loadModel("strider", options)}) {
    const std::vector<double> q = nominal(robot);
    EXPECT_EQ(angle(*robot.model, q, "LF_HFE"), 0.6);
    EXPECT_EQ(angle(*robot.model, q, "RH_KFE"), 1.2);
    EXPECT_EQ(angle(*robot.model, q, "RF_HAA"), 0.0);
    EXPECT_NEAR(extentAt(*robot.model, q).lowest, 0, 1e-6);  // its feet are on the ground
  }
}

TEST(NominalPose, FitsAWeldedBase) {
  RobotOptions options;
  options.urdf.fixedBase = true;
  const Robot robot = loadModel("strider", options);
  EXPECT_EQ(robot.model->nq(), 12);
  EXPECT_EQ(angle(*robot.model, nominal(robot), "LH_KFE"), 1.2);
}

TEST(NominalPose, OfAMechanismIsOfIndependentJointsAndClosed) {
  const Robot robot = loadModel("beest");
  const Model& model = *robot.model;
  std::vector<double> q = nominal(robot);
  ASSERT_EQ(q.size(), static_cast<std::size_t>(model.nq()));
  EXPECT_EQ(inOrder(q, model.publicCoordinate).size(), 8u);
  const std::vector<double> before = q;
  EXPECT_LT(closeByDependents(model, q).residual, 1e-12);
  for (std::size_t i = 0; i < q.size(); ++i) EXPECT_NEAR(q[i], before[i], 1e-10);
}

TEST(NominalPose, ThatCannotCloseIsAWarningAndTheFallback) {
  const std::string folder = ::testing::TempDir();
  std::ofstream(folder + "nominal.json") << R"({"q": [1.5]})";
  const Robot robot = loadModel("triple_rocker");
  Diagnostics diagnostics;
  const std::vector<double> fallback = neutralWithinLimits(*robot.model);
  EXPECT_EQ(nominalPose(folder + "triple_rocker.urdf", *robot.model, fallback, diagnostics),
            fallback);
  ASSERT_EQ(diagnostics.count(Severity::Warning), 1);
  EXPECT_NE(diagnostics.all()[0].what.find("is left"), std::string::npos);
  std::remove((folder + "nominal.json").c_str());
}

TEST(Closing, HoldsTheIndependentJointsAndLeavesLoopsThatCannotClose) {
  const Robot robot = loadModel("triple_rocker");
  const Model& model = *robot.model;
  const int crank = model.topology.bodies[model.joint("crank")].q;
  std::vector<double> q = restingState(model).q;
  q[crank] += 0.2;
  const double held = q[crank];
  EXPECT_TRUE(closeByDependents(model, q).isClosed);
  EXPECT_EQ(q[crank], held);

  q[crank] = 1.5;
  const std::vector<double> before = q;
  const AssemblyResult open = closeByDependents(model, q);
  EXPECT_FALSE(open.isClosed);
  EXPECT_GT(open.residual, 1e-3);
  EXPECT_EQ(q, before);
}

TEST(Closing, FindsATreeClosed) {
  const Robot robot = loadModel("strider");
  std::vector<double> q = nominal(robot);
  const std::vector<double> before = q;
  EXPECT_TRUE(closeByDependents(*robot.model, q).isClosed);
  EXPECT_EQ(q, before);
}

TEST(Names, OfAMechanismAreThoseOfIndependentJointsOrOfAll) {
  const Robot robot = loadModel("differential_leg");
  const Model& model = *robot.model;
  const std::vector<std::string> names{"hip", "knee", "left_crank", "right_crank"};
  EXPECT_EQ(coordinateNames(model), names);
  EXPECT_EQ(dofNames(model), names);
  const std::vector<std::string> all = dofNames(model, Joints::All);
  EXPECT_EQ(all.size(), 10u);
  EXPECT_EQ(all.size(), std::set<std::string>(all.begin(), all.end()).size());
  EXPECT_NE(std::find(all.begin(), all.end(), "left_rod.2"), all.end());
  EXPECT_EQ(coordinateNames(model, Joints::All).size(), static_cast<std::size_t>(model.nq()));

  RobotOptions options;
  options.urdf.jointOrder = {"right_crank", "knee"};
  const std::vector<std::string> other{"right_crank", "knee", "hip", "left_crank"};
  EXPECT_EQ(dofNames(*loadModel("differential_leg", options).model), other);
}

TEST(NominalPose, ThatDoesNotFitIsAWarning) {
  const std::string folder = ::testing::TempDir();
  std::ofstream(folder + "nominal.json") << R"({"q": [1, 2, 3]})";
  const Robot robot = loadModel("cartpole");
  Diagnostics diagnostics;
  const std::vector<double> fallback{0.25, -0.5};
  EXPECT_EQ(nominalPose(folder + "cartpole.urdf", *robot.model, fallback, diagnostics), fallback);
  EXPECT_EQ(diagnostics.count(Severity::Warning), 1);
  std::remove((folder + "nominal.json").c_str());
}

TEST(Neutral, LiesWithinLimits) {
  Expected<SystemSpec> spec = io::parseUrdf(R"(<robot name="r"><link name="world"/><link name="a">
    <inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    </link><joint name="j" type="revolute"><parent link="world"/><child link="a"/>
    <axis xyz="0 0 1"/><limit lower="0.5" upper="1" effort="1" velocity="1"/></joint></robot>)");
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  const Expected<Model> model = compile(*spec);
  ASSERT_TRUE(model) << model.diagnostics().toString();
  EXPECT_EQ(neutralWithinLimits(*model), std::vector<double>{0.5});
}

TEST(Extent, IsThatOfTheCollisionBodies) {
  const Robot robot = loadModel("strider");
  std::vector<double> q = nominal(robot);
  const Extent before = extentAt(*robot.model, q);
  EXPECT_NEAR(before.left, -before.right, 1e-9);  // the robot is symmetric
  EXPECT_GT(before.right, 0.1);
  q[1] += 2;
  q[2] += 1;
  const Extent after = extentAt(*robot.model, q);
  EXPECT_NEAR(after.left - before.left, 2, 1e-12);
  EXPECT_NEAR(after.right - before.right, 2, 1e-12);
  EXPECT_NEAR(after.lowest - before.lowest, 1, 1e-12);
}

TEST(Disturb, IsSmallReproducibleAndNothingForSeedZero) {
  const Robot robot = loadModel("strider");
  const StateInput rest = restingState(*robot.model);
  StateInput a = rest, b = rest, c = rest, none = rest;
  disturb(*robot.model, 7, a);
  disturb(*robot.model, 7, b);
  disturb(*robot.model, 8, c);
  disturb(*robot.model, 0, none);
  EXPECT_EQ(a.q, b.q);
  EXPECT_EQ(a.u, b.u);
  EXPECT_NE(a.q, c.q);
  EXPECT_EQ(none.q, rest.q);
  EXPECT_EQ(none.u, rest.u);
  EXPECT_LE(2 * std::acos(std::min(1.0, a.q[3])), 0.1);
  EXPECT_GT(2 * std::acos(std::min(1.0, a.q[3])), 0.001);
  EXPECT_LE(std::hypot(a.u[0], a.u[1], a.u[2]), 0.3);
  EXPECT_LE(std::hypot(a.u[3], a.u[4], a.u[5]), 0.5);
}

TEST(Overlaps, AreLetThroughAndTold) {
  // Three spheres of 0.1 m on rails: a and b reach into each other at q = 0, c is far away.
  std::string urdf = R"(<robot name="balls"><link name="world"/>)";
  for (const auto& [name, x] : {std::pair{"a", 0.0}, {"b", 0.15}, {"c", 1.5}})
    urdf += fmt::format(R"(
      <link name="{0}"><inertial><mass value="1"/>
        <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
        <collision><geometry><sphere radius="0.1"/></geometry></collision></link>
      <joint name="j{0}" type="prismatic"><parent link="world"/><child link="{0}"/>
        <origin xyz="{1} 0 0"/><axis xyz="1 0 0"/>
        <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>)",
                        name, x);
  urdf += "</robot>";
  Robot robot = loadRobot(urdf, {}, Meshes::Load);
  ASSERT_TRUE(robot.isGood()) << robot.diagnostics.toString();
  const std::size_t before = robot.model->ignoredBodyPairs.size();
  Diagnostics diagnostics;
  ignoreOverlaps(robot, {0, 0.2, 0}, diagnostics);  // apart: nothing to do
  EXPECT_TRUE(diagnostics.all().empty());
  ignoreOverlaps(robot, {0, 0, 0}, diagnostics);
  ASSERT_EQ(diagnostics.all().size(), 1u);
  EXPECT_NE(diagnostics.all()[0].what.find("a and b"), std::string::npos);
  EXPECT_EQ(robot.model->ignoredBodyPairs.size(), before + 1);
}

}  // namespace
}  // namespace espalier::cli
