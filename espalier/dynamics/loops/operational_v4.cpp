#include "espalier/dynamics/loops/operational_impl.h"
#include "espalier/scalar/instantiate.h"

namespace espalier {

ESPALIER_FOR_WIDE_SCALARS(ESPALIER_INSTANTIATE_OPERATIONAL)

}  // namespace espalier
