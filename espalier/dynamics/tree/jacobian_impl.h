#pragma once

// Column of dof j at the point r:  S_j.v + S_j.w x r, and S_j.w for the rotation.
// Its rate, with dS_j/dt = V_carrier x S_j and r' = V.v + V.w x r:
//   S_j'.v + S_j'.w x r + S_j.w x r'

#include "espalier/dynamics/tree/jacobian.h"
#include "espalier/model/joints/dispatch.h"

namespace espalier {

namespace jacobian_detail {

template <class T>
ESPALIER_INLINE void put(const Topology& t, T* J, int dof, const Vec3<T>& column) {
  J[dof] = column.x;
  J[t.nv + dof] = column.y;
  J[2 * t.nv + dof] = column.z;
}

/// Twist of the frame in which the column of a dof is fixed: the parent's, and the joint's earlier
/// columns' on top.
template <class T>
Motion<T> carrier(const Topology& t, const Workspace<T>& ws, const T* u, int dof) {
  const int body = t.dofBody[dof];
  const BodyTopology& b = t.bodies[body];
  Motion<T> sum = b.parent < 0 ? zeroMotion<T>() : ws.V[b.parent];
  withJoint(b.kind, [&]<class J>() {
    for (int j = 0; j < J::carriers(dof - b.u); ++j)
      sum = madd(column(t, ws, b.u + j), u[b.u + j], sum);
  });
  return sum;
}

/// columnOf(dof) of every ancestor dof of the body, into its place of a dense matrix.
template <class T, class ColumnOf>
void dense(const Topology& t, int body, T* J, ColumnOf&& columnOf) {
  for (int j = t.lastDof(body); j >= 0; j = t.dofParent[j]) put(t, J, j, columnOf(j));
}

}  // namespace jacobian_detail

template <class T>
Motion<T> columnRate(const Topology& t, const Workspace<T>& ws, const T* u, int dof) {
  return crossMotion(jacobian_detail::carrier(t, ws, u, dof), column(t, ws, dof));
}

template <class T>
void pointJacobian(const Topology& t, const Workspace<T>& ws, int body, const Vec3<T>& r, T* J) {
  jacobian_detail::dense(t, body, J, [&](int j) { return pointColumn(t, ws, r, j); });
}
template <class T>
void rotationalJacobian(const Topology& t, const Workspace<T>& ws, int body, T* J) {
  jacobian_detail::dense(t, body, J, [&](int j) { return column(t, ws, j).w; });
}
template <class T>
void pointJacobianRate(const Topology& t, const Workspace<T>& ws, const T* u, int body,
                       const Vec3<T>& r, T* J) {
  jacobian_detail::dense(t, body, J, [&](int j) { return pointColumnRate(t, ws, u, body, r, j); });
}
template <class T>
void rotationalJacobianRate(const Topology& t, const Workspace<T>& ws, const T* u, int body, T* J) {
  jacobian_detail::dense(t, body, J, [&](int j) { return columnRate(t, ws, u, j).w; });
}

}  // namespace espalier

/// For the translation units of every instruction-set level.
#define ESPALIER_INSTANTIATE_JACOBIAN(T)                                                         \
  template Motion<T> columnRate<T>(const Topology&, const Workspace<T>&, const T*, int);         \
  template void pointJacobian<T>(const Topology&, const Workspace<T>&, int, const Vec3<T>&, T*); \
  template void rotationalJacobian<T>(const Topology&, const Workspace<T>&, int, T*);            \
  template void pointJacobianRate<T>(const Topology&, const Workspace<T>&, const T*, int,        \
                                     const Vec3<T>&, T*);                                        \
  template void rotationalJacobianRate<T>(const Topology&, const Workspace<T>&, const T*, int, T*);
