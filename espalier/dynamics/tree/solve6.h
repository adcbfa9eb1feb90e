#pragma once

#include "espalier/spatial/inertia.h"

namespace espalier {

/// a with A a = f, A symmetric positive definite 6x6, by an unrolled LDL' (no pivoting).
template <class T>
ESPALIER_INLINE Motion<T> solve6(const ArticulatedInertia<T>& A, const Force<T>& f) {
  T a[6][6];
  a[0][0] = A.I.xx;
  a[1][0] = A.I.xy, a[1][1] = A.I.yy;
  a[2][0] = A.I.xz, a[2][1] = A.I.yz, a[2][2] = A.I.zz;
  a[3][0] = A.H.r0.x, a[3][1] = A.H.r1.x, a[3][2] = A.H.r2.x;
  a[4][0] = A.H.r0.y, a[4][1] = A.H.r1.y, a[4][2] = A.H.r2.y;
  a[5][0] = A.H.r0.z, a[5][1] = A.H.r1.z, a[5][2] = A.H.r2.z;
  a[3][3] = A.M.xx;
  a[4][3] = A.M.xy, a[4][4] = A.M.yy;
  a[5][3] = A.M.xz, a[5][4] = A.M.yz, a[5][5] = A.M.zz;
  T x[6] = {f.n.x, f.n.y, f.n.z, f.f.x, f.f.y, f.f.z}, inverse[6];
  for (int j = 0; j < 6; ++j) {
    inverse[j] = T(value_t<T>(1)) / a[j][j];
    for (int i = j + 1; i < 6; ++i) {
      const T l = a[i][j] * inverse[j];
      for (int k = j + 1; k <= i; ++k) a[i][k] = fnma(l, a[k][j], a[i][k]);
      x[i] = fnma(l, x[j], x[i]);
    }
  }
  for (int j = 5; j >= 0; --j) {
    T sum = x[j];
    for (int i = j + 1; i < 6; ++i) sum = fnma(a[i][j], x[i], sum);
    x[j] = sum * inverse[j];
  }
  return {{x[0], x[1], x[2]}, {x[3], x[4], x[5]}};
}
/// The twist with which a rigid body has this momentum.
template <class T>
ESPALIER_INLINE Motion<T> solve6(const RigidInertia<T>& I, const Force<T>& momentum) {
  return solve6(articulated(I), momentum);
}

}  // namespace espalier
