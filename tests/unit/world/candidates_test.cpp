// Contacts across a gap stay out of the contact problem until they matter (step/candidates.h).
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

/// A seesaw about y, both ends 1 m from the axle, 1 mm below a ceiling at its right end; a ball comes
/// down on the left one at 5 m/s.
struct Seesaw {
  World world;
  ArticulatedSystem* beam;
  ArticulatedSystem* ball;

  Seesaw(Scheme scheme, double rolling) {
    MaterialPairSpec pair;
    pair.friction = 0.5;
    pair.rollingFriction = rolling;
    world.setDefaultMaterial(pair);
    world.setIntegrationScheme(scheme);
    world.setContactSolverParam(1e-10, 1000);
    world.setGravity({0, 0, 0});
    beam = world.addArticulatedSystem(
        jointedBody(JointKind::Revolute, BoxShape{{2, 0.1, 0.1}}, 1, {0, 1, 0}));
    Transformd above = identityTransform<double>();
    above.p = {0.9, 0, 0.05 + 0.001 + 0.1};
    world.addBody(fixedShape("ceiling", BoxShape{{0.2, 0.2, 0.2}}, above));
    ball = world.addArticulatedSystem(freeBody("ball", SphereShape{0.1}, 5));
    place(*ball, {-0.9, 0, 0.05 + 0.1 + 0.012}, {0, 0, -5});
  }
  /// The largest normal impulse between beam and ceiling, N s; -1: no contact is listed.
  double atCeiling() const {
    double most = -1;
    for (const Contact& c : world.contacts())
      if (c.typeA == BodyType::STATIC || c.typeB == BodyType::STATIC)
        most = std::max(most, c.impulse.z);
    return most;
  }
};

/// Schemes, and rolling friction (m), whose groups come behind those of the contacts.
class Candidates : public ::testing::TestWithParam<std::tuple<Scheme, double>> {};

TEST_P(Candidates, OneThatAnImpactClosesStopsInTheSameStep) {
  Seesaw scene(std::get<0>(GetParam()), std::get<1>(GetParam()));
  double worst = 0, pushed = 0;
  bool wasListed = false;
  for (int i = 0; i < 10; ++i) {
    scene.world.integrate();
    EXPECT_FALSE(scene.world.report().has(StepFlag::SolverNotConverged));
    worst = std::max(worst, scene.world.report().penetration);
    const double impulse = scene.atCeiling();
    wasListed |= pushed == 0 && impulse == 0;
    pushed += std::max(impulse, 0.0);
  }
  EXPECT_TRUE(wasListed) << "near misses are reported";
  EXPECT_GT(pushed, 1) << "the ceiling takes the ball's momentum through the beam";
  // Beam and ball are stopped where they touch, up to the curvature of a step.
  EXPECT_LT(worst, 2e-5);
  EXPECT_LT(std::abs(scene.ball->getGeneralizedVelocity()[2]), 0.1);
}

INSTANTIATE_TEST_SUITE_P(Schemes, Candidates,
                         ::testing::Combine(::testing::Values(Scheme::MIDPOINT,
                                                              Scheme::SEMI_IMPLICIT),
                                            ::testing::Values(0.0, 0.002)));

}  // namespace
}  // namespace espalier::testing
