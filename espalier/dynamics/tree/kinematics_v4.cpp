#include "espalier/dynamics/tree/kinematics_impl.h"
#include "espalier/scalar/instantiate.h"

namespace espalier {

ESPALIER_FOR_WIDE_SCALARS(ESPALIER_INSTANTIATE_KINEMATICS)

}  // namespace espalier
