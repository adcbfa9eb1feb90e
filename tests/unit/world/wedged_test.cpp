// Where a contact wedges a robot no motion removes its penetration: it sticks where it is, as friction
// makes it, and what no motion corrects is neither a failure of the solver nor an impulse without
// limit.

#include <gtest/gtest.h>

#include <cmath>

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
      ASSERT_LE(report.residual, 1e-8);
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

}  // namespace
}  // namespace espalier::testing
