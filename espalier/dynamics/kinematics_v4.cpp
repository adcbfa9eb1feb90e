#include "espalier/dynamics/kinematics_impl.h"
#include "espalier/scalar/instantiate.h"

namespace espalier {

#define ESPALIER_INSTANTIATE(T) \
  template void kinematics<T>(const Topology&, const Lowered<value_t<T>>&, const T*, const T*, Workspace<T>&); \
  template void velocities<T>(const Topology&, const T*, Workspace<T>&);
ESPALIER_FOR_WIDE_SCALARS(ESPALIER_INSTANTIATE)
#undef ESPALIER_INSTANTIATE

}  // namespace espalier
