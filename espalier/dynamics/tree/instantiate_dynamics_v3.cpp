// Inverse dynamics, mass matrix and factor of trees, for float and the lanes of the base level.

#include "espalier/dynamics/tree/factor_impl.h"
#include "espalier/dynamics/tree/inverse_dynamics_impl.h"
#include "espalier/dynamics/tree/lane_parameters_impl.h"
#include "espalier/dynamics/tree/mass_matrix_impl.h"
#include "espalier/scalar/instantiate.h"

namespace espalier {

ESPALIER_INSTANTIATE_INVERSE_DYNAMICS(float)
ESPALIER_INSTANTIATE_MASS_MATRIX(float)
ESPALIER_INSTANTIATE_FACTOR(float)
ESPALIER_FOR_LANES(ESPALIER_INSTANTIATE_INVERSE_DYNAMICS)
ESPALIER_FOR_LANES(ESPALIER_INSTANTIATE_MASS_MATRIX)
ESPALIER_FOR_LANES(ESPALIER_INSTANTIATE_FACTOR)
ESPALIER_INSTANTIATE_LANE_PARAMETERS(DoubleLanes)
ESPALIER_INSTANTIATE_LANE_PARAMETERS(FloatLanes)

}  // namespace espalier
