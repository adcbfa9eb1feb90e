// The recursions over clusters compute the same bits in a lane as alone, in both precisions.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>

#include "espalier/model/model.h"
#include "espalier/scalar/instantiate.h"
#include "tests/oracle/loops_engine.h"
#include "tests/support/cluster_algorithms.h"
#include "tests/support/random_mechanism.h"

namespace espalier::testing {
namespace {

template <class S>
using Bits = std::conditional_t<sizeof(S) == 8, std::uint64_t, std::uint32_t>;

class ClusterLanes : public ::testing::TestWithParam<int> {
 protected:
  template <class Lanes>
  void expectSameBits() {
    using S = value_t<Lanes>;
    const auto seed = static_cast<std::uint64_t>(GetParam());
    const RandomMechanism mechanism = randomMechanism(seed);
    const MechanismTree tree(mechanism.spec);
    const Expected<Model> model = compile(mechanism.spec);
    ASSERT_TRUE(model.hasValue()) << model.diagnostics().toString();
    const std::vector<MechanismState> states =
        randomStates(tree, mechanism.q0, seed, lanes_v<Lanes>);
    ASSERT_EQ(static_cast<int>(states.size()), lanes_v<Lanes>);

    const LoopsEngine engine(*model, tree);
    const auto load = [&](auto& algorithms, int lane, const MechanismState& state) {
      const Eigen::VectorXd q = engine.toEngine(state.q), u = engine.ratesToEngine(state.u);
      algorithms.load(lane, q.data(), u.data(), u.data());
    };
    const Lowered<S> par = lowered<S>(model->lowered);
    ClusterAlgorithms<Lanes> together(model->topology, par, *model->mechanism);
    for (int w = 0; w < lanes_v<Lanes>; ++w) load(together, w, states[w]);
    together.run();
    for (int w = 0; w < lanes_v<Lanes>; ++w) {
      ClusterAlgorithms<S> alone(model->topology, par, *model->mechanism);
      load(alone, 0, states[w]);
      alone.run();
      std::vector<S> one, other;
      alone.forEachResult([&](const S& x) { one.push_back(x); });
      together.forEachResult([&](const Lanes& x) { other.push_back(lane(x, w)); });
      ASSERT_EQ(one.size(), other.size());
      for (std::size_t i = 0; i < one.size(); ++i) {
        ASSERT_TRUE(std::isfinite(one[i])) << i;
        ASSERT_EQ(std::bit_cast<Bits<S>>(other[i]), std::bit_cast<Bits<S>>(one[i]))
            << "lane " << w << ", result " << i << ": " << other[i] << ", alone " << one[i];
      }
    }
  }
};

TEST_P(ClusterLanes, DoubleLanesEqualScalar) { expectSameBits<DoubleLanes>(); }
TEST_P(ClusterLanes, FloatLanesEqualScalar) { expectSameBits<FloatLanes>(); }

INSTANTIATE_TEST_SUITE_P(Random, ClusterLanes, ::testing::Range(0, 24));

}  // namespace
}  // namespace espalier::testing
