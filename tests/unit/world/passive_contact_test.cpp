// Contact problems without a solution, or whose solution is not found, put no energy into the state
// but what pushes from outside and the speed at which overlaps are pushed apart call for.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "espalier/robot/single_body.h"
#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

constexpr double erp = 0.2, fastest = 3;  // m/s, World::setMaxDepenetrationVelocity's default

double kineticEnergy(World& world) {
  double energy = 0;
  for (int s = 0; s < world.systemCount(); ++s) energy += world.system(s)->getKineticEnergy();
  return energy;
}

/// J, that the last step's contacts were entitled to put in: normal impulses times the speed at which
/// overlaps are pushed apart, and impulses on what a plate touches times the plate's velocity.
double putIn(World& world, double share, const SingleBodyObject* plate = nullptr) {
  double put = 0;
  for (const Contact& c : world.contacts()) {
    put += c.impulse.z * std::min(share * std::max(c.depth, 0.0) / world.getTimeStep(), fastest);
    if (!plate) continue;
    if (c.typeA == BodyType::KINEMATIC) put -= impulseOn(c).dot(plate->getLinearVelocity());
    if (c.typeB == BodyType::KINEMATIC) put += impulseOn(c).dot(plate->getLinearVelocity());
  }
  return put;
}

/// Two quadrupeds that start inside one another, held by their motors, which are as springs at rest.
TEST(PassiveContact, OverlappingRobotsArePushedApart) {
  for (const double x : {0., 0.1, 0.2, 0.3, 0.4, 0.5, 0.6})
    for (const double y : {0.05, 0.3}) {
      World world;
      world.addGround();
      world.setERP(erp);
      world.setEnergyMonitoring(true);
      double start = 0, put = 0, mass = 0, worst = 0;
      for (int i = 0; i < 2; ++i) {
        const ArticulatedSystem* robot = addRobot(world, "strider", 300, 10, {i * x, i * y, 0});
        mass += robot->getTotalMass();
        start += robot->getKineticEnergy() + robot->getPotentialEnergy(world.getGravity());
      }
      for (int i = 0; i < 200; ++i) {
        const StepReport& report = world.integrate();
        put += putIn(world, erp);
        ASSERT_LE(report.energy - start, 1.01 * put) << x << ", " << y << ", step " << i;
        ASSERT_FALSE(report.residual > 1e-8 && report.flags == 0) << x << ", " << y;
        worst = std::max(worst, kineticEnergy(world));
      }
      EXPECT_LT(worst, 4 * 0.5 * mass * fastest * fastest) << x << ", " << y;
    }
}

struct Pressed {
  const char* name;
  double top, mass;
  void (*add)(World&);
};

/// A plate that comes down on what lies on the ground, and goes through it: nothing holds it back.
TEST(PassiveContact, APlateThatPressesMakesNoMoreThanItsWork) {
  const Pressed all[] = {
      {"sphere", 0.5, 1, [](World& w) { w.addSphere(0.2, 1)->setPosition(0, 0, 0.2); }},
      {"box", 0.5, 1, [](World& w) { w.addBox(0.4, 0.4, 0.4, 1)->setPosition(0, 0, 0.2); }},
      {"boxes", 1.15, 5,
       [](World& w) {
         for (int i = 0; i < 5; ++i)
           w.addBox(0.2, 0.2, 0.2, 1)->setPosition(0.01 * i, 0, 0.1 + 0.2 * i);
       }},
      {"strider", 0.8, 31, [](World& w) {
         w.addArticulatedSystem(modelFile("strider"))->setBasePos({0, 0, 0.6});
       }}};
  for (const Pressed& what : all)
    for (const double share : {0., erp}) {
      World world;
      world.addGround();
      world.setERP(share);
      world.setEnergyMonitoring(true);
      what.add(world);
      auto* plate = world.addBox(2, 2, 0.1, 1);
      plate->setBodyType(BodyType::KINEMATIC);
      plate->setPosition(0, 0, what.top);
      plate->setLinearVelocity({0, 0, -1});
      const double speed = share > 0 ? fastest : 1;  // m/s, the largest that anything is pushed at
      double start = 0, put = 0, most = 0;
      std::uint32_t flags = 0;
      for (int i = 0; i < 400; ++i) {
        const StepReport& report = world.integrate();
        if (i == 0) start = report.energy;
        put += putIn(world, share, plate);
        most = std::max(most, report.energy);
        flags |= report.flags;
        ASSERT_LE(report.energy - start, 1.01 * put + 1e-9)
            << what.name << ", ERP " << share << ", step " << i;
      }
      EXPECT_LT(most - start, 10 * 0.5 * what.mass * speed * speed) << what.name;
      EXPECT_NE(flags & static_cast<std::uint32_t>(StepFlag::ImpulsesReduced), 0u) << what.name;
    }
}

/// The balance knows that a moving plate works on what lies on it.
TEST(PassiveContact, KinematicBodiesAreInTheBalance) {
  World world;
  world.setEnergyMonitoring(true);
  auto* plate = world.addBox(2, 2, 0.1, 1);
  plate->setBodyType(BodyType::KINEMATIC);
  plate->setPosition(0, 0, -0.05);
  plate->setLinearVelocity({0, 0, 0.5});
  auto* box = world.addBox(0.2, 0.2, 0.2, 2);
  box->setPosition(0, 0, 0.1);
  double gained = 0, balance = 0;
  for (int i = 0; i < 1000; ++i) {
    balance += world.integrate().energyBalance;
    gained = world.report().energy;
  }
  EXPECT_NEAR(gained, 2 * gravity * 0.6 + 0.25, 0.05);
  EXPECT_LT(std::abs(balance), 1e-6);
}

/// A stack lifted at once is no jam: the plate's speed is what all of it gets in one step.
TEST(PassiveContact, AStackThatIsLiftedIsSolved) {
  World world;
  auto* plate = world.addBox(2, 2, 0.1, 1);
  plate->setBodyType(BodyType::KINEMATIC);
  plate->setPosition(0, 0, -0.05);
  plate->setLinearVelocity({0, 0, 1});
  SingleBodyObject* boxes[5];
  for (int i = 0; i < 5; ++i) {
    boxes[i] = world.addBox(0.2, 0.2, 0.2, 1);
    boxes[i]->setPosition(0, 0, 0.1 + 0.2 * i);
  }
  world.setERP(0);
  world.setIntegrationScheme(Scheme::TRAPEZOID);  // at q, where nothing overlaps yet
  const StepReport& report = world.integrate();
  EXPECT_EQ(report.flags, 0u);
  for (const SingleBodyObject* box : boxes) EXPECT_NEAR(box->getLinearVelocity().z(), 1, 1e-7);
}

/// Boxes that fall onto one another within walls stand, though most solves are cut off.
TEST(PassiveContact, TowersStandOnFewSweeps) {
  constexpr int side = 5, levels = 10;
  constexpr double size = 0.2, pitch = 0.23, wall = 0.1, height = 3;
  World world;
  world.addGround();
  world.setTimeStep(5e-3);
  world.setERP(erp);
  world.setIntegrationScheme(Scheme::SEMI_IMPLICIT);
  world.setContactSolverParam(1e-6, 10);
  constexpr double half = pitch * side / 2 + 0.05;
  for (const double s : {-1., 1.}) {
    for (const bool isAlongX : {true, false}) {
      auto* box = world.addBox(isAlongX ? wall : 2 * half, isAlongX ? 2 * half : wall, height, 1);
      const double reach = s * (half + wall / 2);
      box->setPosition(isAlongX ? reach : 0, isAlongX ? 0 : reach, height / 2);
      box->setBodyType(BodyType::STATIC);
    }
  }
  std::mt19937 draw(7);
  std::uniform_real_distribution<> offset(0, 0.02);
  std::vector<SingleBodyObject*> top;
  for (int k = 0; k < levels; ++k)
    for (int i = 0; i < side * side; ++i) {
      auto* box = world.addBox(size, size, size, 1);
      box->setPosition(pitch * (i % side - 2) + offset(draw), pitch * (i / side - 2) + offset(draw),
                       size + pitch * k + offset(draw) / 4);
      if (k == levels - 1) top.push_back(box);
    }
  int cutOff = 0;
  for (int i = 0; i < 500; ++i) cutOff += world.integrate().has(StepFlag::SolverNotConverged);
  EXPECT_GT(cutOff, 300);
  for (const SingleBodyObject* box : top)
    EXPECT_NEAR(box->getPosition().z(), size * (levels - 0.5), 0.01);
}

}  // namespace
}  // namespace espalier::testing
