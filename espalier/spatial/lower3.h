#pragma once

// Lower triangular 3x3 matrices, the roots of symmetric ones: S = C C' (Cholesky).

#include "espalier/spatial/vec3.h"

namespace espalier {

template <class T>
struct Lower3 {
  T xx, yx, yy, zx, zy, zz;
};

/// C with C C' = s.
///   pre  s positive definite
template <class T>
ESPALIER_INLINE Lower3<T> root(const Sym3<T>& s) {
  Lower3<T> c;
  c.xx = sqrt(s.xx);
  const T inverse = bc<T>(1.0) / c.xx;
  c.yx = s.xy * inverse;
  c.zx = s.xz * inverse;
  c.yy = sqrt(fnma(c.yx, c.yx, s.yy));
  c.zy = fnma(c.zx, c.yx, s.yz) / c.yy;
  c.zz = sqrt(fnma(c.zy, c.zy, fnma(c.zx, c.zx, s.zz)));
  return c;
}
/// C v
template <class T>
ESPALIER_INLINE Vec3<T> mul(const Lower3<T>& c, const Vec3<T>& v) {
  return {c.xx * v.x, fma(c.yy, v.y, c.yx * v.x), fma(c.zz, v.z, fma(c.zy, v.y, c.zx * v.x))};
}
/// C' v
template <class T>
ESPALIER_INLINE Vec3<T> tmul(const Lower3<T>& c, const Vec3<T>& v) {
  return {fma(c.zx, v.z, fma(c.yx, v.y, c.xx * v.x)), fma(c.zy, v.z, c.yy * v.y), c.zz * v.z};
}

}  // namespace espalier
