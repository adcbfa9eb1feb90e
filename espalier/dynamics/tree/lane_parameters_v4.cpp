// Trees whose lanes have parameters of their own, in the lanes of x86-64-v4.

#include "espalier/dynamics/tree/inverse_dynamics_impl.h"
#include "espalier/dynamics/tree/kinematics_impl.h"
#include "espalier/dynamics/tree/mass_matrix_impl.h"
#include "espalier/scalar/instantiate.h"

namespace espalier {

template void kinematics(const Topology&, const Lowered<DoubleLanes>&, const DoubleLanes*,
                         const DoubleLanes*, Workspace<DoubleLanes>&);
template void bias(const Topology&, const Lowered<DoubleLanes>&, const Vec3<DoubleLanes>&,
                   Workspace<DoubleLanes>&, DoubleLanes*);
template void massMatrix(const Topology&, const Lowered<DoubleLanes>&, Workspace<DoubleLanes>&);

}  // namespace espalier
