#include "espalier/dynamics/factor_impl.h"
#include "espalier/scalar/instantiate.h"

namespace espalier {

#define ESPALIER_INSTANTIATE(T) \
  template void factor<T>(const Topology&, Workspace<T>&); \
  template void solve<T>(const Topology&, const Workspace<T>&, T*); \
  template void solveTransposed<T>(const Topology&, const Workspace<T>&, T*); \
  template void solveForward<T>(const Topology&, const Workspace<T>&, T*); \
  template void inverse<T>(const Topology&, const Workspace<T>&, T*);
ESPALIER_FOR_BASE_SCALARS(ESPALIER_INSTANTIATE)
#undef ESPALIER_INSTANTIATE

}  // namespace espalier
