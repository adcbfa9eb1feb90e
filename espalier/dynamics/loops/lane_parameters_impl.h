#pragma once

// Mechanisms whose lanes have parameters of their own (dynamics/tree/lane_parameters_impl.h).

#include "espalier/dynamics/loops/reduction_impl.h"

/// For the translation units of every instruction-set level.
#define ESPALIER_INSTANTIATE_LOOP_LANE_PARAMETERS(T)                                               \
  template void placeBodies(const Topology&, const Lowered<T>&, const T*, Workspace<T>&);          \
  template void placeInertias(const Topology&, const Lowered<T>&, Workspace<T>&);                  \
  template T closeLoops(const Topology&, const Lowered<T>&, const Mechanism&, T*, value_t<T>, int, \
                        Workspace<T>&, LoopWorkspace<T>&);                                         \
  template T closePlacedLoops(const Topology&, const Lowered<T>&, const Mechanism&, T*,            \
                              value_t<T>, int, Workspace<T>&, LoopWorkspace<T>&);                  \
  template void reducedMassMatrix(const Topology&, const Lowered<T>&, const Mechanism&,            \
                                  Workspace<T>&, LoopWorkspace<T>&, T*);
