// Contacts whose normal no joint can follow are left out, and told of.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/lane_twins.h"
#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

/// Three links in a plane, the first and the last of which overlap sideways by a micrometre; the last
/// axis leans by so much.
std::string flushLinks(double lean) {
  const std::string inertial =
      R"(<inertial><origin xyz="0.1 0 0"/><mass value="1"/>
         <inertia ixx="0.002" ixy="0" ixz="0" iyy="0.004" iyz="0" izz="0.004"/></inertial>)";
  const auto box = [](const std::string& z) {
    return R"(<collision><origin xyz="0.1 0 )" + z +
           R"("/><geometry><box size="0.2 0.04 0.02"/></geometry></collision>)";
  };
  const auto joint = [](const std::string& name, const std::string& a, const std::string& b,
                        const std::string& origin) {
    return R"(<joint name=")" + name + R"(" type="continuous"><parent link=")" + a +
           R"("/><child link=")" + b + R"("/><origin )" + origin +
           R"(/><axis xyz="0 0 1"/></joint>)";
  };
  return R"(<robot name="flush"><link name="world"/><link name="a">)" + inertial + box("0") +
         R"(</link><link name="b">)" + inertial + R"(</link><link name="c">)" + inertial +
         box("0.019999") + "</link>" +
         joint("j1", "world", "a", R"(xyz="0 0 1" rpy="1.5707963267948966 0 0")") +
         joint("j2", "a", "b", R"(xyz="0.2 0 0")") +
         joint("j3", "b", "c",
               R"(xyz="0.2 0 0" rpy=")" + std::to_string(lean * 1e9) + R"(e-9 0 0")") +
         "</robot>";
}

ArticulatedSystem* addLinks(World& world, double lean) {
  world.setERP(0.2);
  ArticulatedSystem* robot = world.addArticulatedSystem(flushLinks(lean));
  robot->setGeneralizedCoordinate(Eigen::Vector3d(0.3, 2.9, 2.9));
  return robot;
}

TEST(DroppedContact, LinksThatOverlapSidewaysSwingFreely) {
  for (const double lean : {0., 1e-9, 1e-8, 4.6e-5}) {  // the last: 1.57075 for a right angle
    World world;
    world.setEnergyMonitoring(true);
    addLinks(world, lean);
    double balance = 0, start = 0;
    int dropped = 0;
    for (int i = 0; i < 1000; ++i) {
      const StepReport& report = world.integrate();
      if (i == 0) start = report.energy;
      dropped += report.has(StepFlag::ContactDropped);
      EXPECT_EQ(report.flags & ~static_cast<std::uint32_t>(StepFlag::ContactDropped), 0u)
          << "step " << i;
      ASSERT_LE(report.residual, 1e-8);
      ASSERT_LT(report.energy, start + 1e-3) << "step " << i;
      balance += report.energyBalance;
    }
    EXPECT_GT(dropped, 0) << lean;
    EXPECT_LT(balance, 1e-3) << lean;
  }
}

/// A lever of a millimetre is one.
TEST(DroppedContact, AContactThatCanBeFollowedIsKept) {
  World world;
  addLinks(world, 0.01);
  for (int i = 0; i < 10; ++i) EXPECT_FALSE(world.integrate().has(StepFlag::ContactDropped));
}

TEST(DroppedContact, IsTheSameInLanes) {
  LaneTwins twins(5, [&](World& world, int i) {
    addLinks(world, 1e-9)->setGeneralizedVelocity(Eigen::Vector3d(0.1 * i, 0, 0));
  });
  int dropped = 0;
  EXPECT_TRUE(twins.expectSame(
      50, [&](World& world, int) { dropped += world.report().has(StepFlag::ContactDropped); }));
  EXPECT_GT(dropped, 0);
}

}  // namespace
}  // namespace espalier::testing
