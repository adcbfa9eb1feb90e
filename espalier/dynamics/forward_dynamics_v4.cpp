#include "espalier/dynamics/forward_dynamics_impl.h"
#include "espalier/scalar/instantiate.h"

namespace espalier {

ESPALIER_FOR_WIDE_SCALARS(ESPALIER_INSTANTIATE_FORWARD_DYNAMICS)

}  // namespace espalier
