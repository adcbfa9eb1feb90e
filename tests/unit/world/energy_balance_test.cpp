// What a step reports of the energy that it made: nothing where all is at rest on contacts and limits.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/world_scenes.h"

namespace espalier::testing {
namespace {

constexpr Scheme schemes[] = {Scheme::MIDPOINT, Scheme::TRAPEZOID, Scheme::SEMI_IMPLICIT,
                              Scheme::EULER, Scheme::RUNGE_KUTTA_4};

double balanceOfASecond(World& world) {
  world.setTimeStep(1e-3);
  world.setEnergyMonitoring(true);
  double sum = 0;
  for (int i = 0; i < 1000; ++i) sum += std::abs(world.integrate().energyBalance);
  return sum;
}

TEST(EnergyBalance, ABoxAtRestMakesNone) {
  for (const Scheme scheme : schemes) {
    World world;
    world.setIntegrationScheme(scheme);
    world.addGround();
    world.addBox(0.2, 0.2, 0.2, 8)->setPosition(0, 0, 0.1);
    world.addArticulatedSystem(freeBody("robot", BoxShape{{0.2, 0.2, 0.2}}, 8))
        ->setBasePos({1, 0, 0.1});
    EXPECT_LT(balanceOfASecond(world), 1e-2) << static_cast<int>(scheme);
  }
}

TEST(EnergyBalance, AnArmAtItsLimitMakesNone) {
  for (const Scheme scheme : schemes) {
    World world;
    world.setIntegrationScheme(scheme);
    SystemSpec spec = jointedBody(JointKind::Prismatic, SphereShape{0.1}, 2, {0, 0, 1});
    spec.joints[0].limits.lower = 0;
    spec.joints[0].limits.upper = 1;
    world.addArticulatedSystem(spec);
    EXPECT_LT(balanceOfASecond(world), 1e-2) << static_cast<int>(scheme);
  }
}

}  // namespace
}  // namespace espalier::testing
