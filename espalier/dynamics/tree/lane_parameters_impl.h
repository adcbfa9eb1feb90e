#pragma once

// Trees whose lanes have parameters of their own: what lanes instantiate beside the algorithms whose
// parameters all lanes share.

#include "espalier/dynamics/tree/inverse_dynamics_impl.h"
#include "espalier/dynamics/tree/kinematics_impl.h"
#include "espalier/dynamics/tree/mass_matrix_impl.h"

/// For the translation units of every instruction-set level.
#define ESPALIER_INSTANTIATE_LANE_PARAMETERS(T)                                                    \
  template void kinematics(const Topology&, const Lowered<T>&, const T*, const T*, Workspace<T>&); \
  template void bias(const Topology&, const Lowered<T>&, const Vec3<T>&, Workspace<T>&, T*);       \
  template void inverseDynamics(const Topology&, const Lowered<T>&, const Vec3<T>&, const T*,      \
                                Workspace<T>&, T*);                                                \
  template void massMatrix(const Topology&, const Lowered<T>&, Workspace<T>&);
