#include "espalier/dynamics/cluster_rnea_impl.h"
#include "espalier/scalar/instantiate.h"

namespace espalier {

ESPALIER_FOR_WIDE_SCALARS(ESPALIER_INSTANTIATE_CLUSTER_RNEA)

}  // namespace espalier
