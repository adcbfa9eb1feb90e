#pragma once

#include "espalier/dynamics/tree/workspace.h"

namespace espalier {

/// Jacobian of a point carried by a body: v_point = J u. Only the non-zero columns (the body's
/// ancestor dofs) are written: clear the matrix first, once.
///   pre  kinematics(q, u)
///   in   r    point from the common origin, world axes
///   out  J    [3][nv] row-major, world axes
template <class T>
void pointJacobian(const Topology& t, const Workspace<T>& ws, int body, const Vec3<T>& r, T* J);

/// Jacobian of the angular velocity: w = J u, [3][nv], non-zero columns only.
template <class T>
void rotationalJacobian(const Topology& t, const Workspace<T>& ws, int body, T* J);

/// d/dt of both Jacobians along u, for a point moving with the body; non-zero columns only.
///   pre  kinematics(q, u) with this u
template <class T>
void pointJacobianRate(const Topology& t, const Workspace<T>& ws, const T* u, int body,
                       const Vec3<T>& r, T* J);
template <class T>
void rotationalJacobianRate(const Topology& t, const Workspace<T>& ws, const T* u, int body, T* J);

/// The column of one dof, base dofs included: twist of every body it moves, about O.
template <class T>
ESPALIER_INLINE Motion<T> column(const Topology& t, const Workspace<T>& ws, int dof) {
  if (!t.floating || dof >= 6) return ws.S[dof];
  const T o = T(value_t<T>(0)), i = T(value_t<T>(1));
  const Vec3<T> e{dof % 3 == 0 ? i : o, dof % 3 == 1 ? i : o, dof % 3 == 2 ? i : o};
  return dof < 3 ? Motion<T>{zero3<T>(), e} : Motion<T>{e, zero3<T>()};
}

/// Its rate along u, dS/dt = V x S, V the twist of the frame in which the column is fixed.
///   pre  kinematics(q, u) with this u
template <class T>
Motion<T> columnRate(const Topology& t, const Workspace<T>& ws, const T* u, int dof);

/// Velocity of the point r of a body moving with twist m about O.
template <class T>
ESPALIER_INLINE Vec3<T> velocityAt(const Motion<T>& m, const Vec3<T>& r) {
  return m.v + cross(m.w, r);
}

/// Column of the Jacobian of a point r moving with a body, and its rate.
template <class T>
ESPALIER_INLINE Vec3<T> pointColumn(const Topology& t, const Workspace<T>& ws, const Vec3<T>& r,
                                    int dof) {
  return velocityAt(column(t, ws, dof), r);
}
template <class T>
ESPALIER_INLINE Vec3<T> pointColumnRate(const Topology& t, const Workspace<T>& ws, const T* u,
                                        int body, const Vec3<T>& r, int dof) {
  return velocityAt(columnRate(t, ws, u, dof), r) +
         cross(column(t, ws, dof).w, velocityAt(ws.V[body], r));
}

}  // namespace espalier
