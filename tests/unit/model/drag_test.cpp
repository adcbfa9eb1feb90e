// Drag of a medium on a link, by hand.

#include "espalier/model/drag.h"

#include <gtest/gtest.h>

#include <numbers>

namespace espalier {
namespace {

constexpr double pi = std::numbers::pi;

/// A box of 3 kg with the sizes 0.1, 0.2 and 0.4 m.
DragBox box() {
  LinkSpec link;
  const double a = 0.1, b = 0.2, c = 0.4, m = 3;
  link.inertial = InertialSpec{.mass = m};
  link.inertial->I = {m / 12 * (b * b + c * c), 0, 0,
                      m / 12 * (a * a + c * c), 0, m / 12 * (a * a + b * b)};
  return makeDragBox(link, 0, identityTransform<double>());
}

Force<double> dragOf(const MediumSpec& medium, const Motion<double>& V, double dt = 1e-6) {
  return espalier::dragOf(medium, box(), identity3<double>(), Vec3d{0, 0, 0}, V, dt);
}

TEST(Drag, ABoxIsFoundFromItsInertia) {
  EXPECT_NEAR(box().size.x, 0.1, 1e-15);
  EXPECT_NEAR(box().size.y, 0.2, 1e-15);
  EXPECT_NEAR(box().size.z, 0.4, 1e-15);
}

TEST(Drag, GrowsWithTheSquareOfTheSpeedAndWithViscosity) {
  const Motion<double> V{{0, 0, -2}, {5, 0, 0}};
  const Force<double> dense = dragOf({.density = 7}, V);
  EXPECT_NEAR(dense.f.x, -7 * 0.5 * 0.2 * 0.4 * 25, 1e-12);
  EXPECT_NEAR(dense.n.z, 7 * 0.4 * (1e-4 + 16e-4) / 64 * 4, 1e-15);
  const Force<double> thick = dragOf({.viscosity = 3}, V);
  const double d = 0.7 / 3;
  EXPECT_NEAR(thick.f.x, -3 * pi * d * 3 * 5, 1e-12);
  EXPECT_NEAR(thick.n.z, pi * d * d * d * 3 * 2, 1e-12);
}

TEST(Drag, IsAgainstTheWind) {
  EXPECT_EQ(norm(dragOf({.density = 7, .wind = {1, 2, 3}}, {{0, 0, 0}, {1, 2, 3}}).f), 0);
  EXPECT_GT(dragOf({.density = 7, .wind = {1, 0, 0}}, {{0, 0, 0}, {0, 0, 0}}).f.x, 0);
}

TEST(Drag, TakesNoMoreThanStops) {
  const Force<double> f = dragOf({.viscosity = 1e9}, {{0, 0, 0}, {5, 0, 0}}, 0.01);
  EXPECT_NEAR(f.f.x * 0.01, -3 * 5, 1e-12);
}

TEST(Drag, ActsWhereTheMediumHasDensityOrViscosity) {
  EXPECT_FALSE((MediumSpec{.wind = {1, 0, 0}}).acts());
  EXPECT_TRUE((MediumSpec{.density = 1}).acts());
  EXPECT_TRUE((MediumSpec{.viscosity = 1}).acts());
}

}  // namespace
}  // namespace espalier
