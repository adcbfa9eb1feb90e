// A world in a lane computes the same bits as a world alone, whatever its neighbours do, in every
// algorithm, in both precisions, at every register width this machine has.

#include <gtest/gtest.h>

#include "espalier/core/processor.h"
#include "espalier/scalar/instantiate.h"
#include "tests/support/all_algorithms.h"
#include "tests/support/lanes_alone.h"
#include "tests/support/random_tree.h"

namespace espalier::testing {
namespace {

class EveryTree : public ::testing::TestWithParam<int> {
 protected:
  EveryTree() {
    const int seed = GetParam();
    tree_ = randomTree(static_cast<std::uint64_t>(seed) + 300,
                       {.bodies = 3 + seed, .floating = seed % 2 == 0, .armature = seed % 3 == 0});
  }

  template <class S>
  static std::vector<S> rounded(const std::vector<double>& x) {
    return {x.begin(), x.end()};
  }

  /// `lanes` runs `width` different worlds at once; each must match its run alone.
  template <class S, class Lanes>
  void expectSameBits(int width, Lanes&& lanes) {
    const Topology& t = tree_.topology;
    const Lowered<S> par = lowered<S>(tree_.parameters);
    std::vector<std::vector<S>> numbers;
    std::vector<WorldState<S>> worlds;
    for (int w = 0; w < width; ++w) {
      const RandomState s = randomState(t, static_cast<std::uint64_t>(100 * GetParam() + w));
      for (const auto* x : {&s.q, &s.u, &s.udot}) numbers.push_back(rounded<S>(*x));
    }
    for (int w = 0; w < width; ++w) {
      const S* udot = numbers[3 * w + 2].data();
      worlds.push_back({numbers[3 * w].data(), numbers[3 * w + 1].data(), udot, udot});
    }
    expectLanesAreWorldsAlone<S>(
        width, [&](S* const* rows) { return lanes(t, par, worlds.data(), rows); },
        [&](int w, S* const* row) { return runAllAlgorithms<S>(t, par, &worlds[w], row); });
  }
  RandomTree tree_;
};

TEST_P(EveryTree, DoubleLanesEqualScalar) {
  expectSameBits<double>(lanes_v<DoubleLanes>, runAllAlgorithms<DoubleLanes>);
}
TEST_P(EveryTree, FloatLanesEqualScalar) {
  expectSameBits<float>(lanes_v<FloatLanes>, runAllAlgorithms<FloatLanes>);
}
TEST_P(EveryTree, WideDoubleLanesEqualScalar) {
  if (!hasWideRegisters()) GTEST_SKIP() << "this processor has no x86-64-v4";
  expectSameBits<double>(widthOfDoubleLanes_v4(), runDoubleLanes_v4);
}
TEST_P(EveryTree, WideFloatLanesEqualScalar) {
  if (!hasWideRegisters()) GTEST_SKIP() << "this processor has no x86-64-v4";
  expectSameBits<float>(widthOfFloatLanes_v4(), runFloatLanes_v4);
}

INSTANTIATE_TEST_SUITE_P(Random, EveryTree, ::testing::Range(0, 12));

}  // namespace
}  // namespace espalier::testing
