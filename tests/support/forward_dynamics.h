#pragma once

#include "espalier/dynamics/tree/factor.h"
#include "espalier/dynamics/tree/inverse_dynamics.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/dynamics/tree/mass_matrix.h"

namespace espalier::testing {

/// udot = M^-1 (tau - h) through the mass matrix, as the step takes it: the second opinion of aba().
///   in   q [nq], u [nv], tau [nv];  out udot [nv]
///   out  ws  kinematics, L and D
template <class T, class P = value_t<T>>
void forwardDynamics(const Topology& t, const Lowered<P>& par, const Vec3<T>& gravity, const T* q,
                     const T* u, const T* tau, Workspace<T>& ws, T* udot) {
  kinematics(t, par, q, u, ws);
  bias(t, par, gravity, ws, udot);
  massMatrix(t, par, ws);
  factor(t, ws);
  for (int d = 0; d < t.nv; ++d) udot[d] = tau[d] - udot[d];
  solve(t, ws, udot);
}

}  // namespace espalier::testing
