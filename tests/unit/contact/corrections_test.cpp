// How much energy the corrections of a solution put in, on a body with one number whose velocity at a
// contact is y times its own: everything is known in closed form.

#include "espalier/contact/corrections.h"

#include <gtest/gtest.h>

namespace espalier::contact {
namespace {

constexpr Capacity room{3, 16, 4, 2};

/// Whether a push g at a contact with this leverage, on a body of mass 2 and unit inertia, is told.
///   in  free  m/s, at the contact without impulses
bool isToldOf(double leverage, double push, double free, bool isMotor = false) {
  const Column3<double> y[] = {Vec3d{0.1 * leverage, 0, leverage}};
  const Side<double> side{0, nullptr, 1, y, y};
  Problem<double> problem(room);
  const Vec3d g{0, 0, -push}, b{0.1 * free, 0, free - push};
  const Vec3d most{1e300, 1e300, 1e300};
  if (isMotor)
    problem.addBounded({&side, 1}, b, -most, most);
  else
    problem.addGroup({&side, 1}, b, 0.0);
  problem.setGiven(0, g);
  problem.setMass(0, 2);
  problem.finish();
  // Frictionless, so that the normal row alone is solved.
  const Vec3d lambda{0, 0, (push - free) / (leverage * leverage)};
  EXPECT_NEAR(problem.velocity(0, &lambda).z, 0, 1e-12);
  return putsMuchIn(problem, problem.island(0), &lambda,
                    [&](int i) { return problem.velocity(i, &lambda); });
}

/// A push of 0.1 m/s is worth 0.01 J of this body, and takes 1/2 (0.1 / leverage)^2; twice is told.
TEST(Corrections, AddTheEnergyOfTheirSpeeds) {
  EXPECT_FALSE(isToldOf(1, 0.1, 0));
  EXPECT_FALSE(isToldOf(0.51, 0.1, 0));
  EXPECT_TRUE(isToldOf(0.49, 0.1, 0));
  EXPECT_TRUE(isToldOf(1e-3, 0.1, 0));
}

/// What comes in fast loses more than the push puts in.
TEST(Corrections, AreComparedWithTheEnergyOfAnImpact) {
  EXPECT_FALSE(isToldOf(1e-3, 0.1, -0.1));
  EXPECT_FALSE(isToldOf(1e-3, 0.1, -1));
  EXPECT_TRUE(isToldOf(1e-3, 0.1, -0.05));
}

TEST(Corrections, AreNoneWithoutAPush) { EXPECT_FALSE(isToldOf(1e-3, 0, -1)); }

TEST(Corrections, OfMotorsAreTheirs) { EXPECT_FALSE(isToldOf(1e-3, 0.1, 0, true)); }

TEST(Corrections, MassOfAnIslandCountsEachMoverOnce) {
  const Column3<double> y[] = {Vec3d{0, 0, 1}};
  const Side<double> a{0, nullptr, 1, y, y}, b{1, nullptr, 1, y, y}, both[] = {a, b};
  Problem<double> problem(room);
  problem.addGroup({&a, 1}, {0, 0, -1}, 0.5);
  problem.addGroup(both, {0, 0, -1}, 0.5);
  problem.addGroup({&b, 1}, {0, 0, -1}, 0.5);
  problem.setMass(0, 3);
  problem.setMass(1, 4);
  problem.finish();
  ASSERT_EQ(problem.islands(), 1);
  EXPECT_EQ(massOf(problem, problem.island(0)), 7);
}

}  // namespace
}  // namespace espalier::contact
