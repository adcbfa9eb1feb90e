#include "espalier/contact/cone.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace espalier::contact {
namespace {

TEST(Cone, ProjectionIsTheNearestPoint) {
  // x - P(x) lies in the polar cone and is orthogonal to P(x): that is what "nearest" means.
  std::mt19937_64 rng(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int trial = 0; trial < 10000; ++trial) {
    const double mu = trial % 10 == 0 ? 0.0 : 0.5 + 0.5 * uniform(rng);
    const Vec3d x = {uniform(rng), uniform(rng), 2 * uniform(rng)};
    const Vec3d p = projectOnCone(x, mu), rest = x - p;
    ASSERT_LE(tangentNorm(p), mu * p.z + 1e-15);
    ASSERT_LE(mu * tangentNorm(rest), -rest.z + 1e-15);
    ASSERT_NEAR(dot(p, rest), 0, 4e-15);
  }
}

TEST(Cone, ApexAndAxisStayFinite) {
  const Vec3d apex = projectOnCone(zero3<double>(), 0.5);
  EXPECT_EQ(apex.x, 0);
  EXPECT_EQ(apex.z, 0);
  const Vec3d up = projectOnCone<double>({0, 0, 2}, 0.0),
              down = projectOnCone<double>({0, 0, -2}, 0.0);
  EXPECT_EQ(up.z, 2);
  EXPECT_EQ(down.z, 0);
}

TEST(Cone, ResidualKnowsTheThreeWaysOfBeingRight) {
  const double mu = 0.5, d = 2, inverse = 0.5;
  EXPECT_EQ(residual<double>({0, 0, 0}, {3, 4, 1}, mu, d, inverse), 0);                 // open
  EXPECT_EQ(residual<double>({0.2, 0.1, 1}, {0, 0, 0}, mu, d, inverse), 0);             // stick
  EXPECT_NEAR(residual<double>({-0.3, -0.4, 1}, {3, 4, 0}, mu, d, inverse), 0, 1e-15);  // slip
}

TEST(Cone, ResidualIsAVelocity) {
  // An untouched contact that approaches at 2 m/s, a stuck one that creeps at 0.01 m/s.
  const double mu = 0.5, d = 7, inverse = 1 / d;
  EXPECT_NEAR(residual<double>({0, 0, 0}, {0, 0, -2}, mu, d, inverse), 2, 1e-15);
  const double creep = residual<double>({0, 0, 1}, {0.01, 0, 0}, mu, d, inverse);
  EXPECT_GT(creep, 0.01);
  EXPECT_LT(creep, 0.012);
  // Friction of full strength in a wrong direction is wrong.
  EXPECT_GT(residual<double>({-0.3, 0.4, 1}, {3, 4, 0}, mu, d, inverse), 1);
}

TEST(Cone, NaNIsTheLargestResidual) {
  const double nan = std::nan("");
  EXPECT_GT(residual<double>({0, 0, nan}, {0, 0, 0}, 0.5, 1, 1), 1e300);
}

}  // namespace
}  // namespace espalier::contact
