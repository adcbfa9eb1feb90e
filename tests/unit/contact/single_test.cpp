// One contact: every answer is judged by the law itself.
#include "espalier/contact/single.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "espalier/scalar/instantiate.h"

namespace espalier::contact {
namespace {

using Rng = std::mt19937_64;

double uniform(Rng& rng, double a, double b) {
  return std::uniform_real_distribution<double>(a, b)(rng);
}

struct Case {
  Sym3<double> g;
  Vec3d c;
  double mu;
};

double length(const Vec3d& a) { return std::sqrt(a.x * a.x + a.y * a.y + a.z * a.z); }
double largest(const Sym3<double>& g) { return g.xx + g.yy + g.zz; }

/// G = Q diag(d) Q' with condition up to 10^digits; random axes couple normal and tangent strongly.
Case randomCase(Rng& rng, double digits) {
  Vec3d q[3];
  for (Vec3d& axis : q) axis = {uniform(rng, -1, 1), uniform(rng, -1, 1), uniform(rng, -1, 1)};
  q[0] = q[0] * (1 / length(q[0]));
  q[1] = nmadd(q[0], dot(q[0], q[1]), q[1]);
  q[1] = q[1] * (1 / length(q[1]));
  q[2] = cross(q[0], q[1]);
  Case k{};
  for (const Vec3d& a : q) {
    const double d = std::pow(10.0, -uniform(rng, 0, digits));
    k.g += Sym3<double>{d * a.x * a.x, d * a.x * a.y, d * a.x * a.z,
                        d * a.y * a.y, d * a.y * a.z, d * a.z * a.z};
  }
  k.c = {uniform(rng, -1, 1), uniform(rng, -1, 1), uniform(rng, -1, 0.3)};
  k.mu = uniform(rng, 0.05, 1.5);
  return k;
}

double residualOf(const Case& k, const Vec3d& lambda) {
  const double d = largest(k.g) / 3;
  return residual(lambda, mul(k.g, lambda) + k.c, k.mu, d, 1 / d);
}

class SingleContact : public testing::TestWithParam<double> {};

TEST_P(SingleContact, ObeysSignoriniAndCoulomb) {
  Rng rng(7);
  int open = 0, stick = 0, slip = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const Case k = randomCase(rng, GetParam());
    const auto f = factorSingle(k.g, k.mu);
    ASSERT_EQ(f.shift, 0.0);
    const Vec3d lambda = solveSingle(f, k.c, k.mu, zero3<double>());
    const double scale = length(k.c) + largest(k.g) * length(lambda);
    ASSERT_LE(residualOf(k, lambda), 1e-12 * scale) << "trial " << trial;

    const Vec3d v = mul(k.g, lambda) + k.c;
    const double pull = std::hypot(lambda.x, lambda.y), speed = std::hypot(v.x, v.y);
    if (lambda.z == 0) {
      ++open;
      EXPECT_GE(v.z, 0);
    } else if (pull < k.mu * lambda.z * (1 - 1e-12)) {
      ++stick;
      ASSERT_LE(length(v), 1e-12 * scale);
    } else if (speed > 1e-6 * scale) {
      ++slip;
      const double sine = (lambda.x * v.y - lambda.y * v.x) / (pull * speed);
      ASSERT_LE(std::abs(sine), 1e-6) << "trial " << trial;
      ASSERT_LT(lambda.x * v.x + lambda.y * v.y, 0);
    }
  }
  EXPECT_GT(open, 1000);
  EXPECT_GT(stick, 500);
  EXPECT_GT(slip, 1000);
}

INSTANTIATE_TEST_SUITE_P(ConditionUpTo, SingleContact, testing::Values(0.1, 1.0, 3.0, 6.0),
                         [](const auto& digits) {
                           return "tenTo" + std::to_string(int(digits.param * 10)) + "Tenths";
                         });

}  // namespace
}  // namespace espalier::contact
