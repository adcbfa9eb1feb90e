// Loops that rows of the contact problem keep, in the step; the same mechanism embedded is the
// second opinion.

#include <gtest/gtest.h>

#include <cmath>

#include "espalier/world/world.h"
#include "tests/support/bilateral.h"
#include "tests/support/four_bar.h"

namespace espalier::testing {
namespace {

struct Outcome {
  Eigen::VectorXd q, u;
  double closure = 0;
  std::uint32_t flags = 0;
};

/// A second of a mechanism that begins in the same state either way.
Outcome run(const SystemSpec& spec, double rate, double dt, Scheme scheme = Scheme::MIDPOINT) {
  World start;
  SystemSpec embedded = spec;
  for (LoopSpec& loop : embedded.loops) loop.isBilateral = false;
  ArticulatedSystem* lead = start.addArticulatedSystem(embedded);
  lead->setGeneralizedVelocity(Eigen::VectorXd::Constant(lead->getDOF(), rate));

  World world;
  world.setTimeStep(dt);
  world.setIntegrationScheme(scheme);
  world.setGravity({0, -9.81, 0});
  ArticulatedSystem* robot = world.addArticulatedSystem(spec);
  robot->setSpanningCoordinate(lead->getSpanningCoordinate());
  const bool isPublic = robot->getDOF() == robot->getSpanningDOF();
  robot->setGeneralizedVelocity(isPublic ? lead->getSpanningVelocity()
                                         : lead->getGeneralizedVelocity());
  Outcome r;
  const int steps = static_cast<int>(std::lround(1 / dt));
  for (int i = 0; i < steps; ++i) {
    world.integrate();
    r.flags |= world.report().flags;
    r.closure = std::max(r.closure, world.report().closure);
  }
  EXPECT_LE(robot->getClosureResidual(), world.report().closure * 1.01 + 1e-15);
  r.q = robot->getSpanningCoordinate();
  r.u = robot->getSpanningVelocity();
  return r;
}

TEST(Bilateral, AFourBarMovesAsTheEmbeddedOneDoes) {
  for (const LoopKind kind : {LoopKind::POINT, LoopKind::REVOLUTE})
    for (const bool floats : {false, true}) {
      const FourBarOptions options{.floats = floats, .kind = kind};
      const Outcome exact = run(fourBar(options), 4, 1.25e-4);
      double before = HUGE_VAL, closureBefore = HUGE_VAL;
      for (const double dt : {4e-3, 2e-3, 1e-3}) {
        const Outcome rows = run(bilateral(fourBar(options)), 4, dt);
        EXPECT_EQ(rows.flags, 0u);
        const double error = (rows.q - exact.q).norm() + (rows.u - exact.u).norm();
        EXPECT_LT(error, before / 3) << dt;                // of second order
        EXPECT_LT(rows.closure, closureBefore / 6) << dt;  // of third
        before = error;
        closureBefore = rows.closure;
      }
      EXPECT_LT(before, floats ? 3e-3 : 1e-4);
      EXPECT_LT(closureBefore, 1e-6);
    }
}

}  // namespace
}  // namespace espalier::testing
