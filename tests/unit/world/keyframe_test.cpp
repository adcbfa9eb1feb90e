// Worlds that start with coordinates of all joints, as a MuJoCo file's keyframe gives them.

#include <gtest/gtest.h>

#include <numbers>

#include "espalier/io/world_xml/world_xml.h"
#include "tests/support/mjcf_rhombus.h"
#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

constexpr double degree = std::numbers::pi / 180;

/// Led by its first joint.
WorldSpec rhombus(const std::string& more) {
  auto spec = io::loadWorld(mjcfRhombus("<actuator><motor joint=\"j_a\"/></actuator>" + more));
  EXPECT_TRUE(spec) << spec.diagnostics().toString();
  return spec ? *spec : WorldSpec{};
}

TEST(Keyframes, ALinkageIsBentAsAllItsCoordinatesSay) {
  World world(rhombus(""));
  ArticulatedSystem& robot = *world.system(0);
  ASSERT_EQ(robot.getDOF(), 1);
  const Eigen::Vector3d refs(-30, 60, 120);
  EXPECT_LT((robot.getSpanningCoordinate() - refs * degree).norm(), 1e-9);
}

TEST(Keyframes, VelocitiesOfAllJointsAreThoseOfTheIndependentOne) {
  World world(rhombus("<keyframe><key qvel=\"0.5 -1 0.5\"/></keyframe>"));
  ArticulatedSystem& robot = *world.system(0);
  EXPECT_NEAR(robot.getGeneralizedVelocity()[0], 0.5, 1e-15);
  const Eigen::VectorXd follow = robot.getSpanningVelocity();
  robot.setGeneralizedVelocity(Eigen::VectorXd::Zero(1));
  robot.setSpanningVelocity(follow);
  EXPECT_LT((robot.getSpanningVelocity() - follow).norm(), 1e-14);
}

TEST(Keyframes, AFloatingJointComesToItsPlaceInTheWorld) {
  const auto spec = io::loadWorld(
      "<mujoco><worldbody><body name=\"base\" pos=\"1 2 3\" euler=\"0 0 90\"><joint type=\"free\" "
      "name=\"f\" armature=\".1\"/><geom size=\".1\"/><body pos=\"0 0 .3\"><joint name=\"a\"/>"
      "<geom size=\".1\"/></body></body></worldbody><keyframe><key qpos=\"4 5 6 0 0 0 1 .7\"/>"
      "</keyframe></mujoco>");
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  World world(*spec);
  const ArticulatedSystem& robot = *world.system(0);
  const Transformd pose = robot.getBodyPose(robot.getBodyIdx("base"));
  EXPECT_NEAR(pose.p.x, 4, 1e-12);
  EXPECT_NEAR(pose.p.y, 5, 1e-12);
  EXPECT_NEAR(pose.p.z, 6, 1e-12);
  EXPECT_NEAR(pose.R.r0.x, -1, 1e-12) << "half a turn about z";
}

}  // namespace
}  // namespace espalier::testing
