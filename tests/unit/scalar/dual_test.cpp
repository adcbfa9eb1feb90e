// Dual and Jet2 against closed forms, along t -> a + b t at t = 0.

#include "espalier/scalar/dual.h"

#include <gtest/gtest.h>

#include <cmath>

#include "espalier/scalar/atan2.h"
#include "espalier/scalar/instantiate.h"
#include "espalier/scalar/sincos.h"

namespace espalier {
namespace {

constexpr double x = 0.7, a = 1.3, y = -2.1, b = 0.4;  // values and rates

struct Closed {
  double v, d, dd;
};

void expectDual(Dual<double> r, Closed e) {
  EXPECT_NEAR(r.v, e.v, 1e-15 * (1 + std::abs(e.v)));
  EXPECT_NEAR(r.d, e.d, 1e-14 * (1 + std::abs(e.d)));
}
void expectJet(Jet2<double> r, Closed e) {
  EXPECT_NEAR(r.v, e.v, 1e-15 * (1 + std::abs(e.v)));
  EXPECT_NEAR(r.d, e.d, 1e-14 * (1 + std::abs(e.d)));
  EXPECT_NEAR(r.dd, e.dd, 1e-13 * (1 + std::abs(e.dd)));
}

/// f of two scalars, against its value and derivatives along (x + a t, y + b t).
template <class F>
void expectBoth(F&& f, Closed e) {
  expectDual(f(Dual<double>(x, a), Dual<double>(y, b)), e);
  expectJet(f(Jet2<double>(x, a, 0), Jet2<double>(y, b, 0)), e);
}

TEST(Derivatives, Arithmetic) {
  expectBoth([](auto p, auto q) { return p + q; }, {x + y, a + b, 0});
  expectBoth([](auto p, auto q) { return p - q; }, {x - y, a - b, 0});
  expectBoth([](auto p, auto) { return -p; }, {-x, -a, 0});
  expectBoth([](auto p, auto q) { return p * q; }, {x * y, a * y + x * b, 2 * a * b});
  const double u = a * y - x * b;
  expectBoth([](auto p, auto q) { return p / q; }, {x / y, u / (y * y), -2 * b * u / (y * y * y)});
  expectBoth([](auto p, auto q) { return fma(p, q, p); },
             {x * y + x, a * y + x * b + a, 2 * a * b});
  expectBoth([](auto p, auto q) { return fnma(p, q, p); },
             {x - x * y, a - a * y - x * b, -2 * a * b});
  expectBoth([](auto p, auto q) { return p += q, p *= q, p -= q, p; },
             {(x + y) * y - y, (a + b) * y + (x + y) * b - b, 2 * (a + b) * b});
}

TEST(Derivatives, Roots) {
  const double r = std::sqrt(x);
  expectBoth([](auto p, auto) { return sqrt(p); }, {r, a / (2 * r), -a * a / (4 * r * r * r)});
}

TEST(Derivatives, SineAndCosine) {
  const auto sine = [](auto p, auto) {
    decltype(p) s, c;
    sincos(p, s, c);
    return s;
  };
  const auto cosine = [](auto p, auto) {
    decltype(p) s, c;
    sincos(p, s, c);
    return c;
  };
  expectBoth(sine, {std::sin(x), a * std::cos(x), -a * a * std::sin(x)});
  expectBoth(cosine, {std::cos(x), -a * std::sin(x), -a * a * std::cos(x)});
}

TEST(Derivatives, AngleOfAPoint) {
  const double r2 = x * x + y * y, rate = (x * b - y * a) / r2;
  expectBoth([](auto p, auto q) { return atan2(q, p); },
             {std::atan2(y, x), rate, -2 * rate * (x * a + y * b) / r2});
  expectBoth([](auto p, auto q) { return atan2(p, q); },
             {std::atan2(x, y), -rate, 2 * rate * (x * a + y * b) / r2});
}

TEST(Derivatives, SecondDerivativesOfACurvedArgument) {
  // p(t) = x + a t + c t^2 / 2 with c != 0, through every rule that has a p'' of its own.
  const double c = 0.9;
  const Jet2<double> p(x, a, c);
  const double r = std::sqrt(x);
  expectJet(sqrt(p), {r, a / (2 * r), c / (2 * r) - a * a / (4 * r * r * r)});
  Jet2<double> s, k;
  sincos(p, s, k);
  expectJet(s, {std::sin(x), a * std::cos(x), c * std::cos(x) - a * a * std::sin(x)});
  expectJet(k, {std::cos(x), -a * std::sin(x), -c * std::sin(x) - a * a * std::cos(x)});
  expectJet(Jet2<double>(1.0) / p, {1 / x, -a / (x * x), 2 * a * a / (x * x * x) - c / (x * x)});
  expectJet(atan2(p, Jet2<double>(1.0)),
            {std::atan(x), a / (1 + x * x),
             c / (1 + x * x) - 2 * x * a * a / ((1 + x * x) * (1 + x * x))});
  expectJet(p * p, {x * x, 2 * x * a, 2 * a * a + 2 * x * c});
}

TEST(Derivatives, ChoicesFollowTheValue) {
  expectBoth([](auto p, auto q) { return min(p, q); }, {y, b, 0});
  expectBoth([](auto p, auto q) { return max(p, q); }, {x, a, 0});
  expectBoth([](auto, auto q) { return abs(q); }, {-y, -b, 0});
  expectBoth([](auto p, auto q) { return select(p < q, p, q); }, {y, b, 0});
  const Dual<double> p(x, a), q(y, b);
  EXPECT_TRUE(p > q);
  EXPECT_TRUE(p >= q);
  EXPECT_FALSE(p < q);
  EXPECT_FALSE(p <= q);
}

TEST(Derivatives, NestInLanes) {
  using T = Dual<DoubleLanes>;
  static_assert(lanes_v<T> == lanes_v<DoubleLanes>);
  const T p{DoubleLanes(x), DoubleLanes(a)}, q{DoubleLanes(y), DoubleLanes(b)};
  const T r = sqrt(p) / q + p * T(2.0);
  const Dual<double> alone =
      sqrt(Dual<double>(x, a)) / Dual<double>(y, b) + Dual<double>(x, a) * Dual<double>(2.0);
  for (int i = 0; i < lanes_v<T>; ++i) {
    EXPECT_EQ(lane(r.v, i), alone.v);
    EXPECT_EQ(lane(r.d, i), alone.d);
  }
}

}  // namespace
}  // namespace espalier
