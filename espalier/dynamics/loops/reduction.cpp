#include "espalier/dynamics/loops/reduction_impl.h"
#include "espalier/scalar/instantiate.h"

namespace espalier {

ESPALIER_FOR_BASE_SCALARS(ESPALIER_INSTANTIATE_REDUCTION)

}  // namespace espalier
