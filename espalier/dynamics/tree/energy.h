#pragma once

#include "espalier/dynamics/tree/workspace.h"
#include "espalier/model/lowered.h"

namespace espalier {

// All after kinematics(q, u); a fixed base counts with the links welded to it.

/// 1/2 u' M u, armature and geared rotors of the joints included. J.
template <class T, class P = value_t<T>>
T kineticEnergy(const Topology& t, const Lowered<P>& par, const T* u, const Workspace<T>& ws);

/// -sum m g . p_W, zero at the world's origin. J.
template <class T>
T potentialEnergy(const Topology& t, const Vec3<T>& gravity, const Workspace<T>& ws);

/// Linear momentum f (N s) and angular momentum n about the common origin O (N m s).
/// A floating base whose twist changes by solve6(totalInertia(), f) while its joints keep their
/// rates changes the momentum by f.
template <class T, class P = value_t<T>>
Force<T> momentum(const Topology& t, const Lowered<P>& par, const T* u, const Workspace<T>& ws);

/// Mass and inertia of all bodies together about O, world axes.
template <class T>
RigidInertia<T> totalInertia(const Topology& t, const Workspace<T>& ws);

/// Inertia of a body and all it carries about O, world axes.
template <class T>
RigidInertia<T> compositeInertia(const Topology& t, int body, const Workspace<T>& ws);
/// The same of every body at once.  out Ic [nb];  cost O(nb)
template <class T>
void compositeInertias(const Topology& t, const Workspace<T>& ws, RigidInertia<T>* Ic);

/// Centre of mass of an inertia about O, from O; of ws.Ib[i], or of what the calls above return.
template <class T>
ESPALIER_INLINE Vec3<T> centreOf(const RigidInertia<T>& I) {
  return I.h * (T(value_t<T>(1)) / I.m);
}
/// Rotational inertia about that centre, world axes.
template <class T>
ESPALIER_INLINE Sym3<T> inertiaAboutCentre(const RigidInertia<T>& I) {
  const Vec3<T> c = centreOf(I);
  // I + m [c][c] with h = m c
  const T d = dot(I.h, c);
  return {fma(I.h.x, c.x, I.I.xx - d), fma(I.h.x, c.y, I.I.xy), fma(I.h.x, c.z, I.I.xz),
          fma(I.h.y, c.y, I.I.yy - d), fma(I.h.y, c.z, I.I.yz), fma(I.h.z, c.z, I.I.zz - d)};
}

/// Centre of mass in the world, m; its velocity is momentum().f / mass.
template <class T>
Vec3<T> centreOfMass(const Topology& t, const Workspace<T>& ws);

}  // namespace espalier
