#include "espalier/model/topology.h"

#include <gtest/gtest.h>

#include "tests/support/random_tree.h"

namespace espalier::testing {
namespace {

// base - hinge 1 - ball 2 - hinge 3
//               \- hinge 4
Topology sample(bool floating) {
  return makeTopology({{.kind = floating ? JointKind::Floating : JointKind::Fixed},
                       {.parent = 0, .kind = JointKind::Revolute},
                       {.parent = 1, .kind = JointKind::Spherical},
                       {.parent = 2, .kind = JointKind::Revolute},
                       {.parent = 1, .kind = JointKind::Revolute}});
}

TEST(Topology, LaysOutCoordinatesAndDofs) {
  const Topology t = sample(true);
  EXPECT_EQ(t.nb, 5);
  EXPECT_EQ(t.nq, 7 + 1 + 4 + 1 + 1);
  EXPECT_EQ(t.nv, 6 + 1 + 3 + 1 + 1);
  EXPECT_TRUE(t.floating);
  EXPECT_EQ(t.bodies[2].q, 8);
  EXPECT_EQ(t.bodies[2].u, 7);
  EXPECT_EQ(t.bodies[3].q, 12);
  EXPECT_EQ(t.bodies[4].u, 11);
  EXPECT_FALSE(sample(false).floating);
  EXPECT_EQ(sample(false).nv, 6);
}

TEST(Topology, DofsFormATree) {
  const Topology t = sample(false);
  EXPECT_EQ(t.dofParent, (std::vector<int>{-1, 0, 1, 2, 3, 0}));
  EXPECT_EQ(t.dofDepth, (std::vector<int>{0, 1, 2, 3, 4, 1}));
  EXPECT_EQ(t.dofBody, (std::vector<int>{1, 2, 2, 2, 3, 4}));
  EXPECT_EQ(t.row, (std::vector<int>{0, 1, 3, 6, 10, 15, 17}));
  EXPECT_EQ(t.entries(), 17);
  EXPECT_EQ(t.lastDof(0), -1);
  EXPECT_EQ(t.lastDof(2), 3);
  EXPECT_EQ(t.lastDof(4), 5);
  EXPECT_EQ(sample(true).lastDof(0), 5);
}

TEST(Topology, ChainsShareASlotAndBranchesHaveTheirOwn) {
  const Topology t = sample(true);
  EXPECT_EQ(t.carrySlot[3], -1);
  EXPECT_EQ(t.carrySlot[4], -1);
  EXPECT_EQ(t.carrySlot[2], 0);  // its only child is the next body
  EXPECT_GT(t.carrySlot[1], 0);  // two children
  EXPECT_EQ(t.carrySlot[0], 0);
  EXPECT_TRUE(t.firstInSlot[4]);  // in reverse order body 4 comes first
  EXPECT_FALSE(t.firstInSlot[2]);
}

/// Runs the articulated-body recursion's in and out on sets instead of inertias.
TEST(Topology, SlotsDeliverEverySubtreeOnce) {
  for (int seed = 0; seed < 200; ++seed) {
    const RandomTree tree = randomTree(static_cast<std::uint64_t>(seed), {.bodies = 1 + seed % 25});
    const Topology& t = tree.topology;
    std::vector<std::vector<int>> slot(static_cast<std::size_t>(t.carrySlots));
    for (int i = t.nb - 1; i >= 0; --i) {
      std::vector<int> carried{i};
      if (t.carrySlot[i] >= 0) {
        const auto& below = slot[t.carrySlot[i]];
        carried.insert(carried.end(), below.begin(), below.end());
      }
      std::sort(carried.begin(), carried.end());
      std::vector<int> expected;
      for (int k = i; k < t.nb; ++k) {
        int a = k;
        while (a > i) a = t.bodies[a].parent;
        if (a == i) expected.push_back(k);
      }
      ASSERT_EQ(carried, expected) << "seed " << seed << ", body " << i;
      if (i == 0) break;
      auto& up = slot[t.carrySlot[t.bodies[i].parent]];
      if (t.firstInSlot[i]) up.clear();
      up.insert(up.end(), carried.begin(), carried.end());
    }
  }
}

TEST(Topology, TableOfJointKinds) {
  int k = 0;
  for (const JointKindInfo& row : joint_kinds) {
    EXPECT_EQ(static_cast<int>(row.kind), k++);
    EXPECT_EQ(row.nq - row.nv, row.quaternion < 0 ? 0 : 1) << row.name;
    EXPECT_LE(row.slides, row.nv) << row.name;
    if (row.quaternion >= 0) EXPECT_EQ(row.quaternion + 4, row.nq) << row.name;
    for (int i = 0; i < 7; ++i)
      EXPECT_EQ(row.coordinates[i] != nullptr, i < row.nq) << row.name << " " << i;
  }
}

}  // namespace
}  // namespace espalier::testing
