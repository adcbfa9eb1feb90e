// Links of a robot that overlap in a pose.
#include <gtest/gtest.h>

#include "espalier/io/urdf/urdf.h"
#include "espalier/world/overlaps.h"
#include "espalier/world/world.h"

namespace espalier {
namespace {

/// Balls of 0.1 m on rails along x: at zero a and b reach 50 mm into each other, c is far away.
std::string ballsOnRails() {
  std::string text = R"(<robot name="balls"><link name="world"/>)";
  const auto ball = [&](const std::string& name, const std::string& x) {
    text += "<link name=\"" + name + R"("><inertial><mass value="1"/>
      <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
      <collision><geometry><sphere radius="0.1"/></geometry></collision></link>
      <joint name="rail_)" +
            name + R"(" type="prismatic"><parent link="world"/><child link=")" + name +
            R"("/><origin xyz=")" + x + R"( 0 1"/><axis xyz="1 0 0"/>
      <limit lower="-9" upper="9" effort="9" velocity="9"/></joint>)";
  };
  ball("a", "0");
  ball("b", "0.15");
  ball("c", "1.5");
  return text + "</robot>";
}

SystemSpec withAllContacts() { return io::loadRobot(ballsOnRails()).value(); }

TEST(Overlaps, OfARobotFileAreLetThrough) {
  World world;
  world.setGravity({0, 0, 0});
  ArticulatedSystem* robot = world.addArticulatedSystem(ballsOnRails());
  EXPECT_EQ(world.integrate().contacts, 0);
  EXPECT_EQ(robot->spec().ignoredPairs.at(0).reason, "overlap at the neutral pose");
  robot->setGeneralizedCoordinate(Eigen::Vector3d(0, 0.2, -1.2));
  EXPECT_EQ(world.integrate().contacts, 1);  // b and c, which are apart at the neutral pose
  world.addArticulatedSystem(ballsOnRails(), io::UrdfOptions{});
  world.addArticulatedSystem(ballsOnRails(), "");
  SystemSpec spec = withAllContacts();
  EXPECT_EQ(excludeOverlaps(spec), "1 pair of links: a and b");
  EXPECT_EQ(excludeOverlaps(spec), "");
}

TEST(Overlaps, AreFoundWithTheirDepth) {
  World world;
  ArticulatedSystem* robot = world.addArticulatedSystem(withAllContacts());
  const Overlaps found = findOverlaps(robot->model(), Eigen::Vector3d(0, 0, 0));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NEAR(found.begin()->second, 0.05, 1e-12);
  EXPECT_EQ(nameOverlaps(found, robot->model()), "1 pair of links: a and b");
  EXPECT_TRUE(findOverlaps(robot->model(), Eigen::Vector3d(0, 0.2, 0)).empty());
  EXPECT_EQ(findOverlaps(robot->model(), Eigen::Vector3d(0, -0.1, -1.4)).size(), 3u);
}

/// What overlaps when it is called is let through from then on; other pairs go on to collide.
TEST(Overlaps, OfThePresentPoseAreIgnored) {
  World world;
  world.setGravity({0, 0, 0});
  ArticulatedSystem* robot = world.addArticulatedSystem(withAllContacts());
  robot->setGeneralizedCoordinate(Eigen::Vector3d(0, 0.2, -1.2));  // b and c overlap by 0.15
  EXPECT_EQ(ignoreOverlaps(*robot).size(), 1u);
  EXPECT_EQ(world.integrate().contacts, 0);
  robot->setGeneralizedCoordinate(Eigen::Vector3d(0, 0, 0));
  EXPECT_EQ(world.integrate().contacts, 1);
  EXPECT_EQ(ignoreOverlaps(*robot).size(), 1u);
  EXPECT_EQ(world.integrate().contacts, 0);
}

}  // namespace
}  // namespace espalier
