#include "espalier/model/coordinates_impl.h"
#include "espalier/scalar/instantiate.h"

namespace espalier {

ESPALIER_INSTANTIATE_COORDINATES(float)
ESPALIER_FOR_LANES(ESPALIER_INSTANTIATE_COORDINATES)

}  // namespace espalier
