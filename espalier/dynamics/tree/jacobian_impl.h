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

template <class T>
Vec3<T> pointRate(const Topology& t, const Workspace<T>& ws, const T* u, int body, const Vec3<T>& r,
                  int dof) {
  const Motion<T> S = column(t, ws, dof);
  const Motion<T> rate = crossMotion(carrier(t, ws, u, dof), S);
  return velocityAt(rate, r) + cross(S.w, velocityAt(ws.V[body], r));
}
template <class T>
Vec3<T> rotationRate(const Topology& t, const Workspace<T>& ws, const T* u, int dof) {
  return crossMotion(carrier(t, ws, u, dof), column(t, ws, dof)).w;
}

/// columnOf(dof) of every ancestor dof of the body, into its place of a dense matrix.
template <class T, class ColumnOf>
void dense(const Topology& t, int body, T* J, ColumnOf&& columnOf) {
  for (int j = t.lastDof(body); j >= 0; j = t.dofParent[j]) put(t, J, j, columnOf(j));
}
/// The same as a list, root first.
template <class T, class ColumnOf>
int sparse(const Topology& t, int body, int* dofs, Vec3<T>* columns, ColumnOf&& columnOf) {
  const int last = t.lastDof(body), count = last < 0 ? 0 : t.dofDepth[last] + 1;
  int k = count;
  for (int j = last; j >= 0; j = t.dofParent[j]) {
    dofs[--k] = j;
    columns[k] = columnOf(j);
  }
  return count;
}

}  // namespace jacobian_detail

template <class T>
void pointJacobian(const Topology& t, const Workspace<T>& ws, int body, const Vec3<T>& r, T* J) {
  jacobian_detail::dense(t, body, J, [&](int j) { return velocityAt(column(t, ws, j), r); });
}
template <class T>
void rotationalJacobian(const Topology& t, const Workspace<T>& ws, int body, T* J) {
  jacobian_detail::dense(t, body, J, [&](int j) { return column(t, ws, j).w; });
}
template <class T>
void pointJacobianRate(const Topology& t, const Workspace<T>& ws, const T* u, int body,
                       const Vec3<T>& r, T* J) {
  jacobian_detail::dense(t, body, J,
                         [&](int j) { return jacobian_detail::pointRate(t, ws, u, body, r, j); });
}
template <class T>
void rotationalJacobianRate(const Topology& t, const Workspace<T>& ws, const T* u, int body, T* J) {
  jacobian_detail::dense(t, body, J,
                         [&](int j) { return jacobian_detail::rotationRate(t, ws, u, j); });
}

template <class T>
int sparsePointJacobian(const Topology& t, const Workspace<T>& ws, int body, const Vec3<T>& r,
                        int* dofs, Vec3<T>* columns) {
  return jacobian_detail::sparse(t, body, dofs, columns,
                                 [&](int j) { return velocityAt(column(t, ws, j), r); });
}
template <class T>
int sparseRotationalJacobian(const Topology& t, const Workspace<T>& ws, int body, int* dofs,
                             Vec3<T>* columns) {
  return jacobian_detail::sparse(t, body, dofs, columns, [&](int j) { return column(t, ws, j).w; });
}
template <class T>
int sparsePointJacobianRate(const Topology& t, const Workspace<T>& ws, const T* u, int body,
                            const Vec3<T>& r, int* dofs, Vec3<T>* columns) {
  return jacobian_detail::sparse(t, body, dofs, columns, [&](int j) {
    return jacobian_detail::pointRate(t, ws, u, body, r, j);
  });
}
template <class T>
int sparseRotationalJacobianRate(const Topology& t, const Workspace<T>& ws, const T* u, int body,
                                 int* dofs, Vec3<T>* columns) {
  return jacobian_detail::sparse(t, body, dofs, columns,
                                 [&](int j) { return jacobian_detail::rotationRate(t, ws, u, j); });
}

}  // namespace espalier

/// For the translation units of every instruction-set level.
#define ESPALIER_INSTANTIATE_JACOBIAN(T)                                                         \
  template void pointJacobian<T>(const Topology&, const Workspace<T>&, int, const Vec3<T>&, T*); \
  template void rotationalJacobian<T>(const Topology&, const Workspace<T>&, int, T*);            \
  template void pointJacobianRate<T>(const Topology&, const Workspace<T>&, const T*, int,        \
                                     const Vec3<T>&, T*);                                        \
  template void rotationalJacobianRate<T>(const Topology&, const Workspace<T>&, const T*, int,   \
                                          T*);                                                   \
  template int sparsePointJacobian<T>(const Topology&, const Workspace<T>&, int, const Vec3<T>&, \
                                      int*, Vec3<T>*);                                           \
  template int sparseRotationalJacobian<T>(const Topology&, const Workspace<T>&, int, int*,      \
                                           Vec3<T>*);                                            \
  template int sparsePointJacobianRate<T>(const Topology&, const Workspace<T>&, const T*, int,   \
                                          const Vec3<T>&, int*, Vec3<T>*);                       \
  template int sparseRotationalJacobianRate<T>(const Topology&, const Workspace<T>&, const T*,   \
                                               int, int*, Vec3<T>*);
