#pragma once

#include "espalier/dynamics/tree/workspace.h"
#include "espalier/model/lowered.h"

namespace espalier {

/// Bias force h(q, u), tau at udot = 0: gravity, Coriolis and gyroscopic forces, those of geared
/// rotors included (an armature has none).
///   pre  kinematics(q, u)
///   in   gravity  m/s^2, world
///   out  h  [nv]  N or N m;  ws.A, ws.F
///   from Featherstone 2008, 5.3, in the common frame
template <class T, class P = value_t<T>>
void bias(const Topology& t, const Lowered<P>& par, const Vec3<T>& gravity, Workspace<T>& ws, T* h);

/// tau = M(q) udot + h(q, u), after kinematics(q, u).
///   in   udot  [nv]
///   out  tau   [nv]
template <class T, class P = value_t<T>>
void inverseDynamics(const Topology& t, const Lowered<P>& par, const Vec3<T>& gravity,
                     const T* udot, Workspace<T>& ws, T* tau);

}  // namespace espalier
