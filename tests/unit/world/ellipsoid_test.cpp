// Ellipsoids that rest, swing and roll on a plane, against closed forms and conserved quantities.

#include <gtest/gtest.h>

#include <numbers>

#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

constexpr Vec3d radii{0.15, 0.1, 0.2};

/// An ellipsoid on a plane that it does not slip on.
struct Rolling {
  World world;
  SingleBodyObject* egg;

  Rolling(const Vec3d& r, double dt, Scheme scheme = Scheme::MIDPOINT) {
    world.setTimeStep(dt);
    world.setIntegrationScheme(scheme);
    world.setContactSolverParam(1e-12, 1000);
    world.setDefaultMaterial(5, 0, 0.01);
    world.addGround();
    BodySpec spec;
    spec.name = "egg";
    spec.collisions.resize(1);
    spec.collisions[0].shape = EllipsoidShape{r};
    spec.inertial = {2, identityTransform<double>(), inertia(EllipsoidShape{r}, 2).I};
    egg = world.addBody(spec);
  }
  double energy() const { return egg->getEnergy({0, 0, -gravity}); }
  /// Largest change of energy over so long, J.
  double drift(double duration) {
    const double start = energy();
    double most = 0;
    const auto steps = static_cast<int>(std::lround(duration / world.getTimeStep()));
    for (int i = 0; i < steps; ++i) {
      world.integrate();
      most = std::max(most, std::abs(energy() - start));
    }
    return most;
  }
};

TEST(EllipsoidOnPlane, RestsOnItsShortestAxis) {
  Rolling scene({0.3, 0.2, 0.1}, 1e-3);
  scene.egg->setPosition(0, 0, 0.1);
  for (int i = 0; i < 1000; ++i) scene.world.integrate();
  EXPECT_NEAR(scene.egg->getPosition().z(), 0.1, 1e-6);
  EXPECT_NEAR(scene.egg->getPosition().head<2>().norm(), 0, 1e-9);
  EXPECT_EQ(scene.egg->getObjectType(), ObjectType::ELLIPSOID);
}

// About the shortest axis c upright, tilted by theta in the plane of a and c, the potential is
// m g sqrt(a^2 sin^2 + c^2 cos^2): stiffness m g (a^2 - c^2) / c about the contact, whose inertia is
// I_y + m c^2.
TEST(EllipsoidOnPlane, SwingsWithItsPeriod) {
  const Vec3d r{0.3, 0.2, 0.1};
  Rolling scene(r, 5e-4);
  const double theta = 0.01;
  scene.egg->setPose({0, 0, std::hypot(r.x * std::sin(theta), r.z * std::cos(theta))},
                     Vec<4>(std::cos(theta / 2), 0, std::sin(theta / 2), 0));
  const double m = 2, stiffness = m * gravity * (r.x * r.x - r.z * r.z) / r.z,
               I = m * (r.x * r.x + r.z * r.z) / 5 + m * r.z * r.z;
  const double period = 2 * std::numbers::pi * std::sqrt(I / stiffness);
  std::vector<double> crossings;  // of the rate, downwards: the tilt is largest
  double before = 0, time = 0;
  while (crossings.size() < 6 && time < 20 * period) {
    scene.world.integrate();
    time += scene.world.getTimeStep();
    const double rate = scene.egg->getAngularVelocity().y();
    if (before > 0 && rate <= 0)
      crossings.push_back(time - scene.world.getTimeStep() * rate / (rate - before));
    before = rate;
  }
  ASSERT_EQ(crossings.size(), 6u);
  EXPECT_NEAR((crossings[5] - crossings[0]) / 5, period, 2e-3 * period);
}

// Without slip the contact does no work: what energy changes is of the step's order.
TEST(EllipsoidOnPlane, RollingKeepsItsEnergy) {
  const auto drift = [](double dt) {
    Rolling scene(radii, dt);
    scene.egg->setPosition(0, 0, radii.z);
    scene.egg->setAngularVelocity({1, 3, 0.5});
    scene.egg->setLinearVelocity({3 * radii.z, -1 * radii.z, 0});
    return scene.drift(1);
  };
  const double coarse = drift(1e-3), fine = drift(2.5e-4);
  EXPECT_LT(coarse, 1e-2);
  EXPECT_LT(fine, 0.4 * coarse);
}

}  // namespace
}  // namespace espalier::testing
