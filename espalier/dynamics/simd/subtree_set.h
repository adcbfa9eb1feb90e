#pragma once

// The subtrees of a plan one by one, each with its own parameters: for several worlds at once,
// whose lanes are then worlds and not subtrees (subtree_lanes.h).

#include <vector>

#include "espalier/dynamics/simd/subtree_plan.h"
#include "espalier/model/lowered.h"

namespace espalier {

struct SubtreeSet {
  /// One subtree, or the root.
  struct Subtree {
    int part, lane;  ///< of the plan
    Lowered<double> parameters;
  };
  SubtreePlan plan;
  std::vector<Subtree> subtrees;  ///< the root first, then part by part; none if unprofitable
};

SubtreeSet makeSubtreeSet(const Topology& t, const Mechanism& m, const Lowered<double>& parameters);

}  // namespace espalier
