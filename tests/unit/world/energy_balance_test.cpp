// What a step reports of the energy that it made: nothing where all is at rest on contacts and limits.

#include <gtest/gtest.h>

#include <algorithm>
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

/// A slider of 1 kg on a tendon along it of rest length 0.5.
SystemSpec sliderOnATendon(bool isSpatial) {
  SystemSpec spec = jointedBody(JointKind::Prismatic, SphereShape{0.1}, 1, {1, 0, 0});
  TendonSpec tendon;
  tendon.name = "t";
  tendon.stiffness = 100;
  tendon.restLower = tendon.restUpper = 0.5;
  if (isSpatial)
    tendon.ways = {{.points = {{"world", {0, 0, 0}}, {spec.links[1].name, {0, 0, 0}}}}};
  else
    tendon.terms = {{spec.joints[0].name, 1}};
  spec.tendons = {tendon};
  return spec;
}

struct Sums {
  double balance = 0, energy = 0;  ///< J: of the balances; the largest change of the energy
};
Sums sumsOfASecond(const SystemSpec& spec, Scheme scheme, double dt) {
  World world;
  world.setGravity({0, 0, 0});
  world.setIntegrationScheme(scheme);
  world.setTimeStep(dt);
  world.setEnergyMonitoring(true);
  world.addArticulatedSystem(spec)->setGeneralizedCoordinate(Eigen::VectorXd::Constant(1, 0.8));
  const double start = 0.5 * 100 * 0.3 * 0.3;
  Sums sums;
  for (int i = 0; i < std::lround(1 / dt); ++i) {
    const StepReport& report = world.integrate();
    sums.balance += report.energyBalance;
    sums.energy = std::max(sums.energy, std::abs(report.energy - start));
  }
  return sums;
}

/// J, of 4.5 at 1 ms: the implicit spring of SEMI_IMPLICIT damps by omega^2 dt.
double boundOf(Scheme scheme) {
  if (scheme == Scheme::SEMI_IMPLICIT) return 4.5 * 100 * 1e-3;
  return scheme == Scheme::EULER ? 0.03 : 1e-9;
}

TEST(EnergyBalance, TheEnergyHasThatOfTendonsSprings) {
  for (const bool isSpatial : {false, true})
    for (const Scheme scheme : schemes) {
      SCOPED_TRACE(info(scheme).name);
      const Sums sums = sumsOfASecond(sliderOnATendon(isSpatial), scheme, 1e-3);
      EXPECT_LT(std::abs(sums.balance), boundOf(scheme));
      EXPECT_LT(sums.energy, boundOf(scheme));
    }
}

TEST(EnergyBalance, TendonsDampersAndActuatorsDoWork) {
  for (const bool isSpatial : {false, true})
    for (const bool isServo : {false, true})
      for (const Scheme scheme : schemes) {
        SCOPED_TRACE(info(scheme).name);
        SystemSpec spec = sliderOnATendon(isSpatial);
        spec.tendons[0].damping = 2;
        ActuatorSpec& actuator = spec.tendons[0].actuator.emplace();
        actuator.feedforward = 3;
        if (isServo) actuator.kp = 50, actuator.kd = 1, actuator.target = 0.7;
        const double coarse = sumsOfASecond(spec, scheme, 1e-3).balance,
                     fine = sumsOfASecond(spec, scheme, 5e-4).balance;
        EXPECT_LT(std::abs(coarse), scheme == Scheme::SEMI_IMPLICIT ? 0.2 : 0.03);
        EXPECT_LT(std::abs(fine), 0.6 * std::abs(coarse) + 1e-9);
      }
}

}  // namespace
}  // namespace espalier::testing
