#pragma once

#include "espalier/dynamics/workspace.h"
#include "espalier/model/lowered.h"

namespace espalier {

/// udot = M^-1 (tau - h) through the mass matrix; leaves kinematics, L and D in ws.
/// The contact-free path is aba(); this is the one the step takes, and the other's second opinion.
///   in   q [nq], u [nv], tau [nv];  out udot [nv]
template <class T, class P = value_t<T>>
void forwardDynamics(const Topology& t, const Lowered<P>& par, const Vec3<T>& gravity, const T* q,
                     const T* u, const T* tau, Workspace<T>& ws, T* udot);

/// Everything a step needs before forces: kinematics, h, M and its factor, in one pass.
///   out  h [nv];  ws.H, ws.Dinv hold the factor
template <class T, class P = value_t<T>>
void dynamics(const Topology& t, const Lowered<P>& par, const Vec3<T>& gravity, const T* q,
              const T* u, Workspace<T>& ws, T* h);

}  // namespace espalier
