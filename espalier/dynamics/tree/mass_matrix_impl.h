#pragma once

// Ic = inertia of the subtree;  F_k = Ic S_k;  M_kl = S_l' F_k for every ancestor dof l of k;
// and the terms of geared rotors (rotors.h).

#include "espalier/dynamics/tree/mass_matrix.h"
#include "espalier/dynamics/tree/rotors.h"

namespace espalier {

namespace mass_matrix_detail {

/// A floating base's own six rows, from its composite inertia:
///   [f; n] = [m 1, -[h]; [h], I] [v; w], lower triangle.
template <class T>
ESPALIER_INLINE void baseRows(const RigidInertia<T>& I, T* H) {
  const T o = T(value_t<T>(0));
  put(H,                                 //
      I.m,                               //
      o, I.m,                            //
      o, o, I.m,                         //
      o, -I.h.z, I.h.y, I.I.xx,          //
      I.h.z, o, -I.h.x, I.I.xy, I.I.yy,  //
      -I.h.y, I.h.x, o, I.I.xz, I.I.yz, I.I.zz);
}

/// Rows of K dofs of a body's joint, from its dof `from` on, which meet each ancestor together.
template <int K, class T, class P>
ESPALIER_INLINE void rowsOf(const Topology& t, const Lowered<P>& par, const BodyTopology& b,
                            const RigidInertia<T>& Ic, Workspace<T>& ws, int from = 0) {
  const int first = t.floating ? 6 : 0, top = b.u + from;
  const int depth = t.dofDepth[top];
  T* row[K];
  Force<T> F[K];
  for (int k = 0; k < K; ++k) {
    const int dof = top + k;
    row[k] = &ws.H[t.row[dof]];
    F[k] = mul(Ic, ws.S[dof]);
    row[k][depth + k] = dot(ws.S[dof], F[k]) + bc<T>(par.armature[dof]);
    if (par.hasRotors)
      F[k].n = madd(rotors::alongAxis(b.kind, ws.S[dof]), bc<T>(par.spin[dof]), F[k].n);
    for (int j = 0; j < k; ++j) row[k][depth + j] = dot(ws.S[top + j], F[k]);
  }
  int d = depth;
  for (int l = t.dofParent[top]; l >= first; l = t.dofParent[l]) {
    --d;
    for (int k = 0; k < K; ++k) row[k][d] = dot(ws.S[l], F[k]);
  }
  if (!t.floating) return;
  for (int k = 0; k < K; ++k)
    put(row[k], F[k].f.x, F[k].f.y, F[k].f.z, F[k].n.x, F[k].n.y, F[k].n.z);
}

}  // namespace mass_matrix_detail

template <class T, class P>
void massMatrix(const Topology& t, const Lowered<P>& par, Workspace<T>& ws) {
  for (int i = 0; i < t.nb; ++i) ws.Ic[i] = ws.Ib[i];
  for (int i = t.nb - 1; i > 0; --i) {
    const BodyTopology& b = t.bodies[i];
    const RigidInertia<T> Ic = ws.Ic[i];
    if (b.parent > 0 || t.floating) ws.Ic[b.parent] += Ic;
    using mass_matrix_detail::rowsOf;
    if (b.nv == 1)
      rowsOf<1>(t, par, b, Ic, ws);
    else if (b.nv == 3)
      rowsOf<3>(t, par, b, Ic, ws);
    else
      for (int k = 0; k < b.nv; ++k) rowsOf<1>(t, par, b, Ic, ws, k);
  }
  if (t.floating) mass_matrix_detail::baseRows(ws.Ic[0], ws.H.data());
  rotors::addGeared(t, par, ws.H.data());
}

template <class T>
void unpack(const Topology& t, const T* packed, T* dense) {
  for (int i = 0; i < t.nv * t.nv; ++i) dense[i] = T(value_t<T>(0));
  for (int k = 0; k < t.nv; ++k) {
    int l = k;
    for (int d = t.dofDepth[k]; d >= 0; --d, l = t.dofParent[l])
      dense[k * t.nv + l] = dense[l * t.nv + k] = packed[t.row[k] + d];
  }
}

template <class T>
void multiply(const Topology& t, const T* packed, const T* x, T* y) {
  for (int k = 0; k < t.nv; ++k) y[k] = T(value_t<T>(0));
  for (int k = 0; k < t.nv; ++k) {
    const T* row = packed + t.row[k];
    T sum = row[t.dofDepth[k]] * x[k];
    int l = t.dofParent[k];
    for (int d = t.dofDepth[k] - 1; d >= 0; --d, l = t.dofParent[l]) {
      sum = fma(row[d], x[l], sum);
      y[l] = fma(row[d], x[k], y[l]);
    }
    y[k] += sum;
  }
}

}  // namespace espalier

/// For the translation units of every instruction-set level.
#define ESPALIER_INSTANTIATE_MASS_MATRIX(T)                                                \
  template void massMatrix<T>(const Topology&, const Lowered<value_t<T>>&, Workspace<T>&); \
  template void unpack<T>(const Topology&, const T*, T*);                                  \
  template void multiply<T>(const Topology&, const T*, const T*, T*);
