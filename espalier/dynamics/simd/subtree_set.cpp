#include "espalier/dynamics/simd/subtree_set.h"

namespace espalier {

SubtreeSet makeSubtreeSet(const Topology& t, const Mechanism& m,
                          const Lowered<double>& parameters) {
  SubtreeSet set{planSubtrees(t, m, {subtrees_in_a_sum}), {}};
  if (!set.plan.isProfitable) return set;
  for (std::size_t p = 0; p < set.plan.parts.size(); ++p) {
    const Part& part = set.plan.parts[p];
    const auto nb = static_cast<std::size_t>(part.t.nb), nv = static_cast<std::size_t>(part.t.nv);
    for (int l = 0; l < part.filled; ++l) {
      SubtreeSet::Subtree& subtree = set.subtrees.emplace_back();
      subtree.part = static_cast<int>(p);
      subtree.lane = l;
      Lowered<double>& own = subtree.parameters;
      own.bodies.resize(nb);
      own.extra.resize(nb);
      own.armature.resize(nv);
      own.spin.resize(nv);
      own.geared.resize(part.t.geared.size());
      takeParameters(set.plan, subtree, parameters, own);
    }
  }
  return set;
}

}  // namespace espalier
