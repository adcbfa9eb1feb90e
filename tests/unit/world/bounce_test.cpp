// Restitution against its closed form: Moreau's law v_N+ = -e v_N on a touching contact.

#include <gtest/gtest.h>

#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

constexpr double radius = 0.1, mass = 0.7;

/// A ball that falls from rest, and how high it rises after each impact: energy over m g.
class Bounce {
 public:
  World world;
  ArticulatedSystem* ball;

  Bounce(double dt, double height, double restitution) {
    world.setTimeStep(dt);
    world.setERP(0);
    world.setContactSolverParam(1e-14, 1000);
    world.setDefaultMaterial(0.5, restitution, 0.01);
    world.addGround();
    ball = world.addArticulatedSystem(freeBody("ball", SphereShape{radius}, mass));
    place(*ball, {0, 0, radius + height});
  }

  double height() const { return ball->getGeneralizedCoordinate()[2] - radius; }
  double speed() const { return ball->getGeneralizedVelocity()[2]; }
  /// Of the apex the ball is flying to.
  double apex() const { return height() + speed() * speed() / (2 * gravity); }
  /// Steps on until the ball rises from the ground.
  void nextImpact() {
    do world.integrate();
    while (speed() < 0);
    do world.integrate();
    while (!(speed() > 0));
  }
};

TEST(Bounce, ElasticBallKeepsItsHeight) {
  Bounce bounce(0.001, 1, 1);
  int impacts = 0;
  double before = bounce.speed();
  for (int i = 0; i < 10000; ++i) {
    bounce.world.integrate();
    impacts += before < 0 && bounce.speed() > 0;
    before = bounce.speed();
    ASSERT_NEAR(bounce.apex(), 1, 1e-12) << "after " << impacts << " impacts";
  }
  // 10 s at 2 sqrt(2 h / g) = 0.903 s from impact to impact, the first after half of that
  EXPECT_EQ(impacts, 11);
}

// h_k = e^2k h; an impact is found up to v dt beyond the ground and spoils h_k by at most that.
TEST(Bounce, InelasticBallLosesItsShare) {
  for (const double dt : {0.001, 0.0001}) {
    Bounce bounce(dt, 1, 0.5);
    double expected = 1, tolerance = 0;
    for (int k = 0; k < 4; ++k) {
      tolerance = 0.25 * tolerance + std::sqrt(2 * gravity * expected) * dt;
      expected *= 0.25;
      // To just after impact k.
      while (bounce.speed() <= 0) bounce.world.integrate();
      EXPECT_NEAR(bounce.apex(), expected, tolerance) << "impact " << k << ", dt " << dt;
      while (bounce.speed() > 0) bounce.world.integrate();
    }
  }
}

// Below the threshold nothing bounces: the ball comes to rest on the ground.
TEST(Bounce, SlowImpactsDoNotBounce) {
  Bounce bounce(0.001, 1, 0.5);
  for (int i = 0; i < 4000; ++i) bounce.world.integrate();
  for (int i = 0; i < 1000; ++i) {
    bounce.world.integrate();
    ASSERT_NEAR(bounce.speed(), 0, 1e-10);
  }
  EXPECT_NEAR(bounce.height(), 0, 0.01 * 0.001 * 2);
}

TEST(Bounce, WithoutRestitutionTheBallStaysWhereItLands) {
  for (const Scheme scheme : {Scheme::MIDPOINT, Scheme::SEMI_IMPLICIT}) {
    Bounce bounce(0.001, 1, 0);
    bounce.world.setIntegrationScheme(scheme);
    double deepest = 0;
    for (int i = 0; i < 2000; ++i) {
      bounce.world.integrate();
      deepest = std::max(deepest, -bounce.height());
      if (i > 500) {
        ASSERT_NEAR(bounce.speed(), 0, 1e-9);
      }
    }
    EXPECT_LT(deepest, 1e-5);  // g dt^2: what one step of gravity adds
    EXPECT_NEAR(bounce.height(), 0, 1e-5);
  }
}

// A pair's own figures come before the default, whichever way round it is named.
TEST(Bounce, MaterialPairsDecide) {
  for (const bool turned : {false, true}) {
    World world;
    SystemSpec spec = freeBody("ball", SphereShape{radius}, mass);
    spec.links[0].collisions[0].material = "rubber";
    world.addGround(0, "steel");
    world.setMaterialPairProp(turned ? "steel" : "rubber", turned ? "rubber" : "steel", 0.5, 1,
                              0.01);
    ArticulatedSystem* ball = world.addArticulatedSystem(spec);
    place(*ball, {0, 0, radius + 0.2});
    for (int i = 0; i < 1000; ++i) world.integrate();
    const Eigen::VectorXd q = ball->getGeneralizedCoordinate(), u = ball->getGeneralizedVelocity();
    EXPECT_NEAR(q[2] - radius + u[2] * u[2] / (2 * gravity), 0.2, 1e-9);
  }
}

// Two equal balls meet head on, e = 1: they exchange velocities.
TEST(Bounce, EqualBallsExchangeVelocities) {
  World world;
  world.setGravity({0, 0, 0});
  world.setDefaultMaterial(0, 1, 0.01);
  ArticulatedSystem* a = world.addArticulatedSystem(freeBody("a", SphereShape{radius}, mass));
  ArticulatedSystem* b = world.addArticulatedSystem(freeBody("b", SphereShape{radius}, mass));
  place(*a, {-0.5, 0, 0}, {2, 0, 0});
  place(*b, {0.5, 0, 0}, {-1, 0, 0});
  for (int i = 0; i < 500; ++i) world.integrate();
  EXPECT_NEAR(a->getGeneralizedVelocity()[0], -1, 1e-9);
  EXPECT_NEAR(b->getGeneralizedVelocity()[0], 2, 1e-9);
}

}  // namespace
}  // namespace espalier::testing
