// One contact: every answer is judged by the law itself.
#include "espalier/contact/single.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "espalier/scalar/instantiate.h"
#include "tests/unit/contact/random_problem.h"

namespace espalier::contact {
namespace {

using test::Rng;
using test::uniform;

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

/// One step from an earlier impulse, as a solver takes it.
template <class T>
Vec3<T> solveFrom(const SingleFactor<T>& f, const Sym3<T>& g, const Vec3<T>& free, const T& mu,
                  const Vec3<T>& warm) {
  return solveSingle(f, mu, warm, mul(g, warm) + free, nmadd(warm, f.shift, free));
}
Vec3d solveFrom(const SingleFactor<double>& f, const Case& k, const Vec3d& warm) {
  return solveFrom(f, k.g, k.c, k.mu, warm);
}

class SingleContact : public ::testing::TestWithParam<double> {};

TEST_P(SingleContact, ObeysSignoriniAndCoulomb) {
  Rng rng(7);
  int open = 0, stick = 0, slip = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const Case k = randomCase(rng, GetParam());
    const auto f = factorSingle(k.g, k.mu);
    ASSERT_EQ(f.shift, 0.0);
    const Vec3d lambda = solveSingle(f, k.mu, k.c);
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

INSTANTIATE_TEST_SUITE_P(ConditionUpTo, SingleContact, ::testing::Values(0.1, 1.0, 3.0, 6.0),
                         [](const auto& digits) {
                           return "tenTo" + std::to_string(int(digits.param * 10)) + "Tenths";
                         });

TEST(SingleContactLimits, WithoutFrictionOnlyTheNormalPushes) {
  Rng rng(11);
  for (int trial = 0; trial < 1000; ++trial) {
    Case k = randomCase(rng, 1.0);
    k.mu = 0;
    const Vec3d lambda = solveSingle(factorSingle(k.g, 0.0), 0.0, k.c);
    EXPECT_EQ(lambda.x, 0);
    EXPECT_EQ(lambda.y, 0);
    EXPECT_NEAR(lambda.z, std::max(-k.c.z / k.g.zz, 0.0), 1e-12 / k.g.zz);
  }
}

TEST(SingleContactLimits, OneRowAlone) {
  // A joint limit: the tangential rows and columns of G are zero.
  const Sym3<double> g = {0, 0, 0, 0, 0, 4};
  const auto f = factorSingle(g, 0.0);
  Vec3d lambda = zero3<double>();
  for (int step = 0; step < 3; ++step) lambda = solveFrom(f, g, {0, 0, -2}, 0.0, lambda);
  EXPECT_EQ(lambda.x, 0);
  EXPECT_EQ(lambda.y, 0);
  EXPECT_NEAR(lambda.z, 0.5, 1e-15);
}

TEST(SingleContactLimits, SingularBlocksConvergeByProximalSteps) {
  // Rank two: one direction cannot move. c stays in the range, as a mechanism's does.
  Rng rng(13);
  for (int trial = 0; trial < 200; ++trial) {
    const Case full = randomCase(rng, 0.5);
    const Vec3d a = {full.c.x, full.c.y, full.c.z}, b = {full.g.xx, full.g.xy, full.g.xz};
    const Sym3<double> g = {a.x * a.x + b.x * b.x, a.x * a.y + b.x * b.y, a.x * a.z + b.x * b.z,
                            a.y * a.y + b.y * b.y, a.y * a.z + b.y * b.z, a.z * a.z + b.z * b.z};
    const double along = uniform(rng, -1, 1), across = uniform(rng, -1, 1);
    const Vec3d free = a * along + b * across;
    const Case k = {g, free, full.mu};
    const auto f = factorSingle(g, k.mu);
    EXPECT_GT(f.shift, 0);
    Vec3d lambda = zero3<double>();
    for (int step = 0; step < 20; ++step) lambda = solveFrom(f, k, lambda);
    // Rounding against the regularisation: 2.2e-16 / 1e-7.
    EXPECT_LE(residualOf(k, lambda), 2.2e-9 * (length(free) + largest(g) * length(lambda)))
        << trial;
  }
}

// ---- several solutions

/// Sliding as a function of s, written from the equations, without principal axes.
struct Sliding {
  explicit Sliding(const Case& k)
      : gn(k.g.zz),
        g1(k.g.xz),
        g2(k.g.yz),
        cn(k.c.z),
        mu(k.mu),
        a(k.g.xx - g1 * g1 / gn),
        b(k.g.xy - g1 * g2 / gn),
        c(k.g.yy - g2 * g2 / gn),
        b1(k.c.x - g1 * cn / gn),
        b2(k.c.y - g2 * cn / gn) {}

  Vec3d at(double s) const {
    const double det = (a + s) * (c + s) - b * b;
    const double x = -((c + s) * b1 - b * b2) / det, y = -((a + s) * b2 - b * b1) / det;
    return {x, y, -(cn + g1 * x + g2 * y) / gn};
  }
  /// Friction's limit less its size; zero where sliding is consistent.
  double margin(double s) const {
    const Vec3d l = at(s);
    return mu * l.z - std::hypot(l.x, l.y);
  }
  /// Every change of sign on a fine logarithmic grid, by halving.
  std::vector<double> roots() const {
    std::vector<double> found;
    double low = 0, before = margin(0);
    for (int step = 0; step <= 1000; ++step) {
      const double s = std::pow(10.0, -8 + 14 * step / 1000.0), now = margin(s);
      if ((before < 0) != (now < 0)) {
        double x = low, y = s;
        for (int halving = 0; halving < 60; ++halving) {
          const double m = (x + y) / 2;
          ((margin(m) < 0) == (before < 0) ? x : y) = m;
        }
        found.push_back(x);
      }
      low = s;
      before = now;
    }
    return found;
  }

  double gn, g1, g2, cn, mu, a, b, c, b1, b2;
};

/// Cases in the corner where friction wedges: a soft tangent direction whose push loads the normal.
Case wedgingCase(Rng& rng) {
  const double a2 = std::pow(10, uniform(rng, -3.7, -2)), angle = uniform(rng, 0, 6.3);
  const double b1 = uniform(rng, -0.9, 0.9), b2 = std::pow(10, uniform(rng, -2.6, -1.4));
  const double g1 = uniform(rng, -1.5, 1.5), g2 = uniform(rng, 0.2, 2);
  const double co = std::cos(angle), si = std::sin(angle),
               cn = -std::pow(10, uniform(rng, -3, -0.5));
  const double gx = co * g1 - si * g2, gy = si * g1 + co * g2;
  Case k;
  k.mu = uniform(rng, 0.5, 1.1) / g2;
  k.g = {co * co + si * si * a2 + gx * gx,
         co * si * (1 - a2) + gx * gy,
         gx,
         si * si + co * co * a2 + gy * gy,
         gy,
         1};
  k.c = {co * b1 - si * b2 + gx * cn, si * b1 + co * b2 + gy * cn, cn};
  return k;
}

TEST(SingleContactSeveral, ColdStartsTakeTheSmallestAndWarmOnesTheNearest) {
  Rng rng(17);
  int several = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    const Case k = wedgingCase(rng);
    const Sliding sliding(k);
    if (sliding.margin(0) >= 0) continue;
    const std::vector<double> roots = sliding.roots();
    // Roots that all but coincide cannot be told apart.
    if (roots.size() < 3 || roots[1] < roots[0] * 1.02 || roots[2] < roots[1] * 1.02) continue;
    ++several;
    const auto f = factorSingle(k.g, k.mu);
    ASSERT_TRUE(f.several);
    const Vec3d cold = solveSingle(f, k.mu, k.c), smallest = sliding.at(roots[0]);
    ASSERT_LE(length(cold - smallest), 1e-6 * length(smallest)) << "trial " << trial;
    for (const double s : {roots[0], roots[2]}) {
      const Vec3d there = sliding.at(s), warm = solveFrom(f, k, there * 1.0001);
      ASSERT_LE(length(warm - there), 1e-6 * length(there)) << "trial " << trial << ", s " << s;
    }
  }
  EXPECT_GT(several, 50);
}

// ---- lanes

template <class L>
void lanesEqualScalar(double digits) {
  using S = value_t<L>;
  Rng rng(23);
  for (int trial = 0; trial < 2000; ++trial) {
    SingleFactor<S> f[lanes_v<L>];
    Vec3<S> alone[lanes_v<L>];
    Sym3<L> g;
    Vec3<L> c, warm;
    L mu;
    for (int l = 0; l < lanes_v<L>; ++l) {
      const Case k = randomCase(rng, digits);
      const Sym3<S> gs = {S(k.g.xx), S(k.g.xy), S(k.g.xz), S(k.g.yy), S(k.g.yz), S(k.g.zz)};
      const Vec3<S> cs = {S(k.c.x), S(k.c.y), S(k.c.z)};
      const Vec3<S> ws = l % 2 ? Vec3<S>{S(0.1), S(-0.2), S(0.4)} : zero3<S>();
      const S ms = l == 1 ? S(0) : S(k.mu);
      f[l] = factorSingle(gs, ms);
      alone[l] = solveFrom(f[l], gs, cs, ms, ws);
      const auto put = [l](L& x, S value) { setLane(x, l, value); };
      put(g.xx, gs.xx), put(g.xy, gs.xy), put(g.xz, gs.xz);
      put(g.yy, gs.yy), put(g.yz, gs.yz), put(g.zz, gs.zz);
      put(c.x, cs.x), put(c.y, cs.y), put(c.z, cs.z);
      put(warm.x, ws.x), put(warm.y, ws.y), put(warm.z, ws.z);
      put(mu, ms);
    }
    const auto wide = factorSingle(g, mu);
    const Vec3<L> together = solveFrom(wide, g, c, mu, warm);
    for (int l = 0; l < lanes_v<L>; ++l) {
      const Vec3<S> one = {lane(together.x, l), lane(together.y, l), lane(together.z, l)};
      ASSERT_EQ(std::memcmp(&one, &alone[l], sizeof one), 0)
          << "trial " << trial << ", lane " << l << ": " << one.z << ", alone " << alone[l].z;
    }
  }
}

TEST(SingleContactLanes, DoubleGivesTheBitsOfTheScalar) {
  lanesEqualScalar<DoubleLanes>(0.5);
  lanesEqualScalar<DoubleLanes>(4.0);
}
TEST(SingleContactLanes, FloatGivesTheBitsOfTheScalar) { lanesEqualScalar<FloatLanes>(1.0); }

}  // namespace
}  // namespace espalier::contact
