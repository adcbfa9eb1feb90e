#include "espalier/dynamics/tree/jacobian_impl.h"
#include "espalier/scalar/instantiate.h"

namespace espalier {

ESPALIER_FOR_WIDE_SCALARS(ESPALIER_INSTANTIATE_JACOBIAN)

}  // namespace espalier
