#pragma once

// The three numbers that one dof has in a group's rows (t1, t2, n), and 3 x 3 blocks of them. In
// double they share a register of four, the last of which stays zero; lanes fill registers already.
// Every sum is fused as Vec3's, so that the bits are those of plain vectors.

#include "espalier/scalar/lanes.h"
#include "espalier/spatial/vec3.h"

namespace espalier::contact {

template <class T>
struct Column3 {
  Vec3<T> v{};

  Column3() = default;
  ESPALIER_INLINE Column3(const Vec3<T>& a) : v(a) {}
  ESPALIER_INLINE Vec3<T> vec3() const { return v; }
  ESPALIER_INLINE const T& x() const { return v.x; }
  ESPALIER_INLINE const T& y() const { return v.y; }
  ESPALIER_INLINE const T& z() const { return v.z; }

  friend ESPALIER_INLINE Column3 operator+(const Column3& a, const Column3& b) { return a.v + b.v; }
  friend ESPALIER_INLINE Column3 operator-(const Column3& a, const Column3& b) { return a.v - b.v; }
  friend ESPALIER_INLINE Column3 operator*(const Column3& a, const T& s) { return a.v * s; }
  /// Number by number.
  friend ESPALIER_INLINE Column3 scaled(const Column3& a, const Column3& s) {
    return Vec3<T>{a.v.x * s.v.x, a.v.y * s.v.y, a.v.z * s.v.z};
  }
  /// a s + b
  friend ESPALIER_INLINE Column3 madd(const Column3& a, const T& s, const Column3& b) {
    return espalier::madd(a.v, s, b.v);
  }
  /// b - a s
  friend ESPALIER_INLINE Column3 nmadd(const Column3& a, const T& s, const Column3& b) {
    return espalier::nmadd(a.v, s, b.v);
  }
};

template <>
struct Column3<double> {
  using Four = Lanes<double, 4>;
  Four v{Four::Vector{}};

  Column3() = default;
  ESPALIER_INLINE Column3(Four a) : v(a) {}
  ESPALIER_INLINE Column3(const Vec3d& a) : v(Four::Vector{a.x, a.y, a.z, 0}) {}
  ESPALIER_INLINE Vec3d vec3() const { return {v.v[0], v.v[1], v.v[2]}; }
  ESPALIER_INLINE double x() const { return v.v[0]; }
  ESPALIER_INLINE double y() const { return v.v[1]; }
  ESPALIER_INLINE double z() const { return v.v[2]; }

  friend ESPALIER_INLINE Column3 operator+(const Column3& a, const Column3& b) { return a.v + b.v; }
  friend ESPALIER_INLINE Column3 operator-(const Column3& a, const Column3& b) { return a.v - b.v; }
  friend ESPALIER_INLINE Column3 operator*(const Column3& a, double s) { return a.v * Four(s); }
  friend ESPALIER_INLINE Column3 scaled(const Column3& a, const Column3& s) { return a.v * s.v; }
  friend ESPALIER_INLINE Column3 madd(const Column3& a, double s, const Column3& b) {
    return fma(a.v, Four(s), b.v);
  }
  friend ESPALIER_INLINE Column3 nmadd(const Column3& a, double s, const Column3& b) {
    return fnma(a.v, Four(s), b.v);
  }
};

/// A 3 x 3 block by its rows.
template <class T>
struct Block {
  Column3<T> r0, r1, r2;

  Block() = default;
  ESPALIER_INLINE Block(const Column3<T>& a, const Column3<T>& b, const Column3<T>& c)
      : r0(a), r1(b), r2(c) {}
  ESPALIER_INLINE Block(const Mat3<T>& m) : r0(m.r0), r1(m.r1), r2(m.r2) {}
  ESPALIER_INLINE Mat3<T> mat3() const { return {r0.vec3(), r1.vec3(), r2.vec3()}; }
};

template <class T>
ESPALIER_INLINE Block<T> operator+(const Block<T>& a, const Block<T>& b) {
  return {a.r0 + b.r0, a.r1 + b.r1, a.r2 + b.r2};
}
template <class T>
ESPALIER_INLINE Block<T> transpose(const Block<T>& a) {
  return transpose(a.mat3());
}
/// A' v, for v by its numbers
template <class T>
ESPALIER_INLINE Column3<T> tmul(const Block<T>& a, const Same<T>& x, const Same<T>& y,
                                const Same<T>& z) {
  return madd(a.r2, z, madd(a.r1, y, a.r0 * x));
}
template <class T>
ESPALIER_INLINE Column3<T> tmul(const Block<T>& a, const Vec3<T>& v) {
  return tmul(a, v.x, v.y, v.z);
}
template <class T>
ESPALIER_INLINE Column3<T> tmul(const Block<T>& a, const Column3<T>& v) {
  return tmul(a, v.x(), v.y(), v.z());
}
/// A B
template <class T>
ESPALIER_INLINE Block<T> mul(const Block<T>& a, const Block<T>& b) {
  return {tmul(b, a.r0), tmul(b, a.r1), tmul(b, a.r2)};
}
/// A - L B
template <class T>
ESPALIER_INLINE Block<T> minusProduct(const Block<T>& a, const Block<T>& l, const Block<T>& b) {
  const auto row = [&](const Column3<T>& x, const Column3<T>& y) {
    return nmadd(b.r2, y.z(), nmadd(b.r1, y.y(), nmadd(b.r0, y.x(), x)));
  };
  return {row(a.r0, l.r0), row(a.r1, l.r1), row(a.r2, l.r2)};
}

}  // namespace espalier::contact
