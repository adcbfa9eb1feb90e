#include "espalier/dynamics/simd/subtree_mechanism_impl.h"
#include "espalier/scalar/instantiate.h"

namespace espalier {

SubtreePacks* newSubtreePacks_v4(const SubtreePlan& plan) {
  return new SubtreePacksOf<DoubleLanes, Lanes<double, 4>>(plan);
}

}  // namespace espalier
