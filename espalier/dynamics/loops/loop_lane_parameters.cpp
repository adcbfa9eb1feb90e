// Mechanisms whose lanes have parameters of their own, in the lanes of the base level.

#include "espalier/dynamics/loops/reduction_impl.h"
#include "espalier/dynamics/tree/inverse_dynamics_impl.h"
#include "espalier/scalar/instantiate.h"

namespace espalier {

using T = DoubleLanes;
template void placeBodies(const Topology&, const Lowered<T>&, const T*, Workspace<T>&);
template void placeInertias(const Topology&, const Lowered<T>&, Workspace<T>&);
template T closeLoops(const Topology&, const Lowered<T>&, const Mechanism&, T*, double, int,
                      Workspace<T>&, LoopWorkspace<T>&);
template T closePlacedLoops(const Topology&, const Lowered<T>&, const Mechanism&, T*, double, int,
                            Workspace<T>&, LoopWorkspace<T>&);
template void reducedMassMatrix(const Topology&, const Lowered<T>&, const Mechanism&, Workspace<T>&,
                                LoopWorkspace<T>&, T*);
template void inverseDynamics(const Topology&, const Lowered<T>&, const Vec3<T>&, const T*,
                              Workspace<T>&, T*);

}  // namespace espalier
