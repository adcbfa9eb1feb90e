#pragma once

// One robot's branches side by side in the lanes of a register.
//
// The legs of a quadruped, or the limbs of a humanoid, do not depend on one another: a node of the
// plan is up to W bodies with the same kind of joint whose parents have been dealt with, one in
// each lane. A lane follows a chain as long as it can, so that most nodes find their parents in
// the same lanes of one earlier node and need no gathering.
//
// Every body sees exactly the operations, and the order of sums, that it sees alone: the results
// are the plain algorithms' bit for bit.

#include <array>
#include <vector>

#include "espalier/model/topology.h"
#include "espalier/scalar/instantiate.h"

namespace espalier {

inline constexpr int branch_lanes = lanes_v<DoubleLanes>;

struct BranchNode {
  JointKind kind = JointKind::Revolute;
  std::array<int, branch_lanes> body{};    ///< -1: idle lane, which repeats the first one's numbers
  std::array<int, branch_lanes> q{}, u{};  ///< their coordinate and dof
  int parentNode = -1;       ///< node that holds every lane's parent in the same lane; -1: gather
  int childNode = -1;        ///< the only child of every lane, in the same lane; -1: gather
  bool isLeaf = false;       ///< no lane has a child
  bool onBase = false;       ///< every lane hangs on body 0
  bool isGeared = false;     ///< in some lane a rotor ties the joint to the parent's
  bool carriesGear = false;  ///< in some lane a rotor ties a child's joint to this one
  int gearNode = -1;         ///< node that holds all those children in the same lanes; -1: gather
};

struct BranchPlan {
  std::vector<BranchNode> nodes;           ///< parents first
  std::vector<int> nodeOf, laneOf;         ///< [nb] place of each body; body 0 has none
  std::vector<std::vector<int>> children;  ///< [nb] descending
  bool isProfitable = false;  ///< hinges and sliders only, and two lanes filled on the average
  bool isStraight = false;  ///< and every lane is one unbranched limb on body 0, all of one length
};

/// Schedules the bodies; longest chains first.
BranchPlan planBranches(const Topology& t);

/// The dofs of a tree without bodies (makeDofTree()), each as if it were a body, where limbs lie
/// straight; else no nodes.
BranchPlan planStraightDofs(const Topology& t);

}  // namespace espalier
