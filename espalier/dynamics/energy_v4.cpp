#include "espalier/dynamics/energy_impl.h"
#include "espalier/scalar/instantiate.h"

namespace espalier {

#define ESPALIER_INSTANTIATE(T) \
  template T kineticEnergy<T>(const Topology&, const Lowered<value_t<T>>&, const T*, const Workspace<T>&); \
  template T potentialEnergy<T>(const Topology&, const Vec3<T>&, const Workspace<T>&); \
  template Force<T> momentum<T>(const Topology&, const Workspace<T>&); \
  template RigidInertia<T> totalInertia<T>(const Topology&, const Workspace<T>&); \
  template RigidInertia<T> compositeInertia<T>(const Topology&, int, const Workspace<T>&); \
  template Vec3<T> centreOfMass<T>(const Topology&, const Workspace<T>&);
ESPALIER_FOR_WIDE_SCALARS(ESPALIER_INSTANTIATE)
#undef ESPALIER_INSTANTIATE

}  // namespace espalier
