// Closure and reduction of mechanisms, for one world and derivatives.

#include "espalier/scalar/instantiate.h"
#include "espalier/dynamics/loops/closure_impl.h"
#include "espalier/dynamics/loops/reduction_impl.h"

namespace espalier {

ESPALIER_FOR_WORLD_SCALARS(ESPALIER_INSTANTIATE_CLOSURE)
ESPALIER_FOR_WORLD_SCALARS(ESPALIER_INSTANTIATE_REDUCTION)

}  // namespace espalier
