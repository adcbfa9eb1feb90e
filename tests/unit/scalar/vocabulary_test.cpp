// The vocabulary of scalar.h for plain numbers and for lanes: what an algorithm may say, and that a
// lane says it with the same bits.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "espalier/scalar/atan2.h"
#include "espalier/scalar/instantiate.h"
#include "espalier/scalar/sincos.h"

namespace espalier {
namespace {

template <class S>
using Bits = std::conditional_t<sizeof(S) == 8, std::uint64_t, std::uint32_t>;

template <class S>
void expectSameBits(S a, S b) {
  EXPECT_EQ(std::bit_cast<Bits<S>>(a), std::bit_cast<Bits<S>>(b)) << a << " and " << b;
}

template <class T>
class Vocabulary : public ::testing::Test {};
using Scalars = ::testing::Types<double, float, DoubleLanes, FloatLanes>;
TYPED_TEST_SUITE(Vocabulary, Scalars);

/// Different numbers in every lane, the awkward ones among them.
template <class T>
T numbers(int seed) {
  using S = value_t<T>;
  const S some[] = {S(0),    S(-0.0),   S(1),       S(-1),     S(0.1),     S(-7.25),
                    S(1e10), S(-1e-10), S(3.14159), S(2.7182), S(123.456), S(-0.333)};
  T x{};
  for (int i = 0; i < lanes_v<T>; ++i) setLane(x, i, some[(5 * i + seed) % 12]);
  return x;
}

/// f on lanes against f on each number alone.
template <class T, class F>
void expectLanewise(F&& f) {
  using S = value_t<T>;
  for (int seed = 0; seed < 12; ++seed) {
    const T a = numbers<T>(seed), b = numbers<T>(seed + 3), c = numbers<T>(seed + 7);
    const T r = f(a, b, c);
    for (int i = 0; i < lanes_v<T>; ++i) {
      const S alone = f(lane(a, i), lane(b, i), lane(c, i));
      if (alone == alone) expectSameBits<S>(lane(r, i), alone);
    }
  }
}

TYPED_TEST(Vocabulary, LanesEqualScalar) {
  using T = TypeParam;
  expectLanewise<T>([](auto a, auto b, auto) { return a + b; });
  expectLanewise<T>([](auto a, auto b, auto) { return a - b; });
  expectLanewise<T>([](auto a, auto b, auto) { return a * b; });
  expectLanewise<T>([](auto a, auto b, auto) { return a / b; });
  expectLanewise<T>([](auto a, auto, auto) { return -a; });
  expectLanewise<T>([](auto a, auto b, auto c) { return a += b, a -= c, a *= b, a; });
  expectLanewise<T>([](auto a, auto b, auto c) { return fma(a, b, c); });
  expectLanewise<T>([](auto a, auto b, auto c) { return fnma(a, b, c); });
  expectLanewise<T>([](auto a, auto, auto) { return sqrt(abs(a)); });
  expectLanewise<T>([](auto a, auto, auto) { return abs(a); });
  expectLanewise<T>([](auto a, auto b, auto) { return min(a, b); });
  expectLanewise<T>([](auto a, auto b, auto) { return max(a, b); });
  expectLanewise<T>([](auto a, auto b, auto) { return atan2(a, b); });
  expectLanewise<T>([](auto a, auto b, auto c) { return select(a < b, c, a); });
  expectLanewise<T>([](auto a, auto b, auto c) { return select((a > b) | (b > c), c, a); });
  expectLanewise<T>([](auto a, auto b, auto c) { return select((a <= b) & !(b >= c), c, a); });
}

TYPED_TEST(Vocabulary, FmaRoundsOnce) {
  using T = TypeParam;
  using S = value_t<T>;
  const S e = std::numeric_limits<S>::epsilon();
  const T x = T(S(1) + e);
  // (1 + e)^2 - (1 + 2e) = e^2, lost where the product is rounded first.
  const T r = fma(x, x, T(-(S(1) + 2 * e)));
  const T s = fnma(x, x, T(S(1) + 2 * e));
  for (int i = 0; i < lanes_v<T>; ++i) {
    EXPECT_EQ(lane(r, i), e * e);
    EXPECT_EQ(lane(s, i), -e * e);
  }
}

TYPED_TEST(Vocabulary, BroadcastKeepsTheSignOfZero) {
  using T = TypeParam;
  using S = value_t<T>;
  const T zero = T(S(-0.0)), size = abs(zero), broadcast = bc<T>(-0.0);
  for (int i = 0; i < lanes_v<T>; ++i) {
    EXPECT_TRUE(std::signbit(lane(zero, i)));
    EXPECT_TRUE(std::signbit(lane(broadcast, i)));
    EXPECT_FALSE(std::signbit(lane(size, i)));
  }
}

TYPED_TEST(Vocabulary, AnyAndAll) {
  using T = TypeParam;
  using S = value_t<T>;
  const T zero = T(S(0)), one = T(S(1));
  EXPECT_TRUE(any(zero < one));
  EXPECT_TRUE(all(zero < one));
  EXPECT_FALSE(any(one < zero));
  for (int i = 0; i < lanes_v<T>; ++i) {
    T x = zero;
    setLane(x, i, S(2));
    EXPECT_TRUE(any(x > one)) << i;
    EXPECT_EQ(all(x > one), lanes_v<T> == 1) << i;
    EXPECT_EQ(lane(x, i), S(2));
  }
}

template <class S>
S sineError(S x) {
  S s, c;
  sincos(x, s, c);
  const long double wide = x;
  return static_cast<S>(std::max(std::abs(s - std::sin(wide)), std::abs(c - std::cos(wide))));
}

/// Error of the angle of points all about the origin, near and far.
template <class S>
double worstAngle() {
  double worst = 0;
  for (int i = 0; i < 100000; ++i) {
    const double angle = (i + 0.5) * 2 * std::numbers::pi / 100000 - std::numbers::pi;
    for (const double size : {1e-6, 0.7, 3e8}) {
      const S y = static_cast<S>(size * std::sin(angle)),
              x = static_cast<S>(size * std::cos(angle));
      const long double exact =
          std::atan2(static_cast<long double>(y), static_cast<long double>(x));
      worst = std::max(worst, static_cast<double>(std::abs(atan2(y, x) - exact)));
    }
  }
  return worst;
}

TEST(Atan2, IsAccurate) {
  EXPECT_LT(worstAngle<double>(), 5.3e-16);
  EXPECT_LT(worstAngle<float>(), 2.9e-7);
}

TEST(Atan2, IsExactOnTheAxes) {
  const double pi = std::numbers::pi;
  EXPECT_EQ(atan2(0.0, 0.0), 0);
  EXPECT_EQ(atan2(0.0, 2.0), 0);
  EXPECT_EQ(atan2(0.0, -2.0), pi);
  EXPECT_EQ(atan2(-0.0, -2.0), pi);
  EXPECT_EQ(atan2(3.0, 0.0), pi / 2);
  EXPECT_EQ(atan2(-3.0, 0.0), -pi / 2);
  EXPECT_EQ(atan2(5.0, 5.0), pi / 4);
  EXPECT_EQ(atan2(-5.0, -5.0), -3 * pi / 4);
  EXPECT_EQ(atan2(1e-200, 1.0), 1e-200);
  EXPECT_TRUE(std::isnan(atan2(std::nan(""), 1.0)));
  EXPECT_TRUE(std::isnan(atan2(1.0, std::nan(""))));
}

TEST(SinCos, IsAccurate) {
  double worst = 0;
  float worstFloat = 0;
  for (int i = -200000; i <= 200000; ++i) {
    worst = std::max(worst, sineError(i * 0.00137));
    worst = std::max(worst, sineError(i * 0.4999));  // to 1e5
    worstFloat = std::max(worstFloat, sineError(static_cast<float>(i) * 0.00137f));
  }
  EXPECT_LT(worst, 2.1e-16);
  EXPECT_LT(worstFloat, 9.5e-8f);
}

TEST(SinCos, IsExactWhereItMatters) {
  double s, c;
  sincos(0.0, s, c);
  expectSameBits(s, 0.0);
  EXPECT_EQ(c, 1);
  sincos(1e-200, s, c);
  EXPECT_EQ(s, 1e-200);
  const double pi = 3.14159265358979323846;
  for (int k = -8; k <= 8; ++k) {  // every quadrant, and its borders from both sides
    for (double off : {-1e-9, 0.0, 1e-9}) {
      const double x = k * pi / 4 + off;
      sincos(x, s, c);
      EXPECT_NEAR(s, std::sin(x), 2.1e-16);
      EXPECT_NEAR(c, std::cos(x), 2.1e-16);
    }
  }
}

TYPED_TEST(Vocabulary, SinCosLanesEqualScalar) {
  using T = TypeParam;
  using S = value_t<T>;
  for (int n = 0; n < 2000; ++n) {
    T x{}, s, c;
    for (int i = 0; i < lanes_v<T>; ++i)
      setLane(x, i, static_cast<S>((n * 16 + i - 16000) * 0.0031));
    sincos(x, s, c);
    for (int i = 0; i < lanes_v<T>; ++i) {
      S sa, ca;
      sincos(lane(x, i), sa, ca);
      expectSameBits<S>(lane(s, i), sa);
      expectSameBits<S>(lane(c, i), ca);
    }
  }
}

}  // namespace
}  // namespace espalier
