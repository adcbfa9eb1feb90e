// Closure and reduction of mechanisms, for float and the lanes of the base level.

#include "espalier/dynamics/loops/closure_impl.h"
#include "espalier/dynamics/loops/lane_parameters_impl.h"
#include "espalier/dynamics/loops/reduction_impl.h"
#include "espalier/scalar/instantiate.h"

namespace espalier {

ESPALIER_INSTANTIATE_CLOSURE(float)
ESPALIER_INSTANTIATE_REDUCTION(float)
ESPALIER_FOR_LANES(ESPALIER_INSTANTIATE_CLOSURE)
ESPALIER_FOR_LANES(ESPALIER_INSTANTIATE_REDUCTION)
ESPALIER_INSTANTIATE_LOOP_LANE_PARAMETERS(DoubleLanes)
ESPALIER_INSTANTIATE_LOOP_LANE_PARAMETERS(FloatLanes)

}  // namespace espalier
