#include "espalier/dynamics/forward_dynamics_impl.h"
#include "espalier/scalar/instantiate.h"

namespace espalier {

#define ESPALIER_INSTANTIATE(T) \
  template void dynamics<T>(const Topology&, const Lowered<value_t<T>>&, const Vec3<T>&, const T*, const T*, Workspace<T>&, T*); \
  template void forwardDynamics<T>(const Topology&, const Lowered<value_t<T>>&, const Vec3<T>&, const T*, const T*, const T*, Workspace<T>&, T*);
ESPALIER_FOR_BASE_SCALARS(ESPALIER_INSTANTIATE)
#undef ESPALIER_INSTANTIATE

}  // namespace espalier
