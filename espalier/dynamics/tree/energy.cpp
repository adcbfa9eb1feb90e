#include "espalier/dynamics/tree/energy_impl.h"
#include "espalier/scalar/instantiate.h"

namespace espalier {

ESPALIER_FOR_BASE_SCALARS(ESPALIER_INSTANTIATE_ENERGY)

}  // namespace espalier
