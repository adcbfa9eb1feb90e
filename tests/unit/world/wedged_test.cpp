// Where a contact wedges a robot no motion removes its penetration: it sticks where it is, as friction
// makes it, and what no motion corrects is neither a failure of the solver nor an impulse without
// limit.

#include <gtest/gtest.h>

#include <cmath>

#include "espalier/step/backoff.h"
#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

constexpr double length = 1, radius = 0.05, mass = 2, lean = 0.2, overlap = 1e-3;

/// A pendulum that leans by 0.2 rad, its ball 1 mm deep in the ground below. The ball's velocity is
/// along d = (cos 0.2, 0, sin 0.2) times the rate; impulses across d move nothing, and lie in the
/// friction cone where mu > tan 0.2. Leaving the ground, the ball would slide outwards, against which
/// friction turns the pendulum back with more than the normal impulse lifts it.
struct Leaning {
  World world;
  ArticulatedSystem* pendulum;

  explicit Leaning(double friction) {
    world.setContactSolverParam(1e-10, ContactSettings{}.maxSweeps);
    world.setDefaultMaterial(friction, 0, 0);
    SystemSpec spec = jointedBody(JointKind::Revolute, SphereShape{radius}, mass, {0, -1, 0});
    LinkSpec& link = spec.links.back();
    link.collisions[0].X_LG.p = link.inertial->X_LC.p = {0, 0, -length};
    pendulum = world.addArticulatedSystem(spec);
    pendulum->setState(Eigen::VectorXd::Constant(1, lean), Eigen::VectorXd::Zero(1));
    world.addGround(-length * std::cos(lean) - radius + overlap);
  }
};

TEST(Wedged, SticksWhereItIs) {
  for (const double friction : {0.25, 0.8, 5.0}) {
    Leaning scene(friction);
    for (int i = 0; i < 200; ++i) {
      const StepReport& report = scene.world.integrate();
      ASSERT_EQ(report.flags, 0u) << friction << ", step " << i;
      ASSERT_LE(report.residual, 1e-10);
      EXPECT_EQ(report.uncorrected, 1);
      EXPECT_NEAR(report.penetration, overlap, 1e-8);
      ASSERT_EQ(scene.world.contacts().size(), 1u);
      // Its moment about the hinge is that of the weight; it stays of its size.
      const Contact& c = scene.world.contacts()[0];
      const Eigen::Vector3d impulse = impulseOn(c) * (c.typeA == BodyType::STATIC ? -1 : 1);
      const double dt = scene.world.getTimeStep(), weight = dt * mass * gravity;
      const double moment = c.position.z * impulse.x() - c.position.x * impulse.z();
      EXPECT_NEAR(moment, -weight * length * std::sin(lean), 1e-7 * weight);
      EXPECT_LT(impulse.norm(), 100 * weight);
    }
    EXPECT_NEAR(scene.pendulum->getGeneralizedCoordinate()[0], lean, 1e-7);
  }
}

/// With friction below tan 0.2 it slides out of the ground.
TEST(Wedged, SlidesWhereItCan) {
  Leaning scene(0.1);
  double penetration = 1;
  for (int i = 0; i < 200; ++i) {
    const StepReport& report = scene.world.integrate();
    ASSERT_EQ(report.flags, 0u) << "step " << i;
    EXPECT_EQ(report.uncorrected, 0);
    penetration = report.penetration;
  }
  EXPECT_LT(penetration, 0.01 * overlap);
}

/// That nothing follows the corrections is found out in ever fewer steps (step/backoff.h).
TEST(Wedged, IsTriedInEverFewerSteps) {
  Leaning scene(0.8);
  const int tried = scene.world.integrate().iterations;
  int tries = 0;
  for (int i = 1; i < 200; ++i) tries += 2 * scene.world.integrate().iterations > tried;
  EXPECT_LE(tries, 200 / (1 + Backoff::most_waiting) + Backoff::most_failures);
  EXPECT_GE(tries, 200 / (1 + Backoff::most_waiting));
}

TEST(Wedged, IsCorrectedSoonAfterItCanBe) {
  Leaning scene(0.8);
  for (int i = 0; i < 100; ++i) scene.world.integrate();
  scene.world.setDefaultMaterial(0.1, 0, 0);
  int uncorrected = 0;
  for (int i = 0; i < 200; ++i) uncorrected += scene.world.integrate().uncorrected;
  EXPECT_LE(uncorrected, Backoff::most_waiting);
  EXPECT_LT(scene.world.report().penetration, 0.01 * overlap);
}

/// How long corrections are still left out is a part of the state.
TEST(Wedged, GoesOnFromAState) {
  Leaning scene(0.8), other(0.8);
  for (int i = 0; i < 20; ++i) scene.world.integrate();
  other.world.setState(scene.world.getState());
  for (int i = 0; i < 40; ++i) {
    const int iterations = scene.world.integrate().iterations;
    EXPECT_EQ(other.world.integrate().iterations, iterations) << "step " << i;
    EXPECT_EQ(other.world.stateHash(), scene.world.stateHash());
  }
}

}  // namespace
}  // namespace espalier::testing
