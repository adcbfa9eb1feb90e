// Mechanisms compute the same bits in a lane as alone, by projection and by the recursions over
// clusters, in both precisions, at every register width this machine has.

#include <gtest/gtest.h>

#include "espalier/core/processor.h"
#include "espalier/model/model.h"
#include "espalier/scalar/instantiate.h"
#include "tests/oracle/loops_engine.h"
#include "tests/support/all_algorithms.h"
#include "tests/support/cluster_algorithms.h"
#include "tests/support/lanes_alone.h"
#include "tests/support/random_mechanism.h"

namespace espalier::testing {
namespace {

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
    expectLanesAreWorldsAlone<S>(
        width, [&](S* const* rows) { return lanes(t, par, m, worlds.data(), rows); },
        [&](int w, S* const* row) { return runClusterAlgorithms<S>(t, par, m, &worlds[w], row); });
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
