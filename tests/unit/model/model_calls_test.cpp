// Calls of the model's public headers that no other test makes.

#include <gtest/gtest.h>

#include <cmath>

#include "espalier/compat/grbda/loop_constraints.h"
#include "espalier/model/compile/compile_cache.h"
#include "espalier/model/coordinates.h"
#include "espalier/model/spec/play.h"
#include "espalier/model/spec/tape.h"
#include "espalier/model/spec/trace.h"
#include "tests/support/random_spec.h"
#include "tests/support/random_tree.h"

namespace espalier::testing {
namespace {

// As difference(), but for the six of a floating base, which stay.
TEST(ModelCalls, DifferenceOfJointsLeavesTheBase) {
  const RandomTree tree = randomTree(3, {.bodies = 8, .floating = true});
  const Topology& t = tree.topology;
  const auto nq = static_cast<std::size_t>(t.nq), nv = static_cast<std::size_t>(t.nv);
  std::vector<double> a(nq), b(nq), all(nv), joints(nv, 77.0);
  randomConfiguration(t, 1, 1.0, a.data());
  randomConfiguration(t, 2, 1.0, b.data());
  difference(t, a.data(), b.data(), all.data());
  differenceOfJoints(t, a.data(), b.data(), joints.data());
  for (std::size_t d = 0; d < 6; ++d) EXPECT_EQ(joints[d], 77);
  for (std::size_t d = 6; d < nv; ++d) EXPECT_EQ(joints[d], all[d]);
}

TEST(ModelCalls, TheCacheOfTheProcess) {
  CompileCache& cache = CompileCache::ofProcess();
  EXPECT_EQ(&cache, &CompileCache::ofProcess());
  const int before = cache.size();
  {
    const auto model = cache.compile(randomSpec(4711)).value();
    EXPECT_EQ(cache.size(), before + 1);
    EXPECT_EQ(CompileCache::ofProcess().compile(randomSpec(4711)).value(), model);
  }
  EXPECT_EQ(cache.size(), before);
}

TEST(ModelCalls, CountsOfLoopConstraints) {
  const auto expectCounts = [](const LoopConstraint::Base& loop, int q, int u, int y, int ydot,
                               int rows) {
    EXPECT_EQ(loop.numSpanningPos(), q);
    EXPECT_EQ(loop.numSpanningVel(), u);
    EXPECT_EQ(loop.numIndependentPos(), y);
    EXPECT_EQ(loop.numIndependentVel(), ydot);
    EXPECT_EQ(loop.numConstraints(), rows);
  };
  expectCounts(LoopConstraint::Free(), 7, 6, 7, 6, 0);
  expectCounts(LoopConstraint::FourBar({0.4, 1.0}, 0.8, {1.0, 0.1}, 0), 3, 3, 1, 1, 2);
  expectCounts(LoopConstraint::TelloDifferential(LoopConstraint::TelloDifferential::Kind::HIP), 4,
               4, 2, 2, 2);
}

TEST(ModelCalls, OneRowOfATape) {
  const Tape tape = trace(2, [](const auto& q) {
    return std::array{sin(q[0]) * 3.0 + q[1], q[0] / (q[1] + 2.0)};
  });
  EXPECT_EQ(tape.firstStep(), 2 + static_cast<int>(tape.constants.size()));
  EXPECT_EQ(tape.values(), tape.firstStep() + static_cast<int>(tape.steps.size()));
  const std::vector<double> expected{3 * std::sin(0.4) - 1.3, 0.4 / (2 - 1.3)};
  for (int row = 0; row < 2; ++row) {
    const Tape one = singleRow(tape, row);
    EXPECT_EQ(one.rows(), 1);
    EXPECT_EQ(one.inputs, 2);
    EXPECT_EQ(one.fault(), "");
    EXPECT_LT(one.steps.size(), tape.steps.size());
    std::vector<double> values(static_cast<std::size_t>(one.values()));
    values[0] = 0.4;
    values[1] = -1.3;
    play(one, values.data());
    EXPECT_NEAR(values[one.outputs[0]], expected[row], 1e-15);
  }
}

TEST(ModelCalls, OperandsOfATapesOperations) {
  for (const TapeOp op :
       {TapeOp::ADD, TapeOp::SUBTRACT, TapeOp::MULTIPLY, TapeOp::DIVIDE, TapeOp::ATAN2})
    EXPECT_EQ(operandsOf(op), 2);
  for (const TapeOp op : {TapeOp::NEGATE, TapeOp::SQRT, TapeOp::SINE, TapeOp::COSINE})
    EXPECT_EQ(operandsOf(op), 1);
  EXPECT_EQ(operandsOf(TapeOp::FUSED), 3);
}

}  // namespace
}  // namespace espalier::testing
