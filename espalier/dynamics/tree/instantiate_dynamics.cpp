// Inverse dynamics, mass matrix and factor of trees, for one world and derivatives.

#include "espalier/dynamics/tree/factor_impl.h"
#include "espalier/dynamics/tree/inverse_dynamics_impl.h"
#include "espalier/dynamics/tree/mass_matrix_impl.h"
#include "espalier/scalar/instantiate.h"

namespace espalier {

ESPALIER_FOR_WORLD_SCALARS(ESPALIER_INSTANTIATE_INVERSE_DYNAMICS)
ESPALIER_FOR_WORLD_SCALARS(ESPALIER_INSTANTIATE_MASS_MATRIX)
ESPALIER_FOR_WORLD_SCALARS(ESPALIER_INSTANTIATE_FACTOR)

}  // namespace espalier
