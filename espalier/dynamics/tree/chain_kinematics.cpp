#include "espalier/dynamics/tree/chain_kinematics_impl.h"
#include "espalier/scalar/instantiate.h"

namespace espalier {

ESPALIER_FOR_BASE_SCALARS(ESPALIER_INSTANTIATE_CHAIN_KINEMATICS)

}  // namespace espalier
