#include "espalier/dynamics/simd/subtree_set.h"

namespace espalier {
namespace {

/// The root's bodies weigh nothing in a subtree: the root's own part has them.
Lowered<double> parametersOf(const Part& part, int lane, int rootBodies, bool isRoot,
                             const Lowered<double>& whole) {
  const auto at = [&](const std::vector<int>& places, int i) {
    return static_cast<std::size_t>(places[static_cast<std::size_t>(i * part.lanes + lane)]);
  };
  Lowered<double> own;
  for (int b = 0; b < part.t.nb; ++b) {
    own.bodies.push_back(whole.bodies[at(part.places.body, b)]);
    if (!isRoot && b < rootBodies) own.bodies.back().I = {};
    own.extra.push_back(whole.extra[at(part.places.body, b)]);
  }
  for (int d = 0; d < part.t.nv; ++d) {
    const bool isOwn = isRoot || part.t.dofBody[static_cast<std::size_t>(d)] >= rootBodies;
    own.armature.push_back(isOwn ? whole.armature[at(part.places.u, d)] : 0.0);
    own.spin.push_back(isOwn ? whole.spin[at(part.places.u, d)] : 0.0);
  }
  for (std::size_t g = 0; g < part.t.geared.size(); ++g)
    own.geared.push_back(whole.geared[at(part.places.geared, static_cast<int>(g))]);
  own.hasArmature = whole.hasArmature;
  own.hasRotors = whole.hasRotors;
  return own;
}

}  // namespace

SubtreeSet makeSubtreeSet(const Topology& t, const Mechanism& m,
                          const Lowered<double>& parameters) {
  SubtreeSet set{planSubtrees(t, m, {subtrees_in_a_sum}), {}};
  if (!set.plan.isProfitable) return set;
  const int root = static_cast<int>(set.plan.root.size());
  for (std::size_t p = 0; p < set.plan.parts.size(); ++p) {
    const Part& part = set.plan.parts[p];
    for (int l = 0; l < part.filled; ++l)
      set.subtrees.push_back(
          {static_cast<int>(p), l, parametersOf(part, l, root, p == 0, parameters)});
  }
  return set;
}

}  // namespace espalier
