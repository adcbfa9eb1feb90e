#pragma once

#include "espalier/dynamics/factor.h"
#include "espalier/dynamics/forward_dynamics.h"
#include "espalier/dynamics/inverse_dynamics.h"
#include "espalier/dynamics/kinematics.h"
#include "espalier/dynamics/mass_matrix.h"

namespace espalier {

template <class T, class P>
void dynamics(const Topology& t, const Lowered<P>& par, const Vec3<T>& gravity, const T* q,
              const T* u, Workspace<T>& ws, T* h) {
  kinematics(t, par, q, u, ws);
  bias(t, par, gravity, ws, h);
  massMatrix(t, par, ws);
  factor(t, ws);
}

template <class T, class P>
void forwardDynamics(const Topology& t, const Lowered<P>& par, const Vec3<T>& gravity, const T* q,
                     const T* u, const T* tau, Workspace<T>& ws, T* udot) {
  dynamics(t, par, gravity, q, u, ws, udot);
  for (int d = 0; d < t.nv; ++d) udot[d] = tau[d] - udot[d];
  solve(t, ws, udot);
}

}  // namespace espalier

/// For the translation units of every instruction-set level.
#define ESPALIER_INSTANTIATE_FORWARD_DYNAMICS(T)                                                   \
  template void dynamics<T>(const Topology&, const Lowered<value_t<T>>&, const Vec3<T>&, const T*, \
                            const T*, Workspace<T>&, T*);                                          \
  template void forwardDynamics<T>(const Topology&, const Lowered<value_t<T>>&, const Vec3<T>&,    \
                                   const T*, const T*, const T*, Workspace<T>&, T*);
