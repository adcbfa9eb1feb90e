// Contact against closed forms: how exact sticking, sliding, rolling and stacking are. Each test
// prints its figure.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <set>

#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

constexpr double bar_tolerance = 1e-10;  // m/s, that of the bars in docs/contact.md

void figure(const char* name, double value, const char* unit) {
  std::printf("[ figure   ] %-44s %.2e %s\n", name, value, unit);
}

// A capsule hangs between a fixed wall and one that presses it with 200 N, far inside its cone.
TEST(ContactBars, APinchedCapsuleDoesNotCreep) {
  World world;
  world.setContactSolverParam(bar_tolerance, 1000);
  world.setGravity({0, 0, 0});
  world.setDefaultMaterial(0.8, 0, 0.01);
  SingleBodyObject* wall = world.addBox(0.1, 1, 1, 10);
  wall->setBodyType(BodyType::STATIC);
  wall->setPosition(-0.1, 0, 0);
  SingleBodyObject* press = world.addBox(0.1, 1, 1, 10);
  press->setPosition(0.1, 0, 0);
  SingleBodyObject* capsule = world.addCapsule(0.05, 0.2, 0.5);
  const auto run = [&](int steps) {
    for (int i = 0; i < steps; ++i) {
      press->setExternalForce(Eigen::Vector3d(-200, 0, 0));
      capsule->setExternalForce(Eigen::Vector3d(0, 0, -0.5 * gravity));
      world.integrate();
    }
  };
  run(1000);
  const Eigen::Vector3d start = capsule->getPosition();
  run(10000);
  const double creep = (capsule->getPosition() - start).norm() / 10;
  figure("pinched capsule, creep over 10 s", creep, "m/s");
  EXPECT_LT(creep, 1e-9);
}

TEST(ContactBars, ABlockOnASlope) {
  const double mu = 0.5, limit = std::atan(mu);
  for (const double angle : {limit - 0.002, limit + 0.002, limit + 0.3}) {
    World world;
    world.setContactSolverParam(bar_tolerance, 1000);
    world.setDefaultMaterial(mu, 0, 0.01);
    world.addBody(slope(angle));
    SingleBodyObject* box = world.addBox(0.2, 0.2, 0.1, 1);
    box->setPosition(0.05 * normalOf(angle));
    box->setOrientation(std::cos(angle / 2), 0, std::sin(angle / 2), 0);
    for (int i = 0; i < 100; ++i) world.integrate();
    const double before = box->getLinearVelocity().dot(downhill(angle));
    for (int i = 0; i < 1000; ++i) world.integrate();
    const double a = box->getLinearVelocity().dot(downhill(angle)) - before;
    const double truth = std::max(0.0, gravity * (std::sin(angle) - mu * std::cos(angle)));
    figure("block on a slope, error of its acceleration", std::abs(a - truth), "m/s^2");
    EXPECT_NEAR(a, truth, angle < limit ? 1e-9 : 1e-6);
  }
}

TEST(ContactBars, ASphereSlidesIntoRolling) {
  for (const Scheme scheme : {Scheme::MIDPOINT, Scheme::TRAPEZOID}) {
    World world;
    world.setContactSolverParam(bar_tolerance, 1000);
    world.setIntegrationScheme(scheme);
    world.setDefaultMaterial(0.3, 0, 0.01);
    world.addGround();
    SingleBodyObject* ball = world.addSphere(0.1, 1);
    ball->setPosition(0, 0, 0.1);
    ball->setLinearVelocity({1, 0, 0});
    for (int i = 0; i < 1000; ++i) world.integrate();
    const double error = std::abs(ball->getLinearVelocity().x() - 5.0 / 7);
    figure("slide to roll, error of 5/7", error, "m/s");
    EXPECT_LT(error, 1e-9);
  }
}

// A rod that is pushed along the ground at the angle at which rigid contact has no smooth solution.
TEST(ContactBars, ThePainleveRodGivesNoNaN) {
  for (const double mu : {1.4, 2.0, 5.0}) {
    World world;
    world.setContactSolverParam(bar_tolerance, 1000);
    world.setDefaultMaterial(mu, 0, 0.01);
    world.addGround();
    SingleBodyObject* rod = world.addCapsule(0.001, 1, 1);
    const double angle = 0.9;  // from the vertical
    rod->setOrientation(std::cos(angle / 2), 0, std::sin(angle / 2), 0);
    rod->setPosition(0, 0, 0.5 * std::cos(angle) + 0.001);
    rod->setVelocity(10, 0, 0, 0, 0, 0);
    for (int i = 0; i < 3000; ++i) {
      world.integrate();
      ASSERT_TRUE(rod->getPosition().allFinite());
      ASSERT_LT(rod->getKineticEnergy(), 60) << "no energy from nowhere";
    }
    EXPECT_LT(rod->getLinearVelocity().norm(), 1e-6) << "it lies at last";
  }
}

TEST(ContactBars, FrictionIsIsotropic) {
  double worst = 0;
  for (int k = 0; k < 72; ++k) {
    const double angle = k * 5 * std::acos(-1.0) / 180;
    const Eigen::Vector3d along(std::cos(angle), std::sin(angle), 0);
    World world;
    world.setContactSolverParam(bar_tolerance, 1000);
    world.setDefaultMaterial(0.4, 0, 0.01);
    world.addGround();
    SingleBodyObject* box = world.addBox(0.2, 0.2, 0.05, 1);
    box->setInertia(Eigen::Vector3d(1e6, 1e6, 1e6).asDiagonal());  // it slides without turning
    box->setPosition(0, 0, 0.025);
    box->setLinearVelocity(2 * along);
    for (int i = 0; i < 300; ++i) world.integrate();
    const Eigen::Vector3d v = box->getLinearVelocity();
    ASSERT_NEAR(v.norm(), 2 - 0.4 * gravity * 0.3, 1e-6);
    worst = std::max(worst, std::abs(v.cross(along).z()) / v.norm());
  }
  figure("isotropy, error of the sliding direction", worst, "rad");
  EXPECT_LT(worst, 1e-9);
}

TEST(ContactBars, TheContactsOfARestingBoxDoNotFlicker) {
  World world;
  world.setContactSolverParam(bar_tolerance, 1000);
  world.addGround();
  SingleBodyObject* box = world.addBox(0.3, 0.2, 0.1, 1);
  box->setPosition(0, 0, 0.05);
  for (int i = 0; i < 100; ++i) world.integrate();
  std::set<int> first;
  for (const Contact& c : world.contacts()) first.insert(c.feature);
  EXPECT_EQ(first.size(), 4u);
  int changes = 0;
  for (int i = 0; i < 10000; ++i) {
    world.integrate();
    std::set<int> now;
    for (const Contact& c : world.contacts()) now.insert(c.feature);
    changes += now != first;
  }
  figure("resting box, changes of its contacts in 10 s", changes, "");
  EXPECT_EQ(changes, 0);
}

struct Rest {
  double residual = 0, creep = 0;
};

/// Stands for 10 s after one to settle.
Rest stand(World& world, const SingleBodyObject& top) {
  for (int i = 0; i < 1000; ++i) world.integrate();
  Rest rest;
  const Eigen::Vector3d start = top.getPosition();
  for (int i = 0; i < 10000; ++i) {
    rest.residual = std::max(rest.residual, world.integrate().residual);
  }
  rest.creep = (top.getPosition() - start).norm() / 10;
  return rest;
}

TEST(ContactBars, TenThousandTimesTheMassOnTop) {
  World world;
  world.setContactSolverParam(bar_tolerance, 1000);
  world.addGround();
  world.addBox(0.5, 0.5, 0.5, 1)->setPosition(0, 0, 0.25);
  SingleBodyObject* top = world.addBox(0.5, 0.5, 0.5, 10000);
  top->setPosition(0, 0, 0.75);
  const Rest rest = stand(world, *top);
  figure("mass ratio 1:10,000, residual", rest.residual, "m/s");
  figure("mass ratio 1:10,000, creep", rest.creep, "m/s");
  EXPECT_LE(rest.residual, 1e-8);
  EXPECT_LT(rest.creep, 1e-9);
  EXPECT_NEAR(top->getPosition().z(), 0.75, 1e-6);
}

TEST(ContactBars, AStackOfTenBoxes) {
  World world;
  world.setContactSolverParam(bar_tolerance, 1000);
  world.addGround();
  SingleBodyObject* top = nullptr;
  for (int i = 0; i < 10; ++i) {
    top = world.addBox(0.2, 0.2, 0.2, 1);
    top->setPosition(0.001 * (i % 3), 0, 0.1 + 0.2 * i);
  }
  const Rest rest = stand(world, *top);
  figure("10 boxes, residual", rest.residual, "m/s");
  figure("10 boxes, creep", rest.creep, "m/s");
  EXPECT_LE(rest.residual, 1e-8);
  EXPECT_LT(rest.creep, 1e-9);
  EXPECT_NEAR(top->getPosition().z(), 1.9, 1e-6);
}

}  // namespace
}  // namespace espalier::testing
