// A robot's legs side by side in lanes give the plain algorithms' results, bit for bit.

#include <gtest/gtest.h>

#include "espalier/dynamics/simd/chain_lanes.h"
#include "espalier/dynamics/tree/energy.h"
#include "espalier/dynamics/tree/inverse_dynamics.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/dynamics/tree/mass_matrix.h"
#include "tests/support/compare.h"
#include "tests/support/random_tree.h"

namespace espalier::testing {
namespace {

const Vec3d gravity{0.1, 0.2, -9.81};
constexpr JointKind hinge = JointKind::Revolute, slide = JointKind::Prismatic;

/// A root with legs of one make.
struct Robot {
  std::string name;
  bool floats;
  int count;
  std::vector<JointKind> joints;
  bool takesTurns = false;  ///< bodies are numbered by depth, not leg by leg
};
void PrintTo(const Robot& robot, std::ostream* out) { *out << robot.name; }

Topology topologyOf(const Robot& robot) {
  std::vector<BodyTopology> bodies{{.kind = robot.floats ? JointKind::Floating : JointKind::Fixed}};
  const auto add = [&](std::size_t k, int parent) {
    bodies.push_back({.parent = parent, .kind = robot.joints[k]});
  };
  if (robot.takesTurns) {
    for (std::size_t k = 0; k < robot.joints.size(); ++k)
      for (int leg = 0; leg < robot.count; ++leg)
        add(k, k == 0 ? 0 : static_cast<int>(bodies.size()) - robot.count);
  } else {
    for (int leg = 0; leg < robot.count; ++leg)
      for (std::size_t k = 0; k < robot.joints.size(); ++k)
        add(k, k == 0 ? 0 : static_cast<int>(bodies.size()) - 1);
  }
  return makeTopology(bodies);
}

RandomTree treeOf(const Robot& robot, std::uint64_t seed) {
  const Topology t = topologyOf(robot);
  RandomTree tree = randomTree(seed, {.bodies = t.nb, .floating = robot.floats});
  tree.topology = t;
  Random random(seed + 7);
  const auto nv = static_cast<std::size_t>(t.nv);
  tree.parameters.armature.assign(nv, 0);
  tree.parameters.spin.assign(nv, 0);
  for (std::size_t d = robot.floats ? 6 : 0; d < nv; ++d)
    tree.parameters.armature[d] = random.uniform(0, 0.5);
  return tree;
}

class LegsInLanes : public ::testing::TestWithParam<Robot> {
 protected:
  void runPlain(const std::vector<double>& u) {
    kinematics(t_, tree_.parameters, state_.q.data(), u.data(), plain_);
    bias(t_, tree_.parameters, gravity, plain_, expected_.data());
    massMatrix(t_, tree_.parameters, plain_);
  }
  void expectSameBiasAndMass() {
    chains_.bias(gravity, lanes_, actual_.data());
    chains_.massMatrix(lanes_);
    EXPECT_EQ(actual_, expected_);
    for (std::size_t i = 0; i < plain_.H.size(); ++i) ASSERT_EQ(lanes_.H[i], plain_.H[i]) << i;
  }

  RandomTree tree_ = treeOf(GetParam(), 11);
  const Topology& t_ = tree_.topology;
  RandomState state_ = randomState(t_, 8);
  ChainLanes chains_{t_, tree_.parameters};
  Workspace<double> plain_{t_}, lanes_{t_};
  std::vector<double> expected_ = state_.u, actual_ = state_.u;
};

TEST_P(LegsInLanes, HaveThePlainBiasAndMassMatrix) {
  ASSERT_TRUE(chains_.isProfitable());
  runPlain(state_.u);
  chains_.kinematics(state_.q.data(), state_.u.data(), lanes_);
  expectSameBiasAndMass();
}

TEST_P(LegsInLanes, HaveThePlainBodiesAndColumns) {
  runPlain(state_.u);
  chains_.kinematics(state_.q.data(), state_.u.data(), lanes_);
  chains_.bias(gravity, lanes_, actual_.data());
  chains_.exportAll(lanes_);
  EXPECT_EQ(numbers(lanes_.origin), numbers(plain_.origin));
  for (int b = 0; b < t_.nb; ++b) {
    EXPECT_EQ(numbers(lanes_.R[b]), numbers(plain_.R[b])) << b;
    EXPECT_EQ(numbers(lanes_.x[b]), numbers(plain_.x[b])) << b;
    EXPECT_EQ(numbers(lanes_.V[b]), numbers(plain_.V[b])) << b;
    EXPECT_EQ(numbers(lanes_.c[b]), numbers(plain_.c[b])) << b;
    EXPECT_EQ(numbers(lanes_.A[b]), numbers(plain_.A[b])) << b;
    EXPECT_EQ(numbers(lanes_.Ib[b]), numbers(plain_.Ib[b])) << b;
  }
  for (int d = t_.floating ? 6 : 0; d < t_.nv; ++d)
    EXPECT_EQ(numbers(lanes_.S[d]), numbers(plain_.S[d])) << d;
  EXPECT_EQ(numbers(chains_.momentum(state_.u.data(), lanes_)),
            numbers(momentum(t_, tree_.parameters, state_.u.data(), plain_)));
  EXPECT_EQ(numbers(chains_.totalInertia(lanes_)), numbers(totalInertia(t_, plain_)));
}

TEST_P(LegsInLanes, TakeOtherVelocities) {
  runPlain(state_.udot);
  chains_.kinematics(state_.q.data(), state_.u.data(), lanes_);
  chains_.velocities(state_.udot.data(), lanes_);
  expectSameBiasAndMass();
}

TEST_P(LegsInLanes, TakeEditedParameters) {
  tree_.parameters = treeOf(GetParam(), 12).parameters;
  chains_.load(tree_.parameters);
  runPlain(state_.u);
  chains_.kinematics(state_.q.data(), state_.u.data(), lanes_);
  expectSameBiasAndMass();
}

INSTANTIATE_TEST_SUITE_P(
    Robots, LegsInLanes,
    ::testing::Values(Robot{"Quadruped", true, 4, {hinge, hinge, hinge}},
                      Robot{"FixedQuadruped", false, 4, {hinge, hinge, hinge}},
                      Robot{"QuadrupedByDepth", true, 4, {hinge, slide, hinge}, true},
                      Robot{"Biped", true, 2, {hinge, hinge, hinge, hinge, hinge, hinge}},
                      Robot{"ThreeLegs", true, 3, {hinge, slide, hinge}},
                      Robot{"Hexapod", true, 6, {hinge, hinge, hinge}},
                      Robot{"HexapodByDepth", true, 6, {slide, hinge, hinge}, true},
                      Robot{"Hand", false, 4, {hinge, hinge, hinge, hinge}},
                      Robot{"OneJointEach", true, 4, {hinge}},
                      Robot{"NinePairs", false, 9, {hinge, slide}}),
    [](const auto& p) { return p.param.name; });

bool isProfitable(std::vector<BodyTopology> bodies) {
  const Topology t = makeTopology(std::move(bodies));
  RandomTree tree = randomTree(1, {.bodies = t.nb});
  tree.parameters.armature.resize(static_cast<std::size_t>(t.nv));
  tree.parameters.spin.resize(static_cast<std::size_t>(t.nv));
  return ChainLanes(t, tree.parameters).isProfitable();
}

TEST(ChainLanes, LeaveOtherRobotsToThePlainAlgorithms) {
  const BodyTopology floats{.kind = JointKind::Floating};
  const BodyTopology h{.parent = 0, .kind = hinge}, s{.parent = 0, .kind = slide};
  EXPECT_TRUE(isProfitable({floats, h, h, h, h}));
  EXPECT_FALSE(isProfitable({floats}));
  EXPECT_FALSE(isProfitable({floats, h})) << "a lone chain";
  EXPECT_FALSE(isProfitable({floats, h, h, h, s})) << "other joints";
  EXPECT_FALSE(isProfitable({floats, h, h, h, h, {.parent = 4, .kind = hinge}})) << "other lengths";
  EXPECT_FALSE(isProfitable({floats,
                             h,
                             h,
                             {.parent = 1, .kind = hinge},
                             {.parent = 1, .kind = hinge},
                             {.parent = 2, .kind = hinge},
                             {.parent = 2, .kind = hinge}}))
      << "legs that branch";
  const BodyTopology ball{.parent = 0, .kind = JointKind::Spherical};
  EXPECT_FALSE(isProfitable({floats, ball, ball, ball, ball}));
}

}  // namespace
}  // namespace espalier::testing
