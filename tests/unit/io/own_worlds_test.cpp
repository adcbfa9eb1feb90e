// The worlds and templates in models/.

#include <gtest/gtest.h>

#include <algorithm>

#include "espalier/io/export/export.h"
#include "espalier/io/spec_difference.h"
#include "espalier/io/urdf/urdf.h"
#include "espalier/io/world_xml/world_xml.h"
#include "remarks.h"
#include "tests/support/source_folder.h"

namespace espalier::io {
namespace {

const std::string models = sourceFolder() + "/models/";

WorldSpec loadOwn(const std::string& name) {
  auto world = loadWorld(models + "worlds/" + name);
  EXPECT_TRUE(world) << world.diagnostics().toString();
  EXPECT_TRUE(world.diagnostics().all().empty()) << world.diagnostics().toString();
  return world ? std::move(world).value() : WorldSpec();
}

TEST(OwnWorlds, LoadWithoutARemarkAndComeBackTheSame) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(models + "worlds")) {
    if (entry.path().extension() != ".xml") continue;
    SCOPED_TRACE(entry.path().string());
    const WorldSpec world = loadOwn(entry.path().filename().string());
    EXPECT_TRUE(isWorld(entry.path().string()));
    const auto again = loadWorld(exportWorldXml(world));
    ASSERT_TRUE(again) << again.diagnostics().toString();
    EXPECT_EQ(difference(world, *again), "");
    ++count;
  }
  EXPECT_GE(count, 2);
}

TEST(OwnWorlds, TrackedRobotsOfOneTemplate) {
  const WorldSpec world = loadOwn("tracked_robot.xml");
  ASSERT_EQ(world.systems.size(), 2u);
  EXPECT_EQ(world.systems[0].system.joints.size(), 8u);
  EXPECT_EQ(world.systems[1].system.joints.size(), 14u);
  EXPECT_EQ(world.systems[1].q.size(), 7u + 14u);
  EXPECT_EQ(world.bodies.size(), 1u + 6u);
  EXPECT_TRUE(std::holds_alternative<Heightfield>(world.bodies[0].collisions[0].shape));
}

TEST(OwnWorlds, TheStateOfAMechanismIsThatOfItsIndependentJointsOrOfAll) {
  const WorldSpec world = loadOwn("beest.xml");
  ASSERT_EQ(world.systems.size(), 1u);
  EXPECT_EQ(world.systems[0].q.size(), 7u + 1u);
  EXPECT_EQ(world.systems[0].u.size(), 6u + 1u);
  const auto fourBar = [](const std::string& qpos) {
    return loadWorld("<raisim><objects><articulated_system urdf_path=\"" + models +
                     "four_bar/four_bar.urdf\">\n<state qpos=\"" + qpos +
                     "\"/></articulated_system></objects></raisim>");
  };
  EXPECT_TRUE(fourBar("0"));
  EXPECT_TRUE(fourBar("0 0 0"));
  const auto neither = fourBar("0 0");
  EXPECT_FALSE(neither);
  expectRemark(neither.diagnostics(), Severity::Error, 2, "has 2 numbers, the robot 'four_bar'");
}

TEST(OwnWorlds, TheTemplateHasDefaultsThatMayBeReplaced) {
  const std::string file = models + "tracked_robot/tracked_robot.urdf";
  const auto plain = loadRobot(file);
  ASSERT_TRUE(plain) << plain.diagnostics().toString();
  EXPECT_TRUE(plain.diagnostics().all().empty()) << plain.diagnostics().toString();
  EXPECT_EQ(plain->joints.size(), 10u);
  UrdfOptions options;
  options.parameters = {{"wheels", "3"}, {"radius", "0.2"}, {"hull_mass", "100"}};
  const auto other = loadRobot(file, options);
  ASSERT_TRUE(other) << other.diagnostics().toString();
  ASSERT_EQ(other->joints.size(), 6u);
  EXPECT_EQ(other->links[0].inertial->mass, 100);
  EXPECT_EQ(std::get<CylinderShape>(other->links[1].collisions[0].shape).radius, 0.2);
  // The lift of the outermost wheels follows from the radius.
  EXPECT_NEAR(other->joints[0].X_PJ.p.z - other->joints[1].X_PJ.p.z, 0.1, 1e-15);
  const auto first = other->joints[0].X_PJ.p, last = other->joints[2].X_PJ.p;
  EXPECT_DOUBLE_EQ(first.x, -0.6);
  EXPECT_DOUBLE_EQ(last.x, 0.6);
  EXPECT_DOUBLE_EQ(other->joints[3].X_PJ.p.y, -first.y) << "left and right";
}

TEST(OwnWorlds, StriderStandsAmongCrates) {
  const WorldSpec world = loadOwn("strider_crates.xml");
  ASSERT_EQ(world.systems.size(), 1u);
  EXPECT_EQ(world.systems[0].q.size(), 19u);
  EXPECT_EQ(world.bodies.size(), 1u + 4u + 5u + 1u);
  EXPECT_EQ(std::count_if(world.bodies.begin(), world.bodies.end(),
                          [](const BodySpec& b) { return b.type == BodyType::DYNAMIC; }),
            10);
}

}  // namespace
}  // namespace espalier::io
