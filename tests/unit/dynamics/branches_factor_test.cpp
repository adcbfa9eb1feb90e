// The factor with limbs side by side, and its solves, are the plain ones bit for bit.

#include <gtest/gtest.h>

#include "espalier/dynamics/simd/branches.h"
#include "espalier/dynamics/tree/factor.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/dynamics/tree/mass_matrix.h"
#include "tests/support/random_tree.h"

namespace espalier::testing {
namespace {

struct Legs {
  int count, joints;
  bool floating;
  bool isForked = false;  ///< the first limb ends in two
};

RandomTree treeOf(const Legs& limbs) {
  std::vector<BodyTopology> bodies{
      {.kind = limbs.floating ? JointKind::Floating : JointKind::Fixed}};
  for (int limb = 0; limb < limbs.count; ++limb)
    for (int k = 0; k < limbs.joints; ++k)
      bodies.push_back({.parent = k == 0 ? 0 : static_cast<int>(bodies.size()) - 1,
                        .kind = k % 2 == 0 ? JointKind::Revolute : JointKind::Prismatic});
  if (limbs.isForked) bodies.push_back({.parent = 1, .kind = JointKind::Revolute});
  RandomTree tree = randomTree(
      11,
      {.bodies = static_cast<int>(bodies.size()), .floating = limbs.floating, .armature = true});
  tree.topology = makeTopology(bodies);
  Random random(3);
  tree.parameters.armature.resize(static_cast<std::size_t>(tree.topology.nv));
  for (double& a : tree.parameters.armature) a = random.uniform(0, 0.5);
  return tree;
}

class BranchedFactor : public ::testing::TestWithParam<Legs> {};

void expectSameFactor(const Topology& t, const Workspace<double>& a, const Workspace<double>& b) {
  for (std::size_t i = 0; i < b.H.size(); ++i) ASSERT_EQ(a.H[i], b.H[i]) << i;
  for (int d = 0; d < t.nv; ++d) ASSERT_EQ(a.Dinv[d], b.Dinv[d]) << d;
}

TEST_P(BranchedFactor, AndItsSolvesAreThePlainOnes) {
  const RandomTree tree = treeOf(GetParam());
  const Topology& t = tree.topology;
  const RandomState s = randomState(t, 8);
  Branches branches(t, tree.parameters);
  if (branch_lanes == 4 && GetParam().count == 4) {
    EXPECT_EQ(planBranches(t).isStraight, !GetParam().isForked);
  }
  Workspace<double> plain(t), lanes(t);
  kinematics(t, tree.parameters, s.q.data(), s.u.data(), plain);
  massMatrix(t, tree.parameters, plain);
  for (std::size_t i = 0; i < plain.H.size(); ++i) lanes.H[i] = plain.H[i];

  factor(t, plain);
  branches.factor(lanes);
  expectSameFactor(t, lanes, plain);
  std::vector<double> x = s.udot, y = s.udot;
  solveTransposed(t, plain, x.data());
  branches.solveTransposed(lanes, y.data());
  EXPECT_EQ(x, y);
  solveForward(t, plain, x.data());
  branches.solveForward(lanes, y.data());
  EXPECT_EQ(x, y);
}

/// The same of a tree that has dofs only, as those of mechanisms are.
TEST_P(BranchedFactor, OfDofsAloneIsThePlainOne) {
  const RandomTree tree = treeOf(GetParam());
  Topology t = makeDofTree(tree.topology.dofParent);
  t.floating = tree.topology.floating;
  const RandomState s = randomState(tree.topology, 8);
  Workspace<double> whole(tree.topology), plain(t), lanes(t);
  kinematics(tree.topology, tree.parameters, s.q.data(), s.u.data(), whole);
  massMatrix(tree.topology, tree.parameters, whole);
  for (std::size_t i = 0; i < plain.H.size(); ++i) plain.H[i] = lanes.H[i] = whole.H[i];

  const BranchPlan plan = planStraightDofs(t);
  if (branch_lanes == 4 && GetParam().count == 4) {
    EXPECT_EQ(plan.isStraight, !GetParam().isForked);
  }
  BranchFactor branches(t, plan);
  factor(t, plain);
  branches.factor(lanes);
  expectSameFactor(t, lanes, plain);
  std::vector<double> x = s.udot, y = s.udot;
  solve(t, plain, x.data());
  branches.solveTransposed(lanes, y.data());
  branches.solveForward(lanes, y.data());
  EXPECT_EQ(x, y);
}

INSTANTIATE_TEST_SUITE_P(Legs, BranchedFactor,
                         ::testing::Values(Legs{4, 3, true}, Legs{4, 3, false}, Legs{6, 3, true},
                                           Legs{2, 5, true}, Legs{4, 1, true}, Legs{9, 2, false},
                                           Legs{1, 4, true}, Legs{4, 3, true, true}),
                         [](const auto& p) {
                           const Legs& l = p.param;
                           return std::to_string(l.count) + "x" + std::to_string(l.joints) +
                                  (l.floating ? "floating" : "fixed") +
                                  (l.isForked ? "forked" : "");
                         });

}  // namespace
}  // namespace espalier::testing
