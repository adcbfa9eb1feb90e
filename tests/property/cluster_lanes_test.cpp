// Mechanisms compute the same bits in a lane as alone, by projection and by the recursions over
// clusters, in both precisions, at every register width this machine has.

#include <gtest/gtest.h>

#include "espalier/core/processor.h"
#include "espalier/io/urdf/urdf.h"
#include "espalier/model/model.h"
#include "espalier/scalar/instantiate.h"
#include "tests/oracle/loops_engine.h"
#include "tests/support/all_algorithms.h"
#include "tests/support/cluster_algorithms.h"
#include "tests/support/lanes_alone.h"
#include "tests/support/random_mechanism.h"
#include "tests/support/source_folder.h"

namespace espalier::testing {
namespace {

/// A mechanism and different states of it, in the engine's order.
struct Moving {
  Model model;
  std::vector<Eigen::VectorXd> q, u;
};

Moving random(std::uint64_t seed, int states) {
  const RandomMechanism mechanism = randomMechanism(seed);
  const MechanismTree tree(mechanism.spec);
  Moving moving{compile(mechanism.spec).value(), {}, {}};
  const LoopsEngine engine(moving.model, tree);
  for (const MechanismState& state : randomStates(tree, mechanism.q0, seed, states)) {
    moving.q.push_back(engine.toEngine(state.q));
    moving.u.push_back(engine.ratesToEngine(state.u));
  }
  return moving;
}

/// Rotors that are no bodies, beside loops.
Moving gearedBiped(int states) {
  const std::string file = sourceFolder() + "/models/geared_biped/geared_biped.urdf";
  Moving moving{compile(io::loadRobot(file).value()).value(), {}, {}};
  for (int s = 0; s < states; ++s) {
    const Eigen::VectorXd q =
        Eigen::VectorXd::Map(moving.model.mechanism.assembled.data(), moving.model.nq());
    moving.q.push_back(q);
    moving.u.push_back(Eigen::VectorXd::Constant(moving.model.nv(), 0.3 * (s + 1)));
  }
  return moving;
}

/// `lanes` runs different worlds at once; each must match its run alone.
template <class S, class Lanes>
void expectSameBits(const Moving& moving, Lanes&& lanes) {
  const int width = static_cast<int>(moving.q.size());
  std::vector<MechanismWorld> worlds;
  for (std::size_t w = 0; w < moving.q.size(); ++w)
    worlds.push_back({moving.q[w].data(), moving.u[w].data(), moving.u[w].data()});
  const Topology& t = moving.model.topology;
  const Mechanism& m = moving.model.mechanism;
  const Lowered<S> par = lowered<S>(moving.model.lowered);
  expectLanesAreWorldsAlone<S>(
      width, [&](S* const* rows) { return lanes(t, par, m, worlds.data(), rows); },
      [&](int w, S* const* row) { return runClusterAlgorithms<S>(t, par, m, &worlds[w], row); });
}

class ClusterLanes : public ::testing::TestWithParam<int> {
 protected:
  template <class S, class Lanes>
  void expectSameBits(int width, Lanes&& lanes) {
    const Moving moving = random(static_cast<std::uint64_t>(GetParam()), width);
    ASSERT_EQ(static_cast<int>(moving.q.size()), width);
    testing::expectSameBits<S>(moving, lanes);
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

TEST(RotorLanes, EqualScalar) {
  const auto doubles = gearedBiped(lanes_v<DoubleLanes>), floats = gearedBiped(lanes_v<FloatLanes>);
  EXPECT_EQ(doubles.model.rotors.size(), 25u);
  expectSameBits<double>(doubles, runClusterAlgorithms<DoubleLanes>);
  expectSameBits<float>(floats, runClusterAlgorithms<FloatLanes>);
  if (!hasWideRegisters()) return;
  expectSameBits<double>(gearedBiped(widthOfDoubleLanes_v4()), runClustersInDoubleLanes_v4);
  expectSameBits<float>(gearedBiped(widthOfFloatLanes_v4()), runClustersInFloatLanes_v4);
}

INSTANTIATE_TEST_SUITE_P(Random, ClusterLanes, ::testing::Range(0, 24));

}  // namespace
}  // namespace espalier::testing
