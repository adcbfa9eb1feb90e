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

/// Parameters of a subtree, of the sizes of its part. The root's bodies weigh nothing in a subtree:
/// the root's own part has them.
///   in  subtree  its part and lane in the plan
template <class P>
void takeParameters(const SubtreePlan& plan, const SubtreeSet::Subtree& subtree,
                    const Lowered<P>& whole, Lowered<P>& own) {
  const Part& part = plan.parts[subtree.part];
  const bool isRoot = subtree.part == 0;
  const auto rootBodies = static_cast<int>(plan.root.size());
  const auto at = [&](const std::vector<int>& places, std::size_t i) {
    const auto lanes = static_cast<std::size_t>(part.lanes);
    return static_cast<std::size_t>(places[i * lanes + static_cast<std::size_t>(subtree.lane)]);
  };
  for (std::size_t b = 0; b < own.bodies.size(); ++b) {
    own.bodies[b] = whole.bodies[at(part.places.body, b)];
    if (!isRoot && static_cast<int>(b) < rootBodies) own.bodies[b].I = {};
    own.extra[b] = whole.extra[at(part.places.body, b)];
  }
  for (std::size_t d = 0; d < own.armature.size(); ++d) {
    if (!isRoot && part.t.dofBody[d] < rootBodies) continue;  // zero
    own.armature[d] = whole.armature[at(part.places.u, d)];
    own.spin[d] = whole.spin[at(part.places.u, d)];
  }
  for (std::size_t g = 0; g < own.geared.size(); ++g)
    own.geared[g] = whole.geared[at(part.places.geared, g)];
  own.hasArmature = whole.hasArmature;
  own.hasRotors = whole.hasRotors;
}

}  // namespace espalier
