// Closure and reduction of mechanisms, for the lanes of x86-64-v4.

#include "espalier/dynamics/loops/closure_impl.h"
#include "espalier/dynamics/loops/lane_parameters_impl.h"
#include "espalier/dynamics/loops/reduction_impl.h"
#include "espalier/scalar/instantiate.h"

namespace espalier {

ESPALIER_FOR_LANES(ESPALIER_INSTANTIATE_CLOSURE)
ESPALIER_FOR_LANES(ESPALIER_INSTANTIATE_REDUCTION)
ESPALIER_INSTANTIATE_LOOP_LANE_PARAMETERS(DoubleLanes)
ESPALIER_INSTANTIATE_LOOP_LANE_PARAMETERS(FloatLanes)

}  // namespace espalier
