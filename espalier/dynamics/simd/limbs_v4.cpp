#include "espalier/dynamics/simd/limbs_impl.h"
#include "espalier/scalar/instantiate.h"

namespace espalier {

LimbPacks* newLimbPacks_v4(const LimbPlan& plan) {
  return new LimbPacksOf<DoubleLanes, Lanes<double, 4>>(plan);
}

}  // namespace espalier
