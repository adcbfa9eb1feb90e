// Structs of four places crosswise, against one place after another.

#include "espalier/scalar/fours.h"

#include <gtest/gtest.h>

#include <vector>

#include "espalier/spatial/inertia.h"

namespace espalier {
namespace {

RigidInertia<double> inertiaOf(int i) {
  const double x = 1 + i;
  return {x, {0.3 * x, -0.7, x * x}, {5 * x, 0.1, -0.2 * x, 6, 0.3, 7 + x}};
}
Motion<double> motionOf(int i) {
  const double x = 0.1 + i;
  return {{x, -x * x, 0.3}, {1 / x, 2, -0.5 * x}};
}

void expectSame(const Vec3d& a, const Vec3d& b) {
  EXPECT_EQ(a.x, b.x);
  EXPECT_EQ(a.y, b.y);
  EXPECT_EQ(a.z, b.z);
}

TEST(Fours, EachPlaceHasTheBitsOfTheScalar) {
  for (int n = 0; n < 14; ++n) {
    const auto size = static_cast<std::size_t>(n) + 2;
    std::vector<RigidInertia<double>> I;
    std::vector<Motion<double>> V;
    const Force<double> untouched{{1, 2, 3}, {4, 5, 6}};
    std::vector<Force<double>> F(size, untouched);
    for (int i = 0; i < n + 2; ++i) {
      I.push_back(inertiaOf(i));
      V.push_back(motionOf(i));
    }
    forPlaces<double>(1, n + 1, [&](const auto& at) {
      const auto own = at.template loadOf<RigidInertia>(
          [&](int i) -> const RigidInertia<double>& { return I[i]; });
      at.store(F.data(), mul(own, at.load(V.data())));
    });
    for (std::size_t i = 0; i < size; ++i) {
      const bool isOutside = i == 0 || i == size - 1;
      const Force<double> f = isOutside ? untouched : mul(I[i], V[i]);
      expectSame(F[i].n, f.n);
      expectSame(F[i].f, f.f);
    }
  }
}

TEST(Fours, RowsOfAnyLengthComeBack) {
  constexpr int longest = 11;
  for (int count = 0; count <= longest; ++count) {
    double from[4][longest + 1], to[4][longest + 1];
    const double* in[4] = {from[0], from[1], from[2], from[3]};
    double* out[4] = {to[0], to[1], to[2], to[3]};
    for (int l = 0; l < 4; ++l)
      for (int k = 0; k <= longest; ++k) {
        from[l][k] = 100 * l + k;
        to[l][k] = -1;
      }
    Lanes<double, 4> lanes[longest];
    fromRows(in, count, lanes);
    for (int k = 0; k < count; ++k)
      for (int l = 0; l < 4; ++l) EXPECT_EQ(lane(lanes[k], l), 100 * l + k);
    toRows(lanes, count, out);
    for (int l = 0; l < 4; ++l)
      for (int k = 0; k <= longest; ++k) EXPECT_EQ(to[l][k], k < count ? 100 * l + k : -1);
  }
}

TEST(Fours, TwoAndFourRowsStandWhereTheyAreAsked) {
  double from[4][6], to[4][6] = {};
  const double* in[4] = {from[0], from[1], from[2], from[3]};
  double* out[4] = {to[0], to[1], to[2], to[3]};
  for (int l = 0; l < 4; ++l)
    for (int k = 0; k < 6; ++k) from[l][k] = 10 * l + k + 1;
  Lanes<double, 4> lanes[6];
  fourFromRows(in, lanes, 0);
  twoFromRows(in, lanes, 4);
  twoToRows(lanes, out, 0);
  fourToRows(lanes, out, 2);
  for (int l = 0; l < 4; ++l)
    for (int k = 0; k < 6; ++k) EXPECT_EQ(to[l][k], from[l][k]);
}

}  // namespace
}  // namespace espalier
