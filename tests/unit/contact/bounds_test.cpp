// Bounded rows: judged row by row, against projected Gauss-Seidel run to the end, and closed forms.
#include "espalier/contact/bounds.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "tests/unit/contact/random_problem.h"

namespace espalier::contact {
namespace {

using test::Rng;
using test::uniform;
constexpr double kInfinite = std::numeric_limits<double>::infinity();

struct Case {
  Sym3<double> g{};
  Vec3d c, lower, upper;
};

/// G = B B' with columns shrunk down to 10^-digits.
Case randomCase(Rng& rng, double digits) {
  Case k;
  for (int column = 0; column < 3; ++column) {
    const double scale = std::pow(10, -uniform(rng, 0, digits));
    const Vec3d a = Vec3d{uniform(rng, -1, 1), uniform(rng, -1, 1), uniform(rng, -1, 1)} * scale;
    k.g += Sym3<double>{a.x * a.x, a.x * a.y, a.x * a.z, a.y * a.y, a.y * a.z, a.z * a.z};
  }
  k.c = {uniform(rng, -1, 1), uniform(rng, -1, 1), uniform(rng, -1, 1)};
  for (int r = 0; r < 3; ++r) {
    const double a = uniform(rng, -1, 1), b = uniform(rng, -1, 1);
    (&k.lower.x)[r] = uniform(rng, 0, 1) < 0.3 ? -kInfinite : std::min(a, b);
    (&k.upper.x)[r] = uniform(rng, 0, 1) < 0.3 ? kInfinite : std::max(a, b);
  }
  return k;
}

Vec3d solve(const Case& k) {
  return solveBounded<double>(k.g, k.lower, k.upper, zero3<double>(), k.c);
}

void expectLaw(const Case& k, const Vec3d& lambda, double tolerance) {
  const Vec3d v = mul(k.g, lambda) + k.c;
  for (int r = 0; r < 3; ++r) {
    const double l = (&lambda.x)[r], speed = (&v.x)[r];
    ASSERT_GE(l, (&k.lower.x)[r]);
    ASSERT_LE(l, (&k.upper.x)[r]);
    ASSERT_TRUE(l == (&k.lower.x)[r] || speed <= tolerance);
    ASSERT_TRUE(l == (&k.upper.x)[r] || speed >= -tolerance);
  }
}

TEST(Bounds, EveryRowObeysTheLaw) {
  Rng rng(1);
  int statuses[27] = {};
  for (int trial = 0; trial < 20000; ++trial) {
    const Case k = randomCase(rng, trial % 2 ? 0.3 : 2);
    const Vec3d lambda = solve(k);
    const double size = 1 + norm(lambda) * (k.g.xx + k.g.yy + k.g.zz);
    expectLaw(k, lambda, 1e-12 * size);
    ASSERT_LE(residualBounded(lambda, mul(k.g, lambda) + k.c, k.g, k.lower, k.upper), 1e-11 * size);
    int status = 0;
    for (int r = 0; r < 3; ++r) {
      const double l = (&lambda.x)[r];
      status = 3 * status + (l == (&k.lower.x)[r] ? 1 : l == (&k.upper.x)[r] ? 2 : 0);
    }
    ++statuses[status];
  }
  for (const int count : statuses) EXPECT_GT(count, 50);  // all 27 ways have been met
}

TEST(Bounds, AgreesWithProjectedGaussSeidel) {
  Rng rng(2);
  for (int trial = 0; trial < 500; ++trial) {
    Case k = randomCase(rng, 0.5);
    k.g += Sym3<double>{0.2, 0, 0, 0.2, 0, 0.2};  // or the sweeps would take for ever
    const double g[3][3] = {
        {k.g.xx, k.g.xy, k.g.xz}, {k.g.xy, k.g.yy, k.g.yz}, {k.g.xz, k.g.yz, k.g.zz}};
    double l[3] = {};
    for (int sweep = 0; sweep < 20000; ++sweep)
      for (int r = 0; r < 3; ++r) {
        const double v = (&k.c.x)[r] + g[r][0] * l[0] + g[r][1] * l[1] + g[r][2] * l[2];
        l[r] = std::clamp(l[r] - v / g[r][r], (&k.lower.x)[r], (&k.upper.x)[r]);
      }
    const Vec3d lambda = solve(k), oracle{l[0], l[1], l[2]};
    const Vec3d gap = mul(k.g, lambda - oracle);
    ASSERT_LE(norm(gap), 1e-7 * (1 + norm(lambda))) << trial;
  }
}

TEST(Bounds, ClosedForms) {
  const Vec3d none = zero3<double>(), all{kInfinite, kInfinite, kInfinite};
  // Bilateral: v = 0.
  const Sym3<double> g{2, 0.5, 0.1, 3, -0.2, 1};
  const Vec3d c{1, -2, 3}, held = solveBounded<double>(g, -all, all, none, c);
  EXPECT_LE(norm(mul(g, held) + c), 1e-15);
  // One row of dry friction of 0.1 N s, the others not there.
  const Sym3<double> row{0, 0, 0, 0, 0, 2};
  const Vec3d most{0, 0, 0.1};
  EXPECT_EQ(solveBounded<double>(row, -most, most, none, {0, 0, 5}).z, -0.1);
  EXPECT_EQ(solveBounded<double>(row, -most, most, none, {0, 0, -5}).z, 0.1);
  EXPECT_NEAR(solveBounded<double>(row, -most, most, none, {0, 0, -0.1}).z, 0.05, 1e-16);
  // A unilateral limit.
  EXPECT_EQ(solveBounded<double>(row, none, {0, 0, kInfinite}, none, {0, 0, 1}).z, 0);
  EXPECT_NEAR(solveBounded<double>(row, none, {0, 0, kInfinite}, none, {0, 0, -1}).z, 0.5, 1e-16);
}

TEST(Bounds, ResidualIsAVelocity) {
  const Sym3<double> g{0, 0, 0, 0, 0, 4};
  const Vec3d free{0, 0, kInfinite};
  EXPECT_NEAR(residualBounded<double>({0, 0, 1}, {0, 0, 0.3}, g, -free, free), 0.3, 1e-15);
  EXPECT_EQ(residualBounded<double>({0, 0, 0}, {0, 0, 0.3}, g, {0, 0, 0}, free), 0);
  EXPECT_NEAR(residualBounded<double>({0, 0, -1}, {0, 0, 0.3}, g, {0, 0, 0}, free), 4, 1e-15);
  EXPECT_GT(residualBounded<double>({0, 0, std::nan("")}, {0, 0, 0}, g, -free, free), 1e300);
}

TEST(Bounds, SingularBlocksConvergeByProximalSteps) {
  Rng rng(3);
  for (int trial = 0; trial < 1000; ++trial) {
    Case k = randomCase(rng, 0);
    // Two columns only, and a velocity that the two can have.
    const Vec3d a{uniform(rng, -1, 1), uniform(rng, -1, 1), uniform(rng, -1, 1)},
        b{uniform(rng, -1, 1), uniform(rng, -1, 1), uniform(rng, -1, 1)};
    k.g = {a.x * a.x + b.x * b.x, a.x * a.y + b.x * b.y, a.x * a.z + b.x * b.z,
           a.y * a.y + b.y * b.y, a.y * a.z + b.y * b.z, a.z * a.z + b.z * b.z};
    k.c = a * uniform(rng, -1, 1) + b * uniform(rng, -1, 1);
    Vec3d lambda = zero3<double>();
    double left = 1;
    for (int step = 0; step < 100 && left > 1e-12; ++step) {
      const Vec3d v = mul(k.g, lambda) + k.c;
      lambda = solveBounded(k.g, k.lower, k.upper, lambda, v);
      left = residualBounded(lambda, mul(k.g, lambda) + k.c, k.g, k.lower, k.upper);
    }
    ASSERT_LE(left, 1e-11) << trial;
  }
}

template <class L>
void lanesEqualScalar() {
  using S = value_t<L>;
  Rng rng(4);
  for (int trial = 0; trial < 1000; ++trial) {
    Sym3<L> g;
    Vec3<L> c, lower, upper, warm;
    Vec3<S> alone[lanes_v<L>];
    for (int l = 0; l < lanes_v<L>; ++l) {
      const Case k = randomCase(rng, 1);
      const Vec3d w{uniform(rng, -1, 1), 0, uniform(rng, -1, 1)};
      const auto plain = [](const Vec3d& a) { return Vec3<S>{S(a.x), S(a.y), S(a.z)}; };
      const auto put = [l](Vec3<L>& to, const Vec3d& a) {
        setLane(to.x, l, S(a.x)), setLane(to.y, l, S(a.y)), setLane(to.z, l, S(a.z));
      };
      const double* from = &k.g.xx;
      Sym3<S> gs;
      for (int e = 0; e < 6; ++e) {
        (&gs.xx)[e] = S(from[e]);
        setLane((&g.xx)[e], l, S(from[e]));
      }
      put(c, k.c), put(lower, k.lower), put(upper, k.upper), put(warm, w);
      alone[l] = solveBounded(gs, plain(k.lower), plain(k.upper), plain(w), plain(k.c));
    }
    const Vec3<L> together = solveBounded(g, lower, upper, warm, c);
    for (int l = 0; l < lanes_v<L>; ++l) {
      const Vec3<S> one = {lane(together.x, l), lane(together.y, l), lane(together.z, l)};
      ASSERT_EQ(std::memcmp(&one, &alone[l], sizeof one), 0) << trial << ' ' << l;
    }
  }
}

TEST(BoundsLanes, GiveTheBitsOfTheScalar) {
  lanesEqualScalar<DoubleLanes>();
  lanesEqualScalar<FloatLanes>();
}

}  // namespace
}  // namespace espalier::contact
