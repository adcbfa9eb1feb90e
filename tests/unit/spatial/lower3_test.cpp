#include "espalier/spatial/lower3.h"

#include <gtest/gtest.h>

#include <random>

namespace espalier {
namespace {

TEST(Lower3, IsTheRootOfItsSquare) {
  std::mt19937_64 rng(1);
  std::uniform_real_distribution<double> number(-1, 1);
  for (int trial = 0; trial < 100; ++trial) {
    // S = A A' + 0.01, positive definite.
    Vec3d r[3];
    for (Vec3d& a : r) a = {number(rng), number(rng), number(rng)};
    const Sym3<double> s{dot(r[0], r[0]) + 0.01, dot(r[0], r[1]), dot(r[0], r[2]),
                         dot(r[1], r[1]) + 0.01, dot(r[1], r[2]), dot(r[2], r[2]) + 0.01};
    const Lower3<double> c = root(s);
    EXPECT_GT(c.xx, 0);
    EXPECT_GT(c.yy, 0);
    EXPECT_GT(c.zz, 0);
    const Vec3d v{number(rng), number(rng), number(rng)}, w{number(rng), number(rng), number(rng)};
    EXPECT_NEAR(norm(mul(c, tmul(c, v)) - mul(s, v)), 0, 1e-14);
    EXPECT_NEAR(dot(mul(c, v), w), dot(v, tmul(c, w)), 1e-14);
  }
  const Lower3<double> c = root(Sym3<double>{4, 2, 6, 10, 9, 22});
  const double numbers[] = {c.xx, c.yx, c.yy, c.zx, c.zy, c.zz}, known[] = {2, 1, 3, 3, 2, 3};
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(numbers[i], known[i], 1e-15);
}

}  // namespace
}  // namespace espalier
