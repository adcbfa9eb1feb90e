#include "espalier/dynamics/tree/mass_matrix_impl.h"
#include "espalier/scalar/instantiate.h"

namespace espalier {

ESPALIER_FOR_WIDE_SCALARS(ESPALIER_INSTANTIATE_MASS_MATRIX)

}  // namespace espalier
