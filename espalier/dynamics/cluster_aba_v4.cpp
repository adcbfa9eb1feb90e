#include "espalier/dynamics/cluster_aba_impl.h"
#include "espalier/scalar/instantiate.h"

namespace espalier {

ESPALIER_FOR_WIDE_SCALARS(ESPALIER_INSTANTIATE_CLUSTER_ABA)

}  // namespace espalier
