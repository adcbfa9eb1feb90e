#pragma once

#include "espalier/dynamics/tree/workspace.h"

namespace espalier {

/// Acceleration of every body at a given udot: the rate of its twist about O, O standing still.
///   pre  kinematics(q, u)
///   in   udot  [nv]
///   out  A  [nb]  world axes, gravity not subtracted
///   cost O(nb); ws is only read
template <class T>
void accelerations(const Topology& t, const Workspace<T>& ws, const T* udot, Motion<T>* A);

/// Acceleration of the body's own point at r from O, as an accelerometer without gravity feels it.
///   in   V, A  twist and acceleration of the body, about O
template <class T>
ESPALIER_INLINE Vec3<T> accelerationAt(const Motion<T>& V, const Motion<T>& A, const Vec3<T>& r) {
  return A.v + cross(A.w, r) + cross(V.w, V.v + cross(V.w, r));
}

/// Wrench that each joint exerts on the body it carries; of a floating base the
/// generalized force on its six dofs.
///   pre  kinematics(q, u)
///   in   A         [nb]  from accelerations()
///   in   external  [nb]  on each body about its origin, world axes; nullptr for none
///   out  wrench    [nb]  about the body's origin, world axes; S' wrench is tau without armature
///   cost O(nb); ws is only read
///   from Featherstone 2008, 5.3, in the common frame
template <class T>
void jointWrenches(const Topology& t, const Workspace<T>& ws, const Vec3<T>& gravity,
                   const Motion<T>* A, const Force<T>* external, Force<T>* wrench);

}  // namespace espalier
