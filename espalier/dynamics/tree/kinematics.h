#pragma once

#include "espalier/dynamics/tree/workspace.h"
#include "espalier/model/lowered.h"

namespace espalier {

/// Poses, twists, columns and inertias of every body in the common frame.
///   in   q   [nq], u [nv]   internal order
///   out  ws  origin, R, x, V, c, Ib, S
///   cost O(nb), no allocation
///   from Featherstone 2008, 4.4 and 5.1, in world axes about the root's origin
template <class T, class P = value_t<T>>
void kinematics(const Topology& t, const Lowered<P>& par, const T* q, const T* u, Workspace<T>& ws);

/// The same of some bodies, without inertias.
///   in   bodies  ascending; with each body those that carry it
///   out  ws  origin; of these bodies R, x, V, c and S
///   cost O(bodies), no allocation
template <class T, class P = value_t<T>>
void chainKinematics(const Topology& t, const Lowered<P>& par, const std::vector<int>& bodies,
                     const T* q, const T* u, Workspace<T>& ws);

/// The twist-dependent part alone: V and c for another u at the same q.
///   pre  kinematics(q, anything) has filled R, x, S
template <class T>
void velocities(const Topology& t, const T* u, Workspace<T>& ws);

}  // namespace espalier
