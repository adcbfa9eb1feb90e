// Mechanisms compute the same bits in a lane as alone, by projection and by the recursions over
// clusters, in both precisions, at every register width this machine has.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>

#include "espalier/core/processor.h"
#include "espalier/model/model.h"
#include "espalier/scalar/instantiate.h"
#include "tests/oracle/loops_engine.h"
#include "tests/support/all_algorithms.h"
#include "tests/support/cluster_algorithms.h"
#include "tests/support/random_mechanism.h"

namespace espalier::testing {
namespace {

template <class S>
using Bits = std::conditional_t<sizeof(S) == 8, std::uint64_t, std::uint32_t>;

class ClusterLanes : public ::testing::TestWithParam<int> {
 protected:
  /// `lanes` runs `width` different worlds at once; each must match its run alone.
  template <class S, class Lanes>
  void expectSameBits(int width, Lanes&& lanes) {
    const auto seed = static_cast<std::uint64_t>(GetParam());
    const RandomMechanism mechanism = randomMechanism(seed);
    const MechanismTree tree(mechanism.spec);
    const Expected<Model> model = compile(mechanism.spec);
    ASSERT_TRUE(model.hasValue()) << model.diagnostics().toString();
    const std::vector<MechanismState> states = randomStates(tree, mechanism.q0, seed, width);
    ASSERT_EQ(static_cast<int>(states.size()), width);

    const LoopsEngine engine(*model, tree);
    std::vector<Eigen::VectorXd> numbers;
    for (const MechanismState& state : states) {
      numbers.push_back(engine.toEngine(state.q));
      numbers.push_back(engine.ratesToEngine(state.u));
    }
    std::vector<MechanismWorld> worlds;
    for (int w = 0; w < width; ++w) {
      const double* u = numbers[2 * w + 1].data();
      worlds.push_back({numbers[2 * w].data(), u, u});
    }
    const Topology& t = model->topology;
    const Mechanism& m = *model->mechanism;
    const Lowered<S> par = lowered<S>(model->lowered);
    const int count = runClusterAlgorithms<S>(t, par, m, worlds.data(), nullptr);
    std::vector<std::vector<S>> together(width, std::vector<S>(count));
    std::vector<S*> rows;
    for (auto& row : together) rows.push_back(row.data());
    ASSERT_EQ(lanes(t, par, m, worlds.data(), rows.data()), count);
    for (int w = 0; w < width; ++w) {
      std::vector<S> alone(count);
      S* row = alone.data();
      runClusterAlgorithms<S>(t, par, m, &worlds[w], &row);
      for (int i = 0; i < count; ++i) {
        ASSERT_TRUE(std::isfinite(alone[i])) << i;
        ASSERT_EQ(std::bit_cast<Bits<S>>(together[w][i]), std::bit_cast<Bits<S>>(alone[i]))
            << "world " << w << ", result " << i << ": " << together[w][i] << " in a lane, "
            << alone[i] << " alone";
      }
    }
  }
};

TEST_P(ClusterLanes, DoubleLanesEqualScalar) {
  expectSameBits<double>(lanes_v<DoubleLanes>, runClusterAlgorithms<DoubleLanes>);
}
TEST_P(ClusterLanes, FloatLanesEqualScalar) {
  expectSameBits<float>(lanes_v<FloatLanes>, runClusterAlgorithms<FloatLanes>);
}
TEST_P(ClusterLanes, WideDoubleLanesEqualScalar) {
  if (!hasWideRegisters()) GTEST_SKIP() << "this processor has no x86-64-v4";
  expectSameBits<double>(widthOfDoubleLanes_v4(), runClustersInDoubleLanes_v4);
}
TEST_P(ClusterLanes, WideFloatLanesEqualScalar) {
  if (!hasWideRegisters()) GTEST_SKIP() << "this processor has no x86-64-v4";
  expectSameBits<float>(widthOfFloatLanes_v4(), runClustersInFloatLanes_v4);
}

INSTANTIATE_TEST_SUITE_P(Random, ClusterLanes, ::testing::Range(0, 24));

}  // namespace
}  // namespace espalier::testing
