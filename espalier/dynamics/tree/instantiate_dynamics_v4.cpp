// Inverse dynamics, mass matrix and factor of trees, for the lanes of x86-64-v4.

#include "espalier/dynamics/tree/factor_impl.h"
#include "espalier/dynamics/tree/inverse_dynamics_impl.h"
#include "espalier/dynamics/tree/lane_parameters_impl.h"
#include "espalier/dynamics/tree/mass_matrix_impl.h"
#include "espalier/scalar/instantiate.h"

namespace espalier {

ESPALIER_FOR_LANES(ESPALIER_INSTANTIATE_INVERSE_DYNAMICS)
ESPALIER_FOR_LANES(ESPALIER_INSTANTIATE_MASS_MATRIX)
ESPALIER_FOR_LANES(ESPALIER_INSTANTIATE_FACTOR)
ESPALIER_INSTANTIATE_LANE_PARAMETERS(DoubleLanes)
ESPALIER_INSTANTIATE_LANE_PARAMETERS(FloatLanes)

}  // namespace espalier
