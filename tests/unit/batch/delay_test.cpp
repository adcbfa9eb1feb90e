// Motor delay of each world: the same as commands that are given later.

#include <gtest/gtest.h>

#include <cmath>

#include "espalier/batch/observer.h"
#include "tests/unit/batch/batch_scenes.h"

namespace espalier::testing {
namespace {

constexpr double dt = 2e-3;  // of makeStrider()
constexpr int worlds = 11;   // a register and a part of one

int delayOf(int world) { return world % 2 == 0 ? 0 : 5 * world; }  // steps

/// What is commanded in a step; before the first one as in it.
template <class S>
void command(Batch<S>& batch, int world, int step) {
  const double t = dt * std::max(step, 0);
  batch.bind("target_q")(8, world) = static_cast<S>(0.6 + 0.2 * std::sin(20 * t));
  batch.bind("target_u")(7, world) = static_cast<S>(std::sin(30 * t));
  batch.bind("feedforward")(8, world) = static_cast<S>(2 * std::cos(25 * t));
}

template <class S>
void expectSame(const Batch<S>& a, const Batch<S>& b, int step) {
  SCOPED_TRACE(step);
  for (int w = 0; w < a.size(); ++w) expectSameWorld(a, w, b, w);
}

template <class S>
void expectAsLateCommands(BatchMode mode) {
  Batch<S> batch(makeStrider, worlds, {.mode = mode, .threads = 2}),
      late(makeStrider, worlds, {.mode = mode, .threads = 1});
  for (int w = 0; w < worlds; ++w) batch.bind("delay")(0, w) = static_cast<S>(dt * delayOf(w));
  for (int step = 0; step < 150; ++step) {  // longer than the ring of commands
    for (int w = 0; w < worlds; ++w) {
      command(batch, w, step);
      command(late, w, step - delayOf(w));
    }
    batch.step();
    late.step();
    expectSame(batch, late, step);
  }
  EXPECT_NE(batch.getState(0).q, batch.getState(1).q);
}

TEST(MotorDelay, IsACommandThatComesLate) {
  expectAsLateCommands<double>(BatchMode::ACCURATE);
  expectAsLateCommands<double>(BatchMode::THROUGHPUT);
  expectAsLateCommands<float>(BatchMode::THROUGHPUT);
}

/// A command holds for all steps of a call, and arrives in the midst of a later one.
TEST(MotorDelay, CountsStepsAndNotCalls) {
  for (const BatchMode mode : {BatchMode::ACCURATE, BatchMode::THROUGHPUT}) {
    Batch<double> batch(makeStrider, 2, {.mode = mode}), late(makeStrider, 2, {.mode = mode});
    for (int w = 0; w < 2; ++w) batch.bind("delay")(0, w) = 3 * dt;
    for (int call = 0; call < 5; ++call) {
      for (int w = 0; w < 2; ++w) {
        command(batch, w, 10 * call);
        command(late, w, 10 * (call - 1));
      }
      batch.step(4);
      late.step(3);
      for (int w = 0; w < 2; ++w) command(late, w, 10 * call);
      late.step(1);
      for (int w = 0; w < 2; ++w)
        for (int i = 0; i < 19; ++i)  // a call makes quaternions unit, to rounding
          ASSERT_NEAR(batch.getState(w).q[i], late.getState(w).q[i], 1e-9);
    }
  }
}

TEST(MotorDelay, AResetForgetsCommandsOnTheirWay) {
  Batch<double> batch(makeStrider, 2), fresh(makeStrider, 2);
  for (Batch<double>* b : {&batch, &fresh})
    for (int w = 0; w < 2; ++w) b->bind("delay")(0, w) = 20 * dt;
  for (int step = 0; step < 30; ++step) {
    for (int w = 0; w < 2; ++w) command(batch, w, step);
    batch.step();
  }
  batch.reset();
  for (int step = 0; step < 30; ++step) {
    for (Batch<double>* b : {&batch, &fresh})
      for (int w = 0; w < 2; ++w) command(*b, w, 100 + step);
    batch.step();
    fresh.step();
    expectSame(batch, fresh, step);
  }
}

TEST(MotorDelay, IsInTheTorqueThatIsObserved) {
  Batch<double> batch(makeStrider, worlds, {.mode = BatchMode::THROUGHPUT}),
      late(makeStrider, worlds, {.mode = BatchMode::THROUGHPUT});
  const Quantity torques[] = {{.name = "torque", .of = {"LF_HFE", "LF_KFE"}}};
  Observer<double> before(batch, torques), ofLate(late, torques);  // bound after it is compiled
  for (int w = 0; w < worlds; ++w) batch.bind("delay")(0, w) = 6 * dt;
  for (int step = 0; step < 20; ++step) {
    for (int w = 0; w < worlds; ++w) {
      command(batch, w, step);
      command(late, w, step - 6);
    }
    batch.step();
    late.step();
  }
  std::vector<double> a(2 * worlds), b(2 * worlds);
  before.observe(Observed<double>{a.data(), 2, 1});
  ofLate.observe(Observed<double>{b.data(), 2, 1});
  EXPECT_EQ(a, b);
}

TEST(MotorDelay, IsNoLongerThanTheCommandsThatAreKept) {
  Batch<double> batch(makeStrider, 3);
  const Rows<double> delay = batch.bind("delay");
  const State before = batch.getState(0);
  for (const double wrong : {-dt, 64 * dt, std::nan("")}) {
    delay(0, 1) = wrong;
    try {
      batch.step();
      FAIL() << wrong;
    } catch (const std::invalid_argument& e) {
      const std::string message = e.what();
      EXPECT_NE(message.find("world 1"), std::string::npos) << message;
      EXPECT_NE(message.find("63 steps"), std::string::npos) << message;
    }
    EXPECT_EQ(batch.getState(0).q, before.q);
  }
  delay(0, 1) = 63 * dt;
  batch.step();
  EXPECT_EQ(batch.report().flags[1], 0u);
}

}  // namespace
}  // namespace espalier::testing
