// Three numbers in a register are the plain vector's, bit for bit.

#include "espalier/contact/column3.h"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/unit/contact/scenes.h"

namespace espalier::contact {
namespace {

using test::Rng;
using test::uniform;

bool isSame(const Vec3d& a, const Vec3d& b) { return std::memcmp(&a, &b, sizeof a) == 0; }
bool isSame(const Block<double>& a, const Mat3d& b) {
  const Mat3d m = a.mat3();
  return std::memcmp(&m, &b, sizeof m) == 0;
}

TEST(Column3, SumsAreThoseOfVectors) {
  Rng rng(1);
  const auto draw = [&] {
    return Vec3d{uniform(rng, -1, 1), uniform(rng, -1, 1), uniform(rng, -1, 1)};
  };
  for (int trial = 0; trial < 200; ++trial) {
    const Vec3d a = draw(), b = draw();
    const Mat3d m{draw(), draw(), draw()}, n{draw(), draw(), draw()};
    const Column3<double> ta = a, tb = b;
    const double s = uniform(rng, -1, 1);
    ASSERT_TRUE(isSame((ta + tb).vec3(), a + b) && isSame((ta - tb).vec3(), a - b));
    ASSERT_TRUE(isSame((ta * s).vec3(), a * s));
    ASSERT_TRUE(isSame(madd(ta, s, tb).vec3(), madd(a, s, b)));
    ASSERT_TRUE(isSame(nmadd(ta, s, tb).vec3(), nmadd(a, s, b)));
    ASSERT_TRUE(isSame(scaled(ta, tb).vec3(), {a.x * b.x, a.y * b.y, a.z * b.z}));
    ASSERT_TRUE(isSame(tmul(Block<double>(m), a).vec3(), tmul(m, a)));
    ASSERT_TRUE(isSame(tmul(transpose(Block<double>(m)), a).vec3(), mul(m, a)));
    ASSERT_TRUE(isSame(mul(Block<double>(m), Block<double>(n)), mul(m, n)));
    Mat3d sum = m;
    sum += n;
    ASSERT_TRUE(isSame(Block<double>(m) + Block<double>(n), sum));
    EXPECT_EQ(ta.x(), a.x);
    EXPECT_EQ(ta.y(), a.y);
    EXPECT_EQ(ta.z(), a.z);
  }
}

TEST(Column3, LanesAreScalars) {
  Rng rng(2);
  constexpr int lanes = lanes_v<DoubleLanes>;
  const auto at = [](const Vec3<DoubleLanes>& v, int l) {
    return Vec3d{lane(v.x, l), lane(v.y, l), lane(v.z, l)};
  };
  Mat3<DoubleLanes> wide[3];
  Mat3d plain[3][lanes];
  for (int k = 0; k < 3; ++k)
    for (int l = 0; l < lanes; ++l)
      for (int e = 0; e < 9; ++e) {
        const double x = uniform(rng, -1, 1);
        (&plain[k][l].r0.x)[e] = x;
        setLane((&wide[k].r0.x)[e], l, x);
      }
  const auto less = minusProduct(Block<DoubleLanes>(wide[0]), Block<DoubleLanes>(wide[1]),
                                 Block<DoubleLanes>(wide[2]));
  for (int l = 0; l < lanes; ++l) {
    const auto one = minusProduct(Block<double>(plain[0][l]), Block<double>(plain[1][l]),
                                  Block<double>(plain[2][l]))
                         .mat3();
    EXPECT_TRUE(isSame(at(less.mat3().r0, l), one.r0));
    EXPECT_TRUE(isSame(at(less.mat3().r1, l), one.r1));
    EXPECT_TRUE(isSame(at(less.mat3().r2, l), one.r2));
  }
}

}  // namespace
}  // namespace espalier::contact
