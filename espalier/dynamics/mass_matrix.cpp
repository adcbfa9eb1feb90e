#include "espalier/dynamics/mass_matrix_impl.h"
#include "espalier/scalar/instantiate.h"

namespace espalier {

#define ESPALIER_INSTANTIATE(T) \
  template void massMatrix<T>(const Topology&, const Lowered<value_t<T>>&, Workspace<T>&); \
  template void unpack<T>(const Topology&, const T*, T*); \
  template void multiply<T>(const Topology&, const T*, const T*, T*);
ESPALIER_FOR_BASE_SCALARS(ESPALIER_INSTANTIATE)
#undef ESPALIER_INSTANTIATE

}  // namespace espalier
