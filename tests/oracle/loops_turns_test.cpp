// Unforced linkages turn and turn, at about 0.01 rad of their crank a step: how much of their energy
// is left after a hundred turns. What is lost grows with the turns, so the bars are a tenth of those
// of 1,000 turns (docs/loops.md).

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "espalier/world/articulated_system.h"
#include "espalier/world/world.h"

namespace espalier {
namespace {

struct Turning {
  std::string model;
  double rate;  ///< of the crank at the beginning, rad/s; a mean of about 1
  Scheme scheme;
  double bar;
};
void PrintTo(const Turning& c, std::ostream* out) { *out << c.model << " " << c.bar; }

class Turns : public ::testing::TestWithParam<Turning> {};

TEST_P(Turns, KeepTheirEnergy) {
  const Turning& c = GetParam();
  World world;
  world.setGravity({0, 0, 0});
  world.setTimeStep(0.01);
  ArticulatedSystem* s = world.addArticulatedSystem(ESPALIER_SOURCE_DIR "/models/" + c.model + "/" +
                                                    c.model + ".urdf");
  s->setIntegrationScheme(c.scheme);
  s->setGeneralizedVelocity({c.rate});
  const double before = s->getKineticEnergy();
  double turned = 0, worst = 0, closure = 0;
  int steps = 0;
  for (; turned < 100 * 2 * std::numbers::pi && steps < 100000; ++steps) {
    world.integrate();
    turned += s->getGeneralizedVelocity()[0] * world.getTimeStep();
    worst = std::max(worst, std::abs(s->getKineticEnergy() / before - 1));
    closure = std::max(closure, world.report().closure);
    ASSERT_EQ(world.report().flags, 0u) << steps;
  }
  EXPECT_NEAR(turned / steps, 0.01, 0.001);
  EXPECT_LT(std::abs(s->getKineticEnergy() / before - 1), c.bar);
  EXPECT_LT(worst, 10 * c.bar) << "within a turn";
  EXPECT_LT(closure, 1e-10);
  RecordProperty("energy", std::to_string(worst));
}

INSTANTIATE_TEST_SUITE_P(All, Turns,
                         ::testing::Values(Turning{"four_bar", 1, Scheme::MIDPOINT, 1e-4},
                                           Turning{"slider_crank", 0.75, Scheme::MIDPOINT, 1e-4},
                                           Turning{"six_bar", 0.85, Scheme::MIDPOINT, 1e-4},
                                           Turning{"four_bar", 1, Scheme::RUNGE_KUTTA_4, 1e-6},
                                           Turning{"slider_crank", 0.75, Scheme::RUNGE_KUTTA_4,
                                                   1e-6},
                                           Turning{"six_bar", 0.85, Scheme::RUNGE_KUTTA_4, 1e-6}),
                         [](const auto& c) {
                           return c.param.model +
                                  (c.param.scheme == Scheme::MIDPOINT ? "_midpoint" : "_rk4");
                         });

}  // namespace
}  // namespace espalier
