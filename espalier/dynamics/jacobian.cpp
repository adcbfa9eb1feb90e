#include "espalier/dynamics/jacobian_impl.h"
#include "espalier/scalar/instantiate.h"

namespace espalier {

#define ESPALIER_INSTANTIATE(T) \
  template void pointJacobian<T>(const Topology&, const Workspace<T>&, int, const Vec3<T>&, T*); \
  template void rotationalJacobian<T>(const Topology&, const Workspace<T>&, int, T*); \
  template void pointJacobianRate<T>(const Topology&, const Workspace<T>&, const T*, int, const Vec3<T>&, T*); \
  template void rotationalJacobianRate<T>(const Topology&, const Workspace<T>&, const T*, int, T*);
ESPALIER_FOR_BASE_SCALARS(ESPALIER_INSTANTIATE)
#undef ESPALIER_INSTANTIATE

}  // namespace espalier
