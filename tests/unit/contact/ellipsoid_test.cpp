// Rolling and spinning friction of one contact: judged by the law, against projected gradients.
#include "espalier/contact/ellipsoid.h"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/unit/contact/random_problem.h"

namespace espalier::contact {
namespace {

using test::Rng;
using test::uniform;

struct TorsionCase {
  Sym3<double> g{};
  Vec3d b, s;
  double frictionRadius = 0;
};

TorsionCase randomTorsionCase(Rng& rng) {
  TorsionCase k;
  for (int column = 0; column < 3; ++column) {
    const Vec3d a{uniform(rng, -1, 1), uniform(rng, -1, 1), uniform(rng, -1, 1)};
    k.g += Sym3<double>{a.x * a.x, a.x * a.y, a.x * a.z, a.y * a.y, a.y * a.z, a.z * a.z};
  }
  k.b = {uniform(rng, -1, 1), uniform(rng, -1, 1), uniform(rng, -1, 1)};
  const double rolling = uniform(rng, 0.1, 1);
  k.s = {rolling, rolling, uniform(rng, 0.1, 1)};
  k.frictionRadius = std::pow(10, uniform(rng, -2, 1));
  return k;
}

Vec3d solve(const TorsionCase& k) {
  return solveTorsion(k.g, k.s, k.frictionRadius, zero3<double>(), k.b);
}

TEST(Ellipsoid, SticksOrTurnsAgainstTheCouple) {
  Rng rng(1);
  int sticks = 0, slips = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const TorsionCase k = randomTorsionCase(rng);
    const Vec3d lambda = solve(k), v = mul(k.g, lambda) + k.b;
    const Vec3d x{lambda.x / k.s.x, lambda.y / k.s.y, lambda.z / k.s.z},
        w{v.x * k.s.x, v.y * k.s.y, v.z * k.s.z};
    ASSERT_LE(norm(x), k.frictionRadius * (1 + 1e-14));
    if (norm(x) < k.frictionRadius * (1 - 1e-9)) {
      ++sticks;
      ASSERT_LE(norm(w), 1e-9 * (1 + norm(x)));
    } else if (norm(w) > 1e-9) {
      ++slips;  // maximum dissipation: w and x point in opposite directions
      ASSERT_LE(dot(x, w), 0);
      ASSERT_LE(norm(cross(x, w)), 1e-9 * norm(x) * norm(w)) << trial;
    }
    const double d = 0.7;
    ASSERT_LE(residualTorsion(lambda, v, k.s, k.frictionRadius, d, 1 / d), 1e-9);
  }
  EXPECT_GT(sticks, 1000);
  EXPECT_GT(slips, 1000);
}

TEST(Ellipsoid, AgreesWithProjectedGradients) {
  Rng rng(2);
  for (int trial = 0; trial < 200; ++trial) {
    const TorsionCase k = randomTorsionCase(rng);
    const double step = 1 / (k.g.xx + k.g.yy + k.g.zz);
    Vec3d x = zero3<double>();
    for (int it = 0; it < 20000; ++it) {
      const Vec3d v = mul(k.g, Vec3d{x.x * k.s.x, x.y * k.s.y, x.z * k.s.z}) + k.b;
      x -= Vec3d{v.x * k.s.x, v.y * k.s.y, v.z * k.s.z} * step;
      if (norm(x) > k.frictionRadius) x = x * (k.frictionRadius / norm(x));
    }
    const Vec3d lambda = solve(k), oracle{x.x * k.s.x, x.y * k.s.y, x.z * k.s.z};
    ASSERT_LE(norm(mul(k.g, lambda - oracle)), 1e-5) << trial;
  }
}

TEST(Ellipsoid, ClosedForms) {
  const Sym3<double> g{2, 0, 0, 2, 0, 2};
  const Vec3d s{0.5, 0.5, 0.5}, none = zero3<double>();
  // Equal axes: the couple opposes the spin, as long as the ball reaches.
  const Vec3d slides = solveTorsion<double>(g, s, 0.1, none, {3, 0, 4});
  EXPECT_NEAR(slides.x, -0.5 * 0.1 * 0.6, 1e-14);
  EXPECT_NEAR(slides.z, -0.5 * 0.1 * 0.8, 1e-14);
  const Vec3d holds = solveTorsion<double>(g, s, 100, none, {3, 0, 4});
  EXPECT_NEAR(holds.x, -1.5, 1e-10);
  EXPECT_NEAR(holds.z, -2.0, 1e-10);
  // Nothing pressed, or no axis: nothing.
  EXPECT_EQ(norm(solveTorsion<double>(g, s, 0, none, {3, 0, 4})), 0);
  const Vec3d spins = solveTorsion<double>(g, {0, 0, 0.5}, 0.1, {1, 2, 0}, {3, 5, 4});
  EXPECT_EQ(spins.x, 0);
  EXPECT_EQ(spins.y, 0);
  EXPECT_NEAR(spins.z, -0.05, 1e-15);
}

TEST(Ellipsoid, ResidualShowsViolations) {
  const Vec3d s{0.5, 0.5, 0};
  // Held at 2 rad/s where it could hold: 1 m/s at the length s.
  EXPECT_NEAR(residualTorsion<double>(zero3<double>(), {2, 0, 0}, s, 10, 1, 1), 1, 1e-15);
  EXPECT_EQ(residualTorsion<double>(zero3<double>(), {2, 0, 7}, s, 0, 1, 1), 0);
  EXPECT_GT(residualTorsion<double>({0, 0, 0.1}, zero3<double>(), s, 10, 1, 1), 0.05);
}

template <class L>
void torsionLanesEqualScalar() {
  using S = value_t<L>;
  Rng rng(3);
  for (int trial = 0; trial < 500; ++trial) {
    Sym3<L> g;
    Vec3<L> b, s;
    L frictionRadius;
    Vec3<S> alone[lanes_v<L>];
    for (int l = 0; l < lanes_v<L>; ++l) {
      TorsionCase k = randomTorsionCase(rng);
      if (l == 1) k.s.z = 0;
      if (l == 2) k.frictionRadius = 0;
      Sym3<S> gs;
      for (int e = 0; e < 6; ++e) {
        (&gs.xx)[e] = S((&k.g.xx)[e]);
        setLane((&g.xx)[e], l, (&gs.xx)[e]);
      }
      Vec3<S> bs, ss;
      for (int e = 0; e < 3; ++e) {
        (&bs.x)[e] = S((&k.b.x)[e]);
        (&ss.x)[e] = S((&k.s.x)[e]);
        setLane((&b.x)[e], l, (&bs.x)[e]);
        setLane((&s.x)[e], l, (&ss.x)[e]);
      }
      setLane(frictionRadius, l, S(k.frictionRadius));
      alone[l] = solveTorsion(gs, ss, S(k.frictionRadius), zero3<S>(), bs);
    }
    const Vec3<L> together = solveTorsion(g, s, frictionRadius, zero3<L>(), b);
    for (int l = 0; l < lanes_v<L>; ++l) {
      const Vec3<S> one = {lane(together.x, l), lane(together.y, l), lane(together.z, l)};
      ASSERT_EQ(std::memcmp(&one, &alone[l], sizeof one), 0) << trial << ' ' << l;
    }
  }
}

TEST(EllipsoidLanes, GiveTheBitsOfTheScalar) {
  torsionLanesEqualScalar<DoubleLanes>();
  torsionLanesEqualScalar<FloatLanes>();
}

}  // namespace
}  // namespace espalier::contact
