// Contact problems without a solution, or whose solution is not found, put no energy into the state
// but what pushes from outside and the speed at which overlaps are pushed apart call for.

#include <gtest/gtest.h>

#include <cmath>

#include "espalier/world/single_body.h"
#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

double kineticEnergy(World& world) {
  double energy = 0;
  for (int s = 0; s < world.systemCount(); ++s) energy += world.system(s)->getKineticEnergy();
  return energy;
}

/// Two quadrupeds that start inside one another, held by their motors.
TEST(PassiveContact, OverlappingRobotsArePushedApart) {
  const double speed = 3;  // m/s, World::setMaxDepenetrationVelocity's default
  for (const double x : {0., 0.1, 0.2, 0.3, 0.4, 0.5, 0.6})
    for (const double y : {0.05, 0.3}) {
      World world;
      world.addGround();
      world.setERP(0.2);
      world.setEnergyMonitoring(true);
      double mass = 0;
      for (int i = 0; i < 2; ++i) {
        ArticulatedSystem* robot = addRobot(world, "strider", 300, 10, {i * x, i * y, 0});
        mass += robot->getTotalMass();
      }
      double worst = 0, made = 0;
      int unflagged = 0;
      for (int i = 0; i < 20; ++i) {
        const StepReport& report = world.integrate();
        worst = std::max(worst, kineticEnergy(world));
        made += std::max(0.0, report.energyBalance);
        unflagged += report.residual > 1e-8 && report.flags == 0;
        ASSERT_TRUE(std::isfinite(report.energy)) << x << ", " << y << ", step " << i;
      }
      EXPECT_LT(worst, 4 * 0.5 * mass * speed * speed) << x << ", " << y;
      EXPECT_EQ(unflagged, 0) << x << ", " << y;
    }
}

struct Pressed {
  const char* name;
  double top, mass;
  void (*add)(World&);
};

/// A plate that comes down on what lies on the ground, and goes through it: nothing holds it back.
TEST(PassiveContact, APlateThatPressesMakesNoMoreThanItsSpeed) {
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
    for (const double erp : {0., 0.2}) {
      World world;
      world.addGround();
      world.setERP(erp);
      world.setEnergyMonitoring(true);
      what.add(world);
      auto* plate = world.addBox(2, 2, 0.1, 1);
      plate->setBodyType(BodyType::KINEMATIC);
      plate->setPosition(0, 0, what.top);
      plate->setLinearVelocity({0, 0, -1});
      const double speed = erp > 0 ? 3 : 1;  // m/s, the largest that anything is pushed at
      double start = 0, most = 0;
      std::uint32_t flags = 0;
      for (int i = 0; i < 400; ++i) {
        const StepReport& report = world.integrate();
        if (i == 0) start = report.energy;
        most = std::max(most, report.energy);
        flags |= report.flags;
        ASSERT_TRUE(std::isfinite(report.energy)) << what.name << ", step " << i;
      }
      EXPECT_LT(most - start, 10 * 0.5 * what.mass * speed * speed) << what.name << ", ERP " << erp;
      EXPECT_NE(flags & static_cast<std::uint32_t>(StepFlag::ImpulsesReduced), 0u) << what.name;
    }
}

/// The balance knows that a moving plate works on what lies on it.
TEST(PassiveContact, WhatIsMovedFromOutsideIsInTheBalance) {
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

}  // namespace
}  // namespace espalier::testing
