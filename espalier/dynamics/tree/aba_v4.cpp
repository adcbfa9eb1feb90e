#include "espalier/dynamics/tree/aba_impl.h"
#include "espalier/scalar/instantiate.h"

namespace espalier {

ESPALIER_FOR_WIDE_SCALARS(ESPALIER_INSTANTIATE_ABA)

}  // namespace espalier
