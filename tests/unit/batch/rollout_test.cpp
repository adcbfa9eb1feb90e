#include "espalier/batch/rollout.h"

#include <gtest/gtest.h>

#include "tests/unit/batch/batch_scenes.h"

namespace espalier::testing {
namespace {

template <class S>
class Rollouts : public ::testing::Test {};
using Scalars = ::testing::Types<double, float>;
TYPED_TEST_SUITE(Rollouts, Scalars);

TYPED_TEST(Rollouts, AreStepsWithOneControlAfterTheOther) {
  using S = TypeParam;
  constexpr int n = 5, controls = 3, steps = 4;
  const BatchOptions options{.mode = BatchMode::THROUGHPUT, .threads = 1};
  Batch<S> batch(makeStrider, n, options), stepped(makeStrider, n, options);
  const Rows<S> force = stepped.bind("feedforward"), q = stepped.bind("q");
  std::vector<S> all;
  for (int i = 0; i < controls * force.count * n; ++i) all.push_back(static_cast<S>(i % 7 - 3));
  const std::vector<std::string> record{"q", "u"};
  const Rollout<S> out = rollout<S>(batch, "feedforward", all, steps, record);
  ASSERT_EQ(out.records.size(), 2u);
  EXPECT_EQ(out.flags.size(), static_cast<std::size_t>(controls * n));
  std::size_t next = 0;
  for (int c = 0; c < controls; ++c) {
    for (int row = 0; row < force.count; ++row)
      for (int w = 0; w < n; ++w) force(row, w) = all[next++];
    stepped.step(steps);
    for (int row = 0; row < q.count; ++row)
      for (int w = 0; w < n; ++w) EXPECT_EQ(out.records[0](c, row, w), q(row, w));
    for (int w = 0; w < n; ++w) EXPECT_EQ(out.residual[c * n + w], stepped.report().residual[w]);
  }
  EXPECT_NE(out.records[0](0, 10, 0), out.records[0](2, 10, 0));
}

TYPED_TEST(Rollouts, SayWhatIsWrong) {
  using S = TypeParam;
  Batch<S> batch(makeStrider, 2, {.mode = BatchMode::THROUGHPUT, .threads = 1});
  const std::vector<std::string> nothing, unknown{"speed"};
  const std::vector<S> one(static_cast<std::size_t>(batch.bind("feedforward").count * 2), S{});
  const std::vector<S> odd(one.size() + 1, S{});
  const S before = batch.bind("q")(0, 0);
  EXPECT_THROW(rollout<S>(batch, "feedforward", odd, 1, nothing), std::invalid_argument);
  EXPECT_THROW(rollout<S>(batch, "feedforward", one, 0, nothing), std::invalid_argument);
  EXPECT_THROW(rollout<S>(batch, "force", one, 1, nothing), std::invalid_argument);
  EXPECT_THROW(rollout<S>(batch, "feedforward", one, 1, unknown), std::invalid_argument);
  EXPECT_THROW(rollout<S>(batch, "contact_force", one, 1, nothing), std::invalid_argument);
  EXPECT_EQ(batch.bind("q")(0, 0), before);
}

}  // namespace
}  // namespace espalier::testing
