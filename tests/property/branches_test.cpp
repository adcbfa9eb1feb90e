// A robot's branches side by side give the plain algorithms' results, bit for bit.

#include <gtest/gtest.h>

#include "espalier/dynamics/simd/branches.h"
#include "espalier/dynamics/tree/inverse_dynamics.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/dynamics/tree/mass_matrix.h"
#include "tests/support/random_tree.h"

namespace espalier::testing {
namespace {

const Vec3d gravity{0.1, 0.2, -9.81};

RandomTree hingesAndSliders(int seed) {
  return randomTree(static_cast<std::uint64_t>(seed),
                    {.bodies = 2 + seed % 30,
                     .floating = seed % 3 != 0,
                     .armature = seed % 2 == 0,
                     .kinds = {JointKind::Revolute, JointKind::Revolute, JointKind::Prismatic}});
}

/// Seeds whose trees have branches enough to be taken side by side.
std::vector<int> branchedSeeds() {
  std::vector<int> seeds;
  for (int seed = 0; seeds.size() < 40; ++seed)
    if (planBranches(hingesAndSliders(seed).topology).isProfitable) seeds.push_back(seed);
  return seeds;
}

class BranchedTrees : public ::testing::TestWithParam<int> {
 protected:
  BranchedTrees()
      : tree_(hingesAndSliders(GetParam())),
        state_(randomState(tree_.topology, static_cast<std::uint64_t>(GetParam()))),
        branches_(tree_.topology, tree_.parameters),
        plain_(tree_.topology),
        lanes_(tree_.topology),
        expected_(static_cast<std::size_t>(tree_.topology.nv)),
        actual_(expected_) {}

  RandomTree tree_;
  RandomState state_;
  Branches branches_;
  Workspace<double> plain_, lanes_;
  std::vector<double> expected_, actual_;
};

TEST_P(BranchedTrees, KinematicsBiasAndMassMatrix) {
  const Topology& t = tree_.topology;
  kinematics(t, tree_.parameters, state_.q.data(), state_.u.data(), plain_);
  bias(t, tree_.parameters, gravity, plain_, expected_.data());
  massMatrix(t, tree_.parameters, plain_);
  branches_.kinematics(state_.q.data(), state_.u.data(), lanes_);
  branches_.bias(gravity, lanes_, actual_.data());
  branches_.massMatrix(lanes_);
  EXPECT_EQ(actual_, expected_);
  for (std::size_t i = 0; i < plain_.H.size(); ++i) ASSERT_EQ(lanes_.H[i], plain_.H[i]) << i;
}

TEST_P(BranchedTrees, ExportedColumnsAndBodies) {
  const Topology& t = tree_.topology;
  kinematics(t, tree_.parameters, state_.q.data(), state_.u.data(), plain_);
  bias(t, tree_.parameters, gravity, plain_, expected_.data());
  branches_.kinematics(state_.q.data(), state_.u.data(), lanes_);
  branches_.bias(gravity, lanes_, actual_.data());
  branches_.exportColumns(lanes_);
  for (int d = t.floating ? 6 : 0; d < t.nv; ++d) {
    EXPECT_EQ(dot(lanes_.S[d].w, {1, 2, 4}), dot(plain_.S[d].w, {1, 2, 4}));
    EXPECT_EQ(dot(lanes_.S[d].v, {1, 2, 4}), dot(plain_.S[d].v, {1, 2, 4}));
  }
  for (int b = 1; b < t.nb; ++b) {
    branches_.exportBody(b, lanes_);
    const auto same = [](const Vec3d& x, const Vec3d& y) {
      return x.x == y.x && x.y == y.y && x.z == y.z;
    };
    EXPECT_TRUE(same(lanes_.x[b], plain_.x[b]));
    EXPECT_TRUE(same(lanes_.R[b].r0, plain_.R[b].r0));
    EXPECT_TRUE(same(lanes_.R[b].r1, plain_.R[b].r1));
    EXPECT_TRUE(same(lanes_.R[b].r2, plain_.R[b].r2));
    EXPECT_TRUE(same(lanes_.V[b].w, plain_.V[b].w) && same(lanes_.V[b].v, plain_.V[b].v));
    EXPECT_TRUE(same(lanes_.A[b].w, plain_.A[b].w) && same(lanes_.A[b].v, plain_.A[b].v));
  }
}

TEST_P(BranchedTrees, VelocitiesForAnotherU) {
  const Topology& t = tree_.topology;
  kinematics(t, tree_.parameters, state_.q.data(), state_.udot.data(), plain_);
  bias(t, tree_.parameters, gravity, plain_, expected_.data());
  branches_.kinematics(state_.q.data(), state_.u.data(), lanes_);
  branches_.velocities(state_.udot.data(), lanes_);
  branches_.bias(gravity, lanes_, actual_.data());
  EXPECT_EQ(actual_, expected_);
}

TEST_P(BranchedTrees, Rnea) {
  const Topology& t = tree_.topology;
  rnea(t, tree_.parameters, gravity, state_.q.data(), state_.u.data(), state_.udot.data(), plain_,
       expected_.data());
  branches_.rnea(gravity, state_.q.data(), state_.u.data(), state_.udot.data(), lanes_,
                 actual_.data());
  EXPECT_EQ(actual_, expected_);
}

TEST_P(BranchedTrees, Aba) {
  const Topology& t = tree_.topology;
  AbaWorkspace<double> plain(t), lanes(t);
  aba(t, tree_.parameters, gravity, state_.q.data(), state_.u.data(), state_.udot.data(), plain,
      expected_.data());
  branches_.aba(gravity, state_.q.data(), state_.u.data(), state_.udot.data(), lanes,
                actual_.data());
  EXPECT_EQ(actual_, expected_);
}

INSTANTIATE_TEST_SUITE_P(Random, BranchedTrees, ::testing::ValuesIn(branchedSeeds()));

TEST(BranchPlan, AQuadrupedIsThreeNodesOfFour) {
  std::vector<BodyTopology> bodies{{.kind = JointKind::Floating}};
  for (int leg = 0; leg < 4; ++leg)
    for (int k = 0; k < 3; ++k)
      bodies.push_back(
          {.parent = k ? static_cast<int>(bodies.size()) - 1 : 0, .kind = JointKind::Revolute});
  const Topology t = makeTopology(bodies);
  const BranchPlan plan = planBranches(t);
  if (branch_lanes == 4) {
    EXPECT_EQ(plan.nodes.size(), 3u);
  }
  EXPECT_TRUE(plan.isProfitable);
  EXPECT_TRUE(plan.nodes[0].onBase);
  EXPECT_TRUE(plan.nodes.back().isLeaf);
}

TEST(BranchPlan, AnArmIsLeftToThePlainAlgorithms) {
  std::vector<BodyTopology> bodies{{.kind = JointKind::Fixed}};
  for (int k = 0; k < 7; ++k) bodies.push_back({.parent = k, .kind = JointKind::Revolute});
  EXPECT_FALSE(planBranches(makeTopology(bodies)).isProfitable);
}

TEST(BranchPlan, OtherJointsAreLeftToThePlainAlgorithms) {
  std::vector<BodyTopology> bodies{{.kind = JointKind::Fixed}};
  for (int k = 0; k < 4; ++k) bodies.push_back({.parent = 0, .kind = JointKind::Spherical});
  EXPECT_FALSE(planBranches(makeTopology(bodies)).isProfitable);
}

}  // namespace
}  // namespace espalier::testing
