// Coulomb friction against its closed forms.

#include <gtest/gtest.h>

#include <numbers>

#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

constexpr double degree = std::numbers::pi / 180;

/// A brick that lies flat on a slope.
struct Brick {
  World world;
  ArticulatedSystem* brick;
  double angle;

  Brick(double slopeAngle, double mu, Scheme scheme = Scheme::MIDPOINT) : angle(slopeAngle) {
    world.setIntegrationScheme(scheme);
    world.setContactSolverParam(1e-10, 1000);
    world.setDefaultMaterial(mu, 0, 0.01);
    world.addBody(slope(angle));
    brick = world.addArticulatedSystem(freeBody("brick", BoxShape{{0.4, 0.4, 0.1}}, 3));
    place(*brick, normalOf(angle) * 0.05, {0, 0, 0}, {0, 0, 0},
          {std::cos(angle / 2), 0, std::sin(angle / 2), 0});
  }
  double downhillWay() const {
    return brick->getGeneralizedCoordinate().head<3>().dot(downhill(angle));
  }
  double height() const {
    return brick->getGeneralizedCoordinate().head<3>().dot(normalOf(angle)) - 0.05;
  }
};

TEST(Friction, BrickSticksBelowTheFrictionAngle) {
  for (const Scheme scheme : {Scheme::MIDPOINT, Scheme::SEMI_IMPLICIT}) {
    Brick scene(20 * degree, std::tan(21 * degree), scheme);
    for (int i = 0; i < 1000; ++i) scene.world.integrate();
    const Eigen::VectorXd before = scene.brick->getGeneralizedCoordinate();
    for (int i = 0; i < 5000; ++i) {
      const StepReport& report = scene.world.integrate();
      ASSERT_EQ(report.flags, 0u);
      ASSERT_LE(report.residual, 1e-10);
    }
    const Eigen::VectorXd after = scene.brick->getGeneralizedCoordinate();
    EXPECT_LT((after - before).head<3>().norm() / 5, 1e-9) << "creep in m/s";
    EXPECT_LT(std::abs(scene.downhillWay()), 1e-6);
  }
}

// a = g (sin - mu cos)
TEST(Friction, BrickSlidesAboveTheFrictionAngle) {
  for (const double mu : {0.0, 0.1, 0.3}) {
    Brick scene(30 * degree, mu);
    double worstHeight = 0;
    for (int i = 0; i < 1000; ++i) {
      ASSERT_EQ(scene.world.integrate().flags, 0u);
      worstHeight = std::max(worstHeight, std::abs(scene.height()));
    }
    const double a = gravity * (std::sin(scene.angle) - mu * std::cos(scene.angle));
    EXPECT_NEAR(2 * scene.downhillWay(), a, 1e-6) << "mu " << mu;
    EXPECT_LT(worstHeight, 1e-9);
  }
}

// A brick that slides and turns nowhere stops after v^2 / (2 mu g), wherever it heads.
TEST(Friction, SlidingIsIsotropic) {
  for (int heading = 0; heading < 360; heading += 24) {
    const double a = (heading + 0.3) * degree, v = 1, mu = 0.3;
    const Eigen::Vector3d ahead{std::cos(a), std::sin(a), 0}, aside{-std::sin(a), std::cos(a), 0};
    Brick scene(0, mu);
    place(*scene.brick, {0, 0, 0.05}, ahead * v);
    for (int i = 0; i < 500; ++i) {
      scene.world.integrate();
      const Eigen::VectorXd u = scene.brick->getGeneralizedVelocity();
      if (i < 300) {
        ASSERT_LT(std::abs(u.head<3>().dot(aside)), 1e-9 * u.head<3>().dot(ahead)) << heading;
      }
    }
    const Eigen::Vector3d p = scene.brick->getGeneralizedCoordinate().head<3>();
    EXPECT_NEAR(p.dot(aside), 0, 1e-9) << heading;
    EXPECT_NEAR(p.dot(ahead), v * v / (2 * mu * gravity), 1e-6) << heading;
  }
}

// Friction at the sphere's foot turns sliding into rolling: v -> 5/7 v after 2 v / (7 mu g), and
// m v + (2/5) m r w is kept throughout.
TEST(Friction, SlidingSphereRollsAtFiveSevenths) {
  const double r = 0.1, v = 2, mu = 0.2;
  for (const Scheme scheme : {Scheme::MIDPOINT, Scheme::SEMI_IMPLICIT}) {
    World world;
    world.setIntegrationScheme(scheme);
    world.setDefaultMaterial(mu, 0, 0.01);
    world.addGround();
    ArticulatedSystem* ball = world.addArticulatedSystem(freeBody("ball", SphereShape{r}, 1));
    place(*ball, {0, 0, r}, {v, 0, 0});
    const double rolls = 2 * v / (7 * mu * gravity);
    for (int i = 1; i <= 1000; ++i) {
      world.integrate();
      const Eigen::VectorXd u = ball->getGeneralizedVelocity();
      ASSERT_NEAR(u[0] + 0.4 * r * u[4], v, 1e-11);
      if (i * 0.001 < rolls - 0.001) {
        ASSERT_NEAR(u[0], v - mu * gravity * i * 0.001, 1e-9);
      }
      if (i * 0.001 > rolls + 0.001) {
        ASSERT_NEAR(u[0], v * 5 / 7, 1e-9);
        ASSERT_NEAR(u[0] - r * u[4], 0, 1e-9);
      }
    }
    const Eigen::VectorXd q = ball->getGeneralizedCoordinate();
    const double exact = v * rolls - mu * gravity * rolls * rolls / 2 + 5 * v / 7 * (1 - rolls);
    EXPECT_NEAR(q[0], exact, scheme == Scheme::MIDPOINT ? 1e-6 : 1e-3);
    EXPECT_NEAR(q[2], r, 1e-9);
  }
}

// a = 5/7 g sin, as long as mu > 2/7 tan.
TEST(Friction, SphereRollsDownASlope) {
  const double r = 0.1, angle = 25 * degree;
  World world;
  world.setDefaultMaterial(0.5, 0, 0.01);
  world.addBody(slope(angle));
  ArticulatedSystem* ball = world.addArticulatedSystem(freeBody("ball", SphereShape{r}, 1));
  place(*ball, normalOf(angle) * r);
  for (int i = 0; i < 1000; ++i) world.integrate();
  const double way = ball->getGeneralizedCoordinate().head<3>().dot(downhill(angle));
  EXPECT_NEAR(way, 5.0 / 14 * gravity * std::sin(angle), 1e-9);
}

// A capsule rolls like a cylinder with two half spheres; its contact points roll with its radius.
TEST(Friction, CapsuleRollsDownASlope) {
  const double r = 0.1, l = 0.4, angle = 20 * degree;
  const CapsuleShape shape{r, l};
  const double m = 2, I = inertia(shape, m).I.zz;
  World world;
  world.setDefaultMaterial(0.6, 0, 0.01);
  world.addBody(slope(angle));
  ArticulatedSystem* roll = world.addArticulatedSystem(freeBody("roll", shape, m));
  const double h = std::sqrt(0.5);
  place(*roll, normalOf(angle) * r, {0, 0, 0}, {0, 0, 0}, {h, h, 0, 0});  // its axis along y
  for (int i = 0; i < 1000; ++i) world.integrate();
  const double way = roll->getGeneralizedCoordinate().head<3>().dot(downhill(angle));
  EXPECT_NEAR(way, gravity * std::sin(angle) / (1 + I / (m * r * r)) / 2, 1e-6);
}

// Sticking below the angle and sliding above it, the border found to a thousandth.
TEST(Friction, TheFrictionAngleIsSharp) {
  const double mu = 0.4;
  for (const double factor : {0.999, 1.001}) {
    Brick scene(std::atan(mu * factor), mu);
    for (int i = 0; i < 2000; ++i) scene.world.integrate();
    if (factor < 1)
      EXPECT_LT(std::abs(scene.downhillWay()), 1e-8);
    else
      EXPECT_NEAR(scene.downhillWay(),
                  2 * gravity * (std::sin(scene.angle) - mu * std::cos(scene.angle)), 1e-6);
  }
}

}  // namespace
}  // namespace espalier::testing
