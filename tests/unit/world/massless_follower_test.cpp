// A massless link that mimics another moves with it as if it were not there.

#include <gtest/gtest.h>

#include <cmath>

#include "espalier/world/world.h"
#include "tests/unit/io/reproduction.h"

namespace espalier {
namespace {

std::string robot(const std::string& joint) {
  return R"(<robot name="m"><link name="world"/>
<link name="a"><inertial><origin xyz="0.1 0 0"/><mass value="1"/>
<inertia ixx="0.01" iyy="0.01" izz="0.01"/></inertial></link><link name="b"/>
<joint name="ja" type="continuous"><parent link="world"/><child link="a"/><axis xyz="0 1 0"/></joint>
<joint name="jb" )" +
         joint + R"(<parent link="a"/><child link="b"/><origin xyz="0.3 0 0"/><axis xyz="0 1 0"/>
</joint></robot>)";
}

/// By how much the leader's angle after half a second of falling differs from that of a robot whose
/// follower is welded, rad.
double difference(double dt) {
  World followed, alone;
  followed.setTimeStep(dt);
  alone.setTimeStep(dt);
  auto* a = followed.addArticulatedSystem(
      robot(R"(type="continuous"><mimic joint="ja" multiplier="-1"/>)"));
  auto* b = alone.addArticulatedSystem(robot(R"(type="fixed">)"));
  for (int i = 0; i < static_cast<int>(std::lround(0.5 / dt)); ++i) {
    followed.integrate();
    alone.integrate();
  }
  EXPECT_GT(std::abs(b->getGeneralizedCoordinate()[0]), 0.5);
  return std::abs(a->getGeneralizedCoordinate()[0] - b->getGeneralizedCoordinate()[0]);
}

// Steps of linkages are of second order and not the same as a tree's.
TEST(MasslessFollower, TheLeaderFallsAsIfAlone) {
  const double coarse = difference(1e-3), fine = difference(2.5e-4);
  EXPECT_LT(coarse, 1e-5);
  EXPECT_LT(fine, coarse / 12);
  if (const auto path = reproduction("massless_follower.urdf")) {
    World given;
    auto* system = given.addArticulatedSystem(*path);
    ASSERT_EQ(system->getDOF(), 1);
    Eigen::VectorXd u(1);
    u << 2;
    system->setGeneralizedVelocity(u);
    for (int i = 0; i < 100; ++i) given.integrate();
    EXPECT_NEAR(system->getGeneralizedVelocity()[0], 2, 1e-9) << "it turns about the vertical";
  }
}

}  // namespace
}  // namespace espalier
