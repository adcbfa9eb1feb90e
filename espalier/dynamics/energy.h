#pragma once

#include "espalier/dynamics/workspace.h"
#include "espalier/model/lowered.h"

namespace espalier {

// All after kinematics(q, u); fixed bases count with what is welded to them.

/// 1/2 u' M u, armature included. J.
template <class T, class P = value_t<T>>
T kineticEnergy(const Topology& t, const Lowered<P>& par, const T* u, const Workspace<T>& ws);

/// -sum m g . p_W, zero at the world's origin. J.
template <class T>
T potentialEnergy(const Topology& t, const Vec3<T>& gravity, const Workspace<T>& ws);

/// Linear momentum f (N s) and angular momentum n about the common origin O (N m s).
template <class T>
Force<T> momentum(const Topology& t, const Workspace<T>& ws);

/// Mass and inertia of all bodies together about O, world axes.
template <class T>
RigidInertia<T> totalInertia(const Topology& t, const Workspace<T>& ws);

/// Inertia of a body and all it carries about O, world axes.
template <class T>
RigidInertia<T> compositeInertia(const Topology& t, int body, const Workspace<T>& ws);

/// Centre of mass in the world, m; its velocity is momentum().f / mass.
template <class T>
Vec3<T> centreOfMass(const Topology& t, const Workspace<T>& ws);

}  // namespace espalier
