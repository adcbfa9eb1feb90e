#pragma once

// Vectors and matrices of R^3 as plain structs of T; every product is fused explicitly, so that
// scalar and lanes give the same bits (docs/architecture.md, "Determinism").

#include "espalier/scalar/scalar.h"

namespace espalier {

template <class T>
struct Vec3 {
  T x, y, z;
};

/// Rows of a 3x3 matrix.
template <class T>
struct Mat3 {
  Vec3<T> r0, r1, r2;
};

/// A symmetric 3x3 matrix by its six numbers.
template <class T>
struct Sym3 {
  T xx, xy, xz, yy, yz, zz;
};

using Vec3d = Vec3<double>;
using Mat3d = Mat3<double>;

/// Keeps a factor out of template deduction.
template <class T>
using Same = std::type_identity_t<T>;

// ---- vectors

template <class T>
ESPALIER_INLINE Vec3<T> zero3() {
  const T o = T(value_t<T>(0));
  return {o, o, o};
}
template <class T>
ESPALIER_INLINE Vec3<T> operator+(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
ESPALIER_INLINE Vec3<T> operator-(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
ESPALIER_INLINE Vec3<T> operator-(const Vec3<T>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class T>
ESPALIER_INLINE Vec3<T> operator*(const Vec3<T>& a, const Same<T>& s) {
  return {a.x * s, a.y * s, a.z * s};
}
template <class T>
ESPALIER_INLINE Vec3<T>& operator+=(Vec3<T>& a, const Vec3<T>& b) {
  a.x += b.x;
  a.y += b.y;
  a.z += b.z;
  return a;
}
template <class T>
ESPALIER_INLINE Vec3<T>& operator-=(Vec3<T>& a, const Vec3<T>& b) {
  a.x -= b.x;
  a.y -= b.y;
  a.z -= b.z;
  return a;
}
/// a s + b
template <class T>
ESPALIER_INLINE Vec3<T> madd(const Vec3<T>& a, const Same<T>& s, const Vec3<T>& b) {
  return {fma(a.x, s, b.x), fma(a.y, s, b.y), fma(a.z, s, b.z)};
}
/// b - a s
template <class T>
ESPALIER_INLINE Vec3<T> nmadd(const Vec3<T>& a, const Same<T>& s, const Vec3<T>& b) {
  return {fnma(a.x, s, b.x), fnma(a.y, s, b.y), fnma(a.z, s, b.z)};
}
template <class T>
ESPALIER_INLINE T dot(const Vec3<T>& a, const Vec3<T>& b) {
  return fma(a.z, b.z, fma(a.y, b.y, a.x * b.x));
}
template <class T>
ESPALIER_INLINE Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {fnma(a.z, b.y, a.y * b.z), fnma(a.x, b.z, a.z * b.x), fnma(a.y, b.x, a.x * b.y)};
}
template <class T>
ESPALIER_INLINE T norm(const Vec3<T>& a) {
  return sqrt(dot(a, a));
}

/// a, copied number by number: gcc copies in wider pieces, and those wait for numbers that were
/// stored one by one just before.
template <class T>
ESPALIER_INLINE Vec3<T> byNumbers(const Vec3<T>& a) {
  return {a.x, a.y, a.z};
}

/// The numbers one after another, without the detour of an array.
template <class T, class... Numbers>
ESPALIER_INLINE void put(T* to, const Numbers&... numbers) {
  ((*to++ = numbers), ...);
}

// ---- matrices

template <class T>
ESPALIER_INLINE Mat3<T> byNumbers(const Mat3<T>& a) {
  return {byNumbers(a.r0), byNumbers(a.r1), byNumbers(a.r2)};
}
template <class T>
ESPALIER_INLINE Mat3<T> identity3() {
  const T o = T(value_t<T>(0)), i = T(value_t<T>(1));
  return {{i, o, o}, {o, i, o}, {o, o, i}};
}
template <class T>
ESPALIER_INLINE Mat3<T> transpose(const Mat3<T>& a) {
  return {{a.r0.x, a.r1.x, a.r2.x}, {a.r0.y, a.r1.y, a.r2.y}, {a.r0.z, a.r1.z, a.r2.z}};
}
/// A v
template <class T>
ESPALIER_INLINE Vec3<T> mul(const Mat3<T>& a, const Vec3<T>& v) {
  return {dot(a.r0, v), dot(a.r1, v), dot(a.r2, v)};
}
/// A' v
template <class T>
ESPALIER_INLINE Vec3<T> tmul(const Mat3<T>& a, const Vec3<T>& v) {
  return madd(a.r2, v.z, madd(a.r1, v.y, a.r0 * v.x));
}
/// A B
template <class T>
ESPALIER_INLINE Mat3<T> mul(const Mat3<T>& a, const Mat3<T>& b) {
  return {tmul(b, a.r0), tmul(b, a.r1), tmul(b, a.r2)};
}
template <class T>
ESPALIER_INLINE Mat3<T>& operator+=(Mat3<T>& a, const Mat3<T>& b) {
  a.r0 += b.r0;
  a.r1 += b.r1;
  a.r2 += b.r2;
  return a;
}

template <class T>
ESPALIER_INLINE Vec3<T> columnX(const Mat3<T>& r) {
  return {r.r0.x, r.r1.x, r.r2.x};
}
template <class T>
ESPALIER_INLINE Vec3<T> columnY(const Mat3<T>& r) {
  return {r.r0.y, r.r1.y, r.r2.y};
}
template <class T>
ESPALIER_INLINE Vec3<T> columnZ(const Mat3<T>& r) {
  return {r.r0.z, r.r1.z, r.r2.z};
}

// ---- symmetric matrices

template <class T>
ESPALIER_INLINE Vec3<T> mul(const Sym3<T>& s, const Vec3<T>& v) {
  return {fma(s.xz, v.z, fma(s.xy, v.y, s.xx * v.x)), fma(s.yz, v.z, fma(s.yy, v.y, s.xy * v.x)),
          fma(s.zz, v.z, fma(s.yz, v.y, s.xz * v.x))};
}
template <class T>
ESPALIER_INLINE Sym3<T>& operator+=(Sym3<T>& a, const Sym3<T>& b) {
  a.xx += b.xx;
  a.xy += b.xy;
  a.xz += b.xz;
  a.yy += b.yy;
  a.yz += b.yz;
  a.zz += b.zz;
  return a;
}
/// E' S E: a symmetric tensor from the child's axes to the parent's, E child <- parent.
template <class T>
ESPALIER_INLINE Sym3<T> congruence(const Mat3<T>& e, const Sym3<T>& s) {
  const Vec3<T> a0 = madd(e.r2, s.xz, madd(e.r1, s.xy, e.r0 * s.xx));
  const Vec3<T> a1 = madd(e.r2, s.yz, madd(e.r1, s.yy, e.r0 * s.xy));
  const Vec3<T> a2 = madd(e.r2, s.zz, madd(e.r1, s.yz, e.r0 * s.xz));
  return {fma(e.r2.x, a2.x, fma(e.r1.x, a1.x, e.r0.x * a0.x)),
          fma(e.r2.x, a2.y, fma(e.r1.x, a1.y, e.r0.x * a0.y)),
          fma(e.r2.x, a2.z, fma(e.r1.x, a1.z, e.r0.x * a0.z)),
          fma(e.r2.y, a2.y, fma(e.r1.y, a1.y, e.r0.y * a0.y)),
          fma(e.r2.y, a2.z, fma(e.r1.y, a1.z, e.r0.y * a0.z)),
          fma(e.r2.z, a2.z, fma(e.r1.z, a1.z, e.r0.z * a0.z))};
}

// ---- parameters to scalars

template <class T, class P>
ESPALIER_INLINE Vec3<T> bc(const Vec3<P>& a) {
  return {bc<T>(a.x), bc<T>(a.y), bc<T>(a.z)};
}
template <class T, class P>
ESPALIER_INLINE Mat3<T> bc(const Mat3<P>& a) {
  return {bc<T>(a.r0), bc<T>(a.r1), bc<T>(a.r2)};
}
template <class T, class P>
ESPALIER_INLINE Sym3<T> bc(const Sym3<P>& a) {
  return {bc<T>(a.xx), bc<T>(a.xy), bc<T>(a.xz), bc<T>(a.yy), bc<T>(a.yz), bc<T>(a.zz)};
}

}  // namespace espalier
