#pragma once

// Spatial vectors, angular part first (Featherstone 2008, ch. 2).
//   Motion {w, v}   twist or acceleration: v is that of the body's point at the frame's origin
//   Force  {n, f}   wrench: moment n about the origin, force f

#include "espalier/spatial/vec3.h"

namespace espalier {

template <class T>
struct Motion {
  Vec3<T> w, v;
};
template <class T>
struct Force {
  Vec3<T> n, f;
};

/// Pose of frame B in frame A: p_A = R p_B + p.
template <class T>
struct Transform {
  Mat3<T> R;
  Vec3<T> p;
};
using Transformd = Transform<double>;

template <class T>
ESPALIER_INLINE Transform<T> identityTransform() {
  return {identity3<T>(), zero3<T>()};
}
template <class T>
ESPALIER_INLINE Transform<T> operator*(const Transform<T>& a, const Transform<T>& b) {
  return {mul(a.R, b.R), a.p + mul(a.R, b.p)};
}
template <class T>
ESPALIER_INLINE Vec3<T> operator*(const Transform<T>& a, const Vec3<T>& p) {
  return a.p + mul(a.R, p);
}
template <class T>
ESPALIER_INLINE Transform<T> inverse(const Transform<T>& a) {
  return {transpose(a.R), -tmul(a.R, a.p)};
}

template <class T>
ESPALIER_INLINE Motion<T> zeroMotion() {
  return {zero3<T>(), zero3<T>()};
}
template <class T>
ESPALIER_INLINE Force<T> zeroForce() {
  return {zero3<T>(), zero3<T>()};
}
template <class T>
ESPALIER_INLINE Motion<T> operator+(const Motion<T>& a, const Motion<T>& b) {
  return {a.w + b.w, a.v + b.v};
}
template <class T>
ESPALIER_INLINE Motion<T> operator-(const Motion<T>& a, const Motion<T>& b) {
  return {a.w - b.w, a.v - b.v};
}
template <class T>
ESPALIER_INLINE Motion<T>& operator+=(Motion<T>& a, const Motion<T>& b) {
  a.w += b.w;
  a.v += b.v;
  return a;
}
template <class T>
ESPALIER_INLINE Motion<T> operator*(const Motion<T>& a, const Same<T>& s) {
  return {a.w * s, a.v * s};
}
template <class T>
ESPALIER_INLINE Motion<T> madd(const Motion<T>& a, const Same<T>& s, const Motion<T>& b) {
  return {madd(a.w, s, b.w), madd(a.v, s, b.v)};
}
template <class T>
ESPALIER_INLINE Force<T> operator+(const Force<T>& a, const Force<T>& b) {
  return {a.n + b.n, a.f + b.f};
}
template <class T>
ESPALIER_INLINE Force<T> operator-(const Force<T>& a, const Force<T>& b) {
  return {a.n - b.n, a.f - b.f};
}
template <class T>
ESPALIER_INLINE Force<T>& operator+=(Force<T>& a, const Force<T>& b) {
  a.n += b.n;
  a.f += b.f;
  return a;
}
template <class T>
ESPALIER_INLINE Force<T>& operator-=(Force<T>& a, const Force<T>& b) {
  a.n -= b.n;
  a.f -= b.f;
  return a;
}
template <class T>
ESPALIER_INLINE Force<T> madd(const Force<T>& a, const Same<T>& s, const Force<T>& b) {
  return {madd(a.n, s, b.n), madd(a.f, s, b.f)};
}

/// Power of a wrench along a twist.
template <class T>
ESPALIER_INLINE T dot(const Motion<T>& m, const Force<T>& f) {
  return dot(m.v, f.f) + dot(m.w, f.n);
}
/// a x m, the rate of m carried by a.
template <class T>
ESPALIER_INLINE Motion<T> crossMotion(const Motion<T>& a, const Motion<T>& m) {
  return {cross(a.w, m.w), cross(a.w, m.v) + cross(a.v, m.w)};
}
/// a x* f, the rate of f carried by a.
template <class T>
ESPALIER_INLINE Force<T> crossForce(const Motion<T>& a, const Force<T>& f) {
  return {cross(a.w, f.n) + cross(a.v, f.f), cross(a.w, f.f)};
}

// Between a parent and a child frame: E = R_CP (child <- parent), p = the child's origin in the
// parent. Twists go down, wrenches come up.
template <class T>
ESPALIER_INLINE Motion<T> toChild(const Mat3<T>& e, const Vec3<T>& p, const Motion<T>& m) {
  return {mul(e, m.w), mul(e, m.v + cross(m.w, p))};
}
template <class T>
ESPALIER_INLINE Force<T> toParent(const Mat3<T>& e, const Vec3<T>& p, const Force<T>& f) {
  const Vec3<T> force = tmul(e, f.f);
  return {tmul(e, f.n) + cross(p, force), force};
}

template <class T, class P>
ESPALIER_INLINE Transform<T> bc(const Transform<P>& a) {
  return {bc<T>(a.R), bc<T>(a.p)};
}

}  // namespace espalier
