#pragma once

// Rotations: quaternions w, x, y, z (body to parent), matrices R_PB, and the exponential map.

#include "espalier/scalar/sincos.h"
#include "espalier/spatial/vec3.h"

namespace espalier {

template <class T>
struct Quat {
  T w, x, y, z;
};

template <class T>
ESPALIER_INLINE Quat<T> operator*(const Quat<T>& a, const Quat<T>& b) {
  return {fnma(a.z, b.z, fnma(a.y, b.y, fnma(a.x, b.x, a.w * b.w))),
          fnma(a.z, b.y, fma(a.y, b.z, fma(a.x, b.w, a.w * b.x))),
          fma(a.z, b.x, fma(a.y, b.w, fnma(a.x, b.z, a.w * b.y))),
          fma(a.z, b.w, fnma(a.y, b.x, fma(a.x, b.y, a.w * b.z)))};
}
template <class T>
ESPALIER_INLINE Quat<T> conjugate(const Quat<T>& q) {
  return {q.w, -q.x, -q.y, -q.z};
}
template <class T>
ESPALIER_INLINE Quat<T> normalized(const Quat<T>& q) {
  const T n2 = fma(q.z, q.z, fma(q.y, q.y, fma(q.x, q.x, q.w * q.w)));
  const T inverse = T(value_t<T>(1)) / sqrt(n2);
  return {q.w * inverse, q.x * inverse, q.y * inverse, q.z * inverse};
}

/// R_PB of a unit quaternion body to parent.
template <class T>
ESPALIER_INLINE Mat3<T> rotation(const Quat<T>& q) {
  const T one = T(value_t<T>(1));
  const T x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
  const T xx = q.x * x2, yy = q.y * y2, zz = q.z * z2;
  return {{one - (yy + zz), fnma(q.w, z2, q.x * y2), fma(q.w, y2, q.x * z2)},
          {fma(q.w, z2, q.x * y2), one - (xx + zz), fnma(q.w, x2, q.y * z2)},
          {fnma(q.w, y2, q.x * z2), fma(q.w, x2, q.y * z2), one - (xx + yy)}};
}

/// exp of a rotation vector as a quaternion, smooth through zero:
///   w = cos(a/2), xyz = (sin(a/2) / a) v,   a = |v|
/// Below a^2 = 1e-4 the quotient is its Taylor series (error 1e-17).
template <class T>
ESPALIER_INLINE Quat<T> expQuat(const Vec3<T>& v) {
  using S = value_t<T>;
  const T a2 = dot(v, v), half = T(S(0.5));
  const mask_t<T> small = a2 < T(S(1e-4));
  const T a = sqrt(select(small, T(S(1)), a2));
  T s, c;
  sincos(a * half, s, c);
  const T series = fma(a2, fma(a2, T(S(1.0 / 3840.0)), T(S(-1.0 / 48.0))), half);
  const T cosSeries =
      fma(a2, fma(a2, fma(a2, T(S(-1.0 / 46080.0)), T(S(1.0 / 384.0))), T(S(-0.125))), T(S(1)));
  const T k = select(small, series, s / a);
  return {select(small, cosSeries, c), v.x * k, v.y * k, v.z * k};
}

/// Rotation about a unit axis (Rodrigues): R = c 1 + s [a] + (1 - c) a a'.
template <class T>
ESPALIER_INLINE Mat3<T> axisRotation(const Vec3<T>& a, const T& s, const T& c) {
  const T t = T(value_t<T>(1)) - c;
  const Vec3<T> at = a * t, as = a * s;
  return {{fma(at.x, a.x, c), fma(at.x, a.y, -as.z), fma(at.x, a.z, as.y)},
          {fma(at.x, a.y, as.z), fma(at.y, a.y, c), fma(at.y, a.z, -as.x)},
          {fma(at.x, a.z, -as.y), fma(at.y, a.z, as.x), fma(at.z, a.z, c)}};
}

// ---- double only: for importers, reports and setters

/// Unit quaternion of a rotation matrix (Shepperd 1978), w >= 0.
Quat<double> quaternion(const Mat3d& r);
/// Rotation vector of a unit quaternion, angle in [0, pi]; at pi the axis whose first non-zero
/// component is positive.
Vec3d logQuat(const Quat<double>& q);
/// R = Rz(yaw) Ry(pitch) Rx(roll), the URDF's rpy.
Mat3d rotationFromRpy(const Vec3d& rpy);
/// A rotation that maps e_z to the unit vector a, the identity where a is e_z.
Mat3d rotationToZ(const Vec3d& a);

}  // namespace espalier
