#include "espalier/dynamics/tree/lane_parameters_impl.h"
#include "espalier/scalar/instantiate.h"

namespace espalier {

ESPALIER_INSTANTIATE_LANE_PARAMETERS(DoubleLanes)
ESPALIER_INSTANTIATE_LANE_PARAMETERS(FloatLanes)

}  // namespace espalier
