#pragma once

#include "espalier/dynamics/tree/workspace.h"
#include "espalier/model/lowered.h"

namespace espalier {

/// M(q) in packed rows along the ancestor chain, armature on the diagonal.
///   pre  kinematics(q, u)
///   out  ws.H  [entries]; ws.Ic composite inertias
///   from composite rigid bodies, Featherstone 2008, 6.2, in the common frame
template <class T, class P = value_t<T>>
void massMatrix(const Topology& t, const Lowered<P>& par, Workspace<T>& ws);

/// Packed rows -> dense symmetric, row-major [nv][nv].
template <class T>
void unpack(const Topology& t, const T* packed, T* dense);

/// y = M x from the packed rows.
template <class T>
void multiply(const Topology& t, const T* packed, const T* x, T* y);

}  // namespace espalier
