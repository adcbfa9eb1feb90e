#pragma once

// Column of dof j at the point r:  S_j.v + S_j.w x r, and S_j.w for the rotation.
// Its rate, with dS_j/dt = V_carrier x S_j and r' = V.v + V.w x r:
//   S_j'.v + S_j'.w x r + S_j.w x r'

#include "espalier/dynamics/jacobian.h"
#include "espalier/model/joints/dispatch.h"

namespace espalier {

namespace jacobian_detail {

template <class T>
ESPALIER_INLINE void put(const Topology& t, T* J, int dof, const Vec3<T>& column) {
  J[dof] = column.x;
  J[t.nv + dof] = column.y;
  J[2 * t.nv + dof] = column.z;
}

/// Twist of what carries the column of a dof: the parent and the joint's own earlier columns.
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

}  // namespace jacobian_detail

template <class T>
void pointJacobian(const Topology& t, const Workspace<T>& ws, int body, const Vec3<T>& r, T* J) {
  for (int j = t.lastDof(body); j >= 0; j = t.dofParent[j])
    jacobian_detail::put(t, J, j, velocityAt(column(t, ws, j), r));
}

template <class T>
void rotationalJacobian(const Topology& t, const Workspace<T>& ws, int body, T* J) {
  for (int j = t.lastDof(body); j >= 0; j = t.dofParent[j])
    jacobian_detail::put(t, J, j, column(t, ws, j).w);
}

template <class T>
void pointJacobianRate(const Topology& t, const Workspace<T>& ws, const T* u, int body,
                       const Vec3<T>& r, T* J) {
  const Vec3<T> rRate = velocityAt(ws.V[body], r);
  for (int j = t.lastDof(body); j >= 0; j = t.dofParent[j]) {
    const Motion<T> S = column(t, ws, j);
    const Motion<T> rate = crossMotion(jacobian_detail::carrier(t, ws, u, j), S);
    jacobian_detail::put(t, J, j, velocityAt(rate, r) + cross(S.w, rRate));
  }
}

template <class T>
void rotationalJacobianRate(const Topology& t, const Workspace<T>& ws, const T* u, int body, T* J) {
  for (int j = t.lastDof(body); j >= 0; j = t.dofParent[j]) {
    const Motion<T> S = column(t, ws, j);
    jacobian_detail::put(t, J, j, crossMotion(jacobian_detail::carrier(t, ws, u, j), S).w);
  }
}

}  // namespace espalier

/// For the translation units of every instruction-set level.
#define ESPALIER_INSTANTIATE_JACOBIAN(T)                                                         \
  template void pointJacobian<T>(const Topology&, const Workspace<T>&, int, const Vec3<T>&, T*); \
  template void rotationalJacobian<T>(const Topology&, const Workspace<T>&, int, T*);            \
  template void pointJacobianRate<T>(const Topology&, const Workspace<T>&, const T*, int,        \
                                     const Vec3<T>&, T*);                                        \
  template void rotationalJacobianRate<T>(const Topology&, const Workspace<T>&, const T*, int, T*);
