// Joint limits: one-sided, as hard as contacts, and in the same problem with them.

#include <gtest/gtest.h>

#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

constexpr double mass = 2;

/// A mass on a vertical rail from -1 to 1.
struct Rail {
  World world;
  ArticulatedSystem* slider;

  explicit Rail(Scheme scheme) {
    SystemSpec spec = jointedBody(JointKind::Prismatic, SphereShape{0.1}, mass);
    spec.joints[0].limits.lower = -1;
    spec.joints[0].limits.upper = 1;
    world.setIntegrationScheme(scheme);
    world.setContactSolverParam(1e-10, 1000);
    slider = world.addArticulatedSystem(spec);
  }
  double q() const { return slider->getGeneralizedCoordinate()[0]; }
  double u() const { return slider->getGeneralizedVelocity()[0]; }
  void push(double force) { slider->setGeneralizedForce(Eigen::VectorXd::Constant(1, force)); }
};

class Limits : public ::testing::TestWithParam<Scheme> {};
INSTANTIATE_TEST_SUITE_P(Schemes, Limits,
                         ::testing::Values(Scheme::MIDPOINT, Scheme::SEMI_IMPLICIT),
                         [](const auto& scheme) {
                           return scheme.param == Scheme::MIDPOINT ? "Midpoint" : "SemiImplicit";
                         });

TEST_P(Limits, StopAndHold) {
  Rail rail(GetParam());
  for (int i = 0; i < 2000; ++i) {
    const StepReport& report = rail.world.integrate();
    ASSERT_EQ(report.flags, 0u);
    ASSERT_GT(rail.q(), -1 - 1e-5);
    if (i > 600) {  // falls 1 m in 0.452 s
      ASSERT_EQ(report.limits, 1);
      ASSERT_NEAR(rail.q(), -1, 1e-6);
      ASSERT_NEAR(rail.u(), 0, 1e-9);
    }
  }
  // They hold only one way: a force up lifts it off at once.
  rail.push(mass * (gravity + 3));
  const double q0 = rail.q();
  for (int i = 0; i < 100; ++i) rail.world.integrate();
  EXPECT_NEAR(rail.u(), 0.3, 1e-6);
  EXPECT_NEAR(rail.q() - q0, 0.015, GetParam() == Scheme::MIDPOINT ? 1e-6 : 2e-4);
  // And the other limit holds it from above.
  for (int i = 0; i < 2000; ++i) rail.world.integrate();
  EXPECT_NEAR(rail.q(), 1, 1e-6);
  EXPECT_NEAR(rail.u(), 0, 1e-9);
}

// Far away there is no row at all.
TEST_P(Limits, AreNotSeenFromAfar) {
  Rail rail(GetParam());
  rail.world.integrate();
  EXPECT_EQ(rail.world.report().limits, 0);
  EXPECT_NEAR(rail.u(), -gravity * 0.001, 1e-15);
}

// A coordinate set beyond its limit comes back by the share erp in each step.
TEST_P(Limits, ComeBackAsErpSays) {
  Rail rail(GetParam());
  rail.world.setGravity({0, 0, 0});
  rail.slider->setGeneralizedCoordinate(Eigen::VectorXd::Constant(1, 1.01));
  rail.world.integrate();
  EXPECT_NEAR(rail.u(), -0.2 * 0.01 / 0.001, 1e-9);
  for (int i = 0; i < 200; ++i) rail.world.integrate();
  EXPECT_LT(rail.q(), 1 + 1e-9);
}

// The arm goes limp: some joints fall to their limits and all stay within.
TEST_P(Limits, LimpArmStaysWithin) {
  World world;
  world.setIntegrationScheme(GetParam());
  ArticulatedSystem* arm = addRobot(world, "arm7", 0, 0);
  int rows = 0;
  for (int i = 0; i < 4000; ++i) {
    const StepReport& report = world.integrate();
    rows = std::max(rows, report.limits);
    const Eigen::VectorXd q = arm->getGeneralizedCoordinate();
    for (int b = 1; b <= 7; ++b) {
      const JointLimits& limits = arm->model().bodies[b].limits;
      ASSERT_GT(q[b - 1], limits.lower - 1e-5) << "joint " << b << ", step " << i;
      ASSERT_LT(q[b - 1], limits.upper + 1e-5) << "joint " << b << ", step " << i;
    }
  }
  EXPECT_GT(rows, 0);
}

// Limits and contacts at once: a limp strider lies on the ground, knees at their stops. Dropped
// softly, so that nothing is deep inside anything.
TEST_P(Limits, TogetherWithContacts) {
  World world;
  world.setIntegrationScheme(GetParam());
  world.addGround();
  ArticulatedSystem* robot = addRobot(world, "strider", 0, 1);
  int both = 0;
  double beyond = 0, deep = 0;
  for (int i = 0; i < 3000; ++i) {
    const StepReport& report = world.integrate();
    both += report.limits > 0 && report.activeContacts > 0;
    deep = std::max(deep, report.penetration);
    const Eigen::VectorXd q = robot->getGeneralizedCoordinate();
    for (int b = 1; b <= 12; ++b) {
      const JointLimits& limits = robot->model().bodies[b].limits;
      beyond = std::max({beyond, limits.lower - q[6 + b], q[6 + b] - limits.upper});
    }
  }
  EXPECT_GT(both, 100);
  EXPECT_LT(beyond, 1e-4);
  EXPECT_LT(deep, 1e-4);
}

}  // namespace
}  // namespace espalier::testing
