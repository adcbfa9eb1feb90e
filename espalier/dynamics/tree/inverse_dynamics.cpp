#include "espalier/dynamics/tree/inverse_dynamics_impl.h"
#include "espalier/scalar/instantiate.h"

namespace espalier {

ESPALIER_FOR_BASE_SCALARS(ESPALIER_INSTANTIATE_INVERSE_DYNAMICS)

}  // namespace espalier
