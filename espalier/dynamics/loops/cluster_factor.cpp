#include "espalier/dynamics/loops/cluster_factor_impl.h"
#include "espalier/scalar/instantiate.h"

namespace espalier {

ESPALIER_FOR_BASE_SCALARS(ESPALIER_INSTANTIATE_CLUSTER_FACTOR)

}  // namespace espalier
