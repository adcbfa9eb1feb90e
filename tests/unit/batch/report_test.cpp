// BatchReport: what the steps of a call were worth, beside the reports of worlds alone.

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/batch/batch_scenes.h"

namespace espalier::testing {
namespace {

std::shared_ptr<World> makeFallingBeest() {
  auto world = makeGround();
  addRobot(*world, "beest", 0, 0, {0, 0, 0.01});
  return world;
}

/// A strider on its belly, with thighs inside the hips, cannot do what all contacts ask for.
State jammed(const State& state) {
  State jam = state;
  jam.q[2] = 0.12;
  for (int leg = 0; leg < 4; ++leg) {
    jam.q[7 + 3 * leg] = jam.q[9 + 3 * leg] = 0;
    jam.q[8 + 3 * leg] = leg < 2 ? 1.75 : -1.75;
  }
  return jam;
}

TEST(BatchReport, SumsTheReportsOfTheStepsOfACall) {
  constexpr int n = 3, steps = 60;
  Batch<double> batch(makeStrider, n);
  const State start = jammed(batch.initialState());
  batch.setState(1, start);
  batch.step(steps);
  const auto world = makeStrider();
  world->setState(start);
  BatchReport<double> expected(1);
  for (int k = 0; k < steps; ++k) {
    const StepReport& step = world->integrate();
    expected.flags[0] |= step.flags;
    expected.residual[0] = std::max(expected.residual[0], step.residual);
    expected.penetration[0] = std::max(expected.penetration[0], step.penetration);
    expected.iterations[0] += step.iterations;
    expected.uncorrected[0] += step.uncorrected > 0;
  }
  const BatchReport<double>& report = batch.report();
  EXPECT_EQ(report.flags[1], expected.flags[0]);
  EXPECT_EQ(report.residual[1], expected.residual[0]);
  EXPECT_EQ(report.penetration[1], expected.penetration[0]);
  EXPECT_EQ(report.iterations[1], expected.iterations[0]);
  EXPECT_EQ(report.uncorrected[1], expected.uncorrected[0]);
  EXPECT_GT(report.uncorrected[1], 0);
  EXPECT_EQ(report.uncorrected[2], 0);
  EXPECT_GT(report.penetration[1], 0.01);

  batch.step();
  EXPECT_LE(report.uncorrected[1], 1) << "of the last call alone";
  const int one[] = {1};
  batch.reset(one);
  EXPECT_EQ(report.iterations[1], 0);
  EXPECT_EQ(report.penetration[1], 0);
}

template <class S>
void expectTellsJams() {
  constexpr int steps = 60;
  Batch<S> batch(makeStrider, 3, {.mode = BatchMode::THROUGHPUT});
  batch.setState(1, jammed(batch.initialState()));
  batch.step(steps);
  const BatchReport<S>& report = batch.report();
  EXPECT_GT(report.uncorrected[1], 0);
  for (const std::size_t w : {0, 2}) EXPECT_EQ(report.uncorrected[w], 0) << "world " << w;
  EXPECT_GT(report.penetration[1], S(0.01));
  EXPECT_GT(report.iterations[0], 0);
}

TEST(BatchReport, TellsInThroughputModeOfContactsThatNoMotionCorrects) {
  expectTellsJams<double>();
  expectTellsJams<float>();
}

TEST(BatchReport, TellsInThroughputModeHowFarLoopsGape) {
  Batch<double> batch(makeFallingBeest, 2, {.mode = BatchMode::THROUGHPUT});
  Batch<double> exact(makeFallingBeest, 2);
  batch.step(100);
  exact.step(100);
  for (const Batch<double>* each : {&batch, &exact}) {
    EXPECT_GT(each->report().closure[1], 0);
    EXPECT_LT(each->report().closure[1], 1e-10);
  }
  EXPECT_NEAR(batch.report().penetration[0], exact.report().penetration[0], 1e-6);
}

}  // namespace
}  // namespace espalier::testing
