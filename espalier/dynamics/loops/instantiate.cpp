// Closure and reduction of mechanisms, for the scalars of the base level.

#include "espalier/scalar/instantiate.h"
#include "espalier/dynamics/loops/closure_impl.h"
#include "espalier/dynamics/loops/lane_parameters_impl.h"
#include "espalier/dynamics/loops/reduction_impl.h"

namespace espalier {

ESPALIER_FOR_BASE_SCALARS(ESPALIER_INSTANTIATE_CLOSURE)
ESPALIER_FOR_BASE_SCALARS(ESPALIER_INSTANTIATE_REDUCTION)
ESPALIER_INSTANTIATE_LOOP_LANE_PARAMETERS(DoubleLanes)
ESPALIER_INSTANTIATE_LOOP_LANE_PARAMETERS(FloatLanes)

}  // namespace espalier
