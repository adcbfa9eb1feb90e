// Kinematics, Jacobians, accelerations and energies of trees, for the lanes of x86-64-v4.

#include "espalier/dynamics/tree/accelerations_impl.h"
#include "espalier/dynamics/tree/energy_impl.h"
#include "espalier/dynamics/tree/jacobian_impl.h"
#include "espalier/dynamics/tree/kinematics_impl.h"
#include "espalier/scalar/instantiate.h"

namespace espalier {

ESPALIER_FOR_LANES(ESPALIER_INSTANTIATE_KINEMATICS)
ESPALIER_FOR_LANES(ESPALIER_INSTANTIATE_JACOBIAN)
ESPALIER_FOR_LANES(ESPALIER_INSTANTIATE_ACCELERATIONS)
ESPALIER_FOR_LANES(ESPALIER_INSTANTIATE_ENERGY)

}  // namespace espalier
