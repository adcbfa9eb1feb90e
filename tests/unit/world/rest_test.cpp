// What lies at rest stays at rest: no creep, no flicker, no drift, and the ground bears the weight.

#include <gtest/gtest.h>

#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

/// Which contacts there are. Which of four on a flat face bear the weight is not determined.
std::vector<std::array<int, 3>> contactList(const World& world) {
  std::vector<std::array<int, 3>> list;
  for (const Contact& c : world.contacts())
    list.push_back({c.geomA.value, c.geomB.value, c.feature});
  return list;
}

/// Steps on and says how far the first system's base moved and whether its contacts changed.
struct Rest {
  double way = 0, fastest = 0, residual = 0, penetration = 0;
  int changes = 0;
  std::uint32_t flags = 0;
};
Rest rest(World& world, int settle, int steps) {
  world.setContactSolverParam(1e-10, 1000);
  for (int i = 0; i < settle; ++i) world.integrate();
  Rest r;
  const Eigen::VectorXd before = world.system(0)->getGeneralizedCoordinate();
  auto list = contactList(world);
  for (int i = 0; i < steps; ++i) {
    const StepReport& report = world.integrate();
    r.flags |= report.flags;
    r.residual = std::max(r.residual, report.residual);
    r.penetration = std::max(r.penetration, report.penetration);
    r.fastest =
        std::max(r.fastest, world.system(0)->getGeneralizedVelocity().cwiseAbs().maxCoeff());
    auto now = contactList(world);
    r.changes += now != list;
    list = std::move(now);
  }
  r.way = (world.system(0)->getGeneralizedCoordinate() - before).norm();
  return r;
}

struct Case {
  const char* name;
  Shape shape;
  double height;
};

class RestingBody : public ::testing::TestWithParam<Case> {};

TEST_P(RestingBody, DoesNotMoveOrFlicker) {
  for (const Scheme scheme : {Scheme::MIDPOINT, Scheme::SEMI_IMPLICIT}) {
    World world;
    world.setIntegrationScheme(scheme);
    world.addGround();
    ArticulatedSystem* body = world.addArticulatedSystem(freeBody("body", GetParam().shape, 5));
    place(*body, {0.3, -0.2, GetParam().height});
    const Rest r = rest(world, 200, 5000);
    EXPECT_EQ(r.flags, 0u);
    EXPECT_EQ(r.changes, 0);
    EXPECT_LT(r.way, 1e-9);
    EXPECT_LT(r.fastest, 1e-8);  // rad/s too, at 1e-10 m/s of tolerance
    EXPECT_LE(r.residual, 1e-10);
    EXPECT_LT(r.penetration, 1e-9);
    double weight = 0;
    for (const Contact& c : world.contacts()) weight += std::abs(impulseOn(c).z());
    EXPECT_NEAR(weight / world.getTimeStep(), 5 * gravity, 1e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, RestingBody,
                         ::testing::Values(Case{"sphere", SphereShape{0.2}, 0.2},
                                           Case{"box", BoxShape{{0.3, 0.4, 0.2}}, 0.1},
                                           Case{"cylinder", CylinderShape{0.2, 0.3}, 0.15}),
                         [](const auto& shape) { return shape.param.name; });

// Dropped a little, tilted a little: it lands, rocks, and comes to rest for good.
TEST(Rest, DroppedBoxSettles) {
  World world;
  world.addGround();
  ArticulatedSystem* box =
      world.addArticulatedSystem(freeBody("box", BoxShape{{0.3, 0.4, 0.2}}, 5));
  place(*box, {0, 0, 0.2}, {0.1, 0, 0}, {0, 0.5, 0.2}, {0.998, 0.04, 0.05, 0});
  const Rest r = rest(world, 3000, 3000);
  EXPECT_EQ(r.flags, 0u);
  EXPECT_EQ(r.changes, 0);
  EXPECT_LT(r.fastest, 1e-8);
  EXPECT_LT(r.way, 3e-9);
  EXPECT_NEAR(box->getGeneralizedCoordinate()[2], 0.1, 1e-6);
}

// Three boxes, one upon the other.
TEST(Rest, StackStands) {
  World world;
  world.addGround();
  for (int i = 0; i < 3; ++i)
    place(*world.addArticulatedSystem(freeBody("box", BoxShape{{0.3, 0.3, 0.2}}, 2)),
          {0.01 * i, 0, 0.1 + 0.2 * i});
  const Rest r = rest(world, 500, 2000);
  EXPECT_EQ(r.flags, 0u);
  EXPECT_LE(r.residual, 1e-10);
  EXPECT_LT(r.fastest, 1e-8);
  for (int i = 0; i < 3; ++i)
    EXPECT_NEAR(world.system(i)->getGeneralizedCoordinate()[2], 0.1 + 0.2 * i, 1e-6);
}

// A penetration that was put there vanishes by the share erp in each step, down to the slop.
TEST(Rest, PenetrationIsRemovedAsErpSays) {
  World world;
  world.addGround();
  world.setERP(0.2, 1e-3);
  world.setGravity({0, 0, 0});
  world.setIntegrationScheme(Scheme::SEMI_IMPLICIT);
  ArticulatedSystem* ball = world.addArticulatedSystem(freeBody("ball", SphereShape{0.1}, 1));
  double depth = 0.011;
  place(*ball, {0, 0, 0.1 - depth});
  for (int i = 0; i < 20; ++i) {
    world.integrate();
    depth -= 0.2 * (depth - 1e-3);
    EXPECT_NEAR(0.1 - ball->getGeneralizedCoordinate()[2], depth, 1e-9);
    place(*ball, {0, 0, 0.1 - depth});  // without the velocity that carried it out
  }
}

}  // namespace
}  // namespace espalier::testing
