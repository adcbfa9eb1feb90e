// Traced functions: the tape does what the function does, for every scalar and its derivatives, and
// what cannot be a tape is refused.

#include "espalier/model/spec/tape.h"

#include <gtest/gtest.h>

#include <cmath>

#include "espalier/model/spec/play.h"
#include "espalier/model/spec/trace.h"
#include "espalier/scalar/instantiate.h"
#include "espalier/spatial/rotation.h"

namespace espalier::testing {
namespace {

/// k at q and u.
std::vector<double> biasOf(const Tape& tape, const std::vector<double>& q,
                           const std::vector<double>& u) {
  std::vector<Jet2<double>> values(static_cast<std::size_t>(tape.values()));
  for (std::size_t i = 0; i < q.size(); ++i) values[i] = {q[i], u[i], 0.0};
  play(tape, values.data());
  std::vector<double> k;
  for (const int o : tape.outputs) k.push_back(-values[o].dd);
  return k;
}

/// A point on two bodies, in espalier's own algebra: any scalar, tracing or not.
struct Arm {
  template <class T>
  std::vector<T> operator()(const std::vector<T>& q) const {
    T s, c, s2, c2;
    sincos(q[0], s, c);
    sincos(q[1] * T(1.5), s2, c2);
    const Vec3<T> axis{T(0.6), T(0), T(0.8)}, arm{T(0.3), T(-0.2), q[2]};
    const Vec3<T> p = mul(axisRotation(axis, s, c), mul(axisRotation(axis, s2, c2), arm) + arm);
    return {p.x, p.y / (T(2) + p.z * p.z), sqrt(dot(p, p) + T(1)) - s2};
  }
};

const std::vector<double> at = {0.7, -1.9, 0.45};
const std::vector<double> rate = {1.3, -0.4, 2.1};

template <class T>
std::vector<T> valuesOf(const Tape& tape, const std::vector<T>& q) {
  std::vector<T> values(tape.values()), phi(tape.rows());
  playValues(tape, q.data(), values.data(), phi.data());
  return phi;
}

template <class T>
std::vector<T> spread(const std::vector<double>& x) {
  std::vector<T> wide;
  for (const double v : x) wide.push_back(bc<T>(v));
  return wide;
}

TEST(Tape, AgreesWithTheFunctionToTheBit) {
  const Tape tape = trace(3, Arm{});
  EXPECT_EQ(tape.fault(), "");
  EXPECT_EQ(valuesOf(tape, at), Arm{}(at));
}

TEST(Tape, EveryLaneIsAWorldAlone) {
  const Tape tape = trace(3, Arm{});
  std::vector<DoubleLanes> q = spread<DoubleLanes>(at);
  for (int i = 0; i < lanes_v<DoubleLanes>; ++i)
    for (DoubleLanes& x : q) setLane(x, i, lane(x, i) + 0.31 * i);
  const auto phi = valuesOf(tape, q);
  for (int i = 0; i < lanes_v<DoubleLanes>; ++i) {
    std::vector<double> one;
    for (const DoubleLanes& x : q) one.push_back(lane(x, i));
    const std::vector<double> alone = valuesOf(tape, one);
    for (int r = 0; r < 3; ++r) EXPECT_EQ(lane(phi[r], i), alone[r]);
  }
  const auto coarse = valuesOf(tape, spread<float>(at));
  for (int r = 0; r < 3; ++r) EXPECT_NEAR(coarse[r], Arm{}(at)[r], 1e-6);
}

TEST(Tape, ItsDerivativesAreThoseOfTheFunction) {
  const Tape tape = trace(3, Arm{});
  std::vector<double> K(9);
  std::vector<Dual<double>> duals(tape.values());
  playJacobian(tape, at.data(), duals.data(), K.data());
  for (int j = 0; j < 3; ++j) {
    const double h = 1e-5;
    std::vector<double> up = at, down = at;
    up[j] += h;
    down[j] -= h;
    for (int r = 0; r < 3; ++r)
      EXPECT_NEAR(K[3 * r + j], (Arm{}(up)[r] - Arm{}(down)[r]) / (2 * h), 1e-9);
  }
  const std::vector<double> k = biasOf(tape, at, rate);
  // -Kdot u by Duals of K along u.
  std::vector<Dual<double>> q, wideK(9);
  for (int i = 0; i < 3; ++i) q.push_back({at[i], rate[i]});
  std::vector<Dual<Dual<double>>> nested(tape.values());
  playJacobian(tape, q.data(), nested.data(), wideK.data());
  for (int r = 0; r < 3; ++r) {
    double sum = 0;
    for (int j = 0; j < 3; ++j) sum += wideK[3 * r + j].d * rate[j];
    EXPECT_NEAR(k[r], -sum, 1e-12);
  }
}

/// A crank's angle from where its rod ends: functions that undo others.
TEST(Tape, KnowsAngles) {
  const Tape tape = trace(2, [](const auto& q) {
    const auto x = 0.4 + 0.1 * q[0], y = 0.3 - 0.2 * q[1];
    return std::array{atan2(y, x) + acos(x), asin(y) - atan(x), acos(-x)};
  });
  EXPECT_EQ(tape.fault(), "");
  const std::vector<double> q = {0.7, -1.9}, u = {1.3, -0.4};
  const double x = 0.4 + 0.1 * q[0], y = 0.3 - 0.2 * q[1];
  const auto phi = valuesOf(tape, q);
  EXPECT_NEAR(phi[0], std::atan2(y, x) + std::acos(x), 1e-15);
  EXPECT_NEAR(phi[1], std::asin(y) - std::atan(x), 1e-15);
  EXPECT_NEAR(phi[2], std::acos(-x), 1e-15);
  std::vector<double> K(6);
  std::vector<Dual<double>> duals(tape.values());
  playJacobian(tape, q.data(), duals.data(), K.data());
  const std::vector<double> k = biasOf(tape, q, u);
  const double root = std::sqrt(1 - y * y);  // asin y
  EXPECT_NEAR(K[2 + 1], -0.2 / root, 1e-15);
  EXPECT_NEAR(K[2], -0.1 / (1 + x * x), 1e-15);
  const double xd = 0.1 * u[0], yd = -0.2 * u[1];
  EXPECT_NEAR(k[1],
              -(y * yd * yd / (root * root * root) + 2 * x * xd * xd / std::pow(1 + x * x, 2)),
              1e-15);
}

TEST(Tape, IsDataThatMayBeComparedAndHashed) {
  const auto sine = [](const auto& q) { return 2.0 * sin(q[0]) + q[1]; };
  const Tape one = trace(2, sine), same = trace(2, sine);
  const Tape other = trace(2, [](const auto& q) { return 2.5 * sin(q[0]) + q[1]; });
  const Tape copy = one;
  EXPECT_EQ(one, same);
  EXPECT_EQ(one, copy);
  EXPECT_EQ(one.hash(), same.hash());
  EXPECT_NE(one, other);
  EXPECT_NE(one.hash(), other.hash());
  EXPECT_NE(one.hash(), trace(3, sine).hash());
}

TEST(Tape, KeepsOnlyStepsThatTheOutputsNeedOnce) {
  const Tape tape = trace(2, [](const auto& q) {
    const auto unused = sqrt(q[1]);
    const auto constant = 2.0 * 0.25 + 0.5;  // 1
    (void)unused;
    return std::array{constant * sin(q[0]) + 0.0 * q[1], sin(q[0]) * cos(q[0])};
  });
  EXPECT_EQ(tape.constants.size(), 0u);
  ASSERT_EQ(tape.steps.size(), 3u);  // sine, cosine, their product
  EXPECT_EQ(tape.steps[0].op, TapeOp::SINE);
  EXPECT_EQ(tape.outputs, (std::vector<int>{2, 4}));
  EXPECT_DOUBLE_EQ(valuesOf(tape, at)[1], std::sin(0.7) * std::cos(0.7));
}

TEST(Tape, AConstantOrAnInputMayBeAnOutput) {
  const Tape tape = trace(2, [](const auto& q) {
    using T = std::decay_t<decltype(q[0])>;
    return std::vector<T>{T(3.5), q[1], q[1]};
  });
  EXPECT_EQ(valuesOf<double>(tape, {1.0, 2.0}), (std::vector<double>{3.5, 2, 2}));
}

template <class F>
std::string refusalOf(const F& f) {
  try {
    trace(2, f);
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "";
}

TEST(Tape, AFunctionThatBranchesIsRefusedWithARemedy) {
  const auto says = [](const std::string& refusal, const char* what) {
    EXPECT_NE(refusal.find(what), std::string::npos) << refusal;
    EXPECT_NE(refusal.find("smooth functions"), std::string::npos) << refusal;
  };
  says(refusalOf([](const auto& q) { return q[0] < q[1] ? q[0] : q[1]; }), "'<'");
  says(refusalOf([](const auto& q) { return q[0] > 0.0 ? q[0] : q[1]; }), "'>'");
  says(refusalOf([](const auto& q) { return 1.0 <= q[0] ? q[0] : q[1]; }), "'<='");
  says(refusalOf([](const auto& q) { return q[0] >= q[1] ? q[0] : q[1]; }), "'>='");
  says(refusalOf([](const auto& q) { return q[0] == 0.0 ? q[0] : q[1]; }), "'=='");
  says(refusalOf([](const auto& q) { return q[0] != 0.0 ? q[0] : q[1]; }), "'!='");
  says(refusalOf([](const auto& q) { return abs(q[0]); }), "'abs'");
  says(refusalOf([](const auto& q) { return max(q[0], q[1]); }), "'max'");
}

TEST(Tape, FunctionsThatChangeFromCallToCallAreRefused) {
  int calls = 0;
  EXPECT_NE(refusalOf([&](const auto& q) { return q[0] * double(++calls); }).find("second time"),
            std::string::npos);
  Traced kept;
  trace(1, [&](const auto& q) { return kept = sin(q[0]); });
  EXPECT_NE(refusalOf([&](const auto& q) { return kept + q[0]; }).find("keep none"),
            std::string::npos);
  EXPECT_NE(refusalOf([&](const auto&) { return kept; }).find("keep none"), std::string::npos);
}

TEST(Tape, NumbersThatAreNoneAreRefused) {
  EXPECT_NE(refusalOf([](const auto& q) { return q[0] / 0.0; }).find("divides by zero"),
            std::string::npos);
  EXPECT_NE(refusalOf([](const auto& q) { return q[0] + std::sqrt(-1.0); }).find("not finite"),
            std::string::npos);
  EXPECT_THROW(trace(0, [](const auto&) { return Traced(1.0); }), std::invalid_argument);
  EXPECT_THROW(trace(1, [](const auto&) { return std::vector<Traced>{}; }), std::invalid_argument);
}

TEST(Tape, AFaultIsFound) {
  Tape tape = trace(2, [](const auto& q) { return fma(q[0], q[1], sin(q[0])); });
  ASSERT_EQ(tape.fault(), "");
  const auto faultAfter = [&tape](auto&& change) {
    Tape broken = tape;
    change(broken);
    return broken.fault();
  };
  EXPECT_NE(faultAfter([](Tape& t) { t.steps[0].a = 5; }), "");
  EXPECT_NE(faultAfter([](Tape& t) { t.steps[0].b = 1; }), "");
  EXPECT_NE(faultAfter([](Tape& t) { t.steps[2].c = -1; }), "");
  EXPECT_NE(faultAfter([](Tape& t) { t.steps[1].op = TapeOp::SQRT; }), "");
  EXPECT_NE(faultAfter([](Tape& t) { t.steps[2].op = static_cast<TapeOp>(77); }), "");
  EXPECT_NE(faultAfter([](Tape& t) { t.steps.erase(t.steps.begin()); }), "");
  EXPECT_NE(faultAfter([](Tape& t) { t.outputs = {}; }), "");
  EXPECT_NE(faultAfter([](Tape& t) { t.outputs = {9}; }), "");
  EXPECT_NE(faultAfter([](Tape& t) { t.inputs = -1; }), "");
  EXPECT_NE(faultAfter([](Tape& t) { t.constants = {HUGE_VAL}; }), "");
}

}  // namespace
}  // namespace espalier::testing
