#pragma once

// Inertias about the frame's origin (Featherstone 2008, 2.13 and 7.2).
//   RigidInertia {m, h, I}         mass, h = m c, rotational inertia about the origin
//   ArticulatedInertia {M, H, I}   f = M v + H' w,  n = I w + H v

#include "espalier/spatial/motion.h"

namespace espalier {

template <class T>
struct RigidInertia {
  T m;
  Vec3<T> h;
  Sym3<T> I;
};

template <class T>
struct ArticulatedInertia {
  Sym3<T> M;
  Mat3<T> H;
  Sym3<T> I;
};

/// A rigid inertia about the parent's origin, in its axes (E and p as in toParent of a wrench).
template <class T>
ESPALIER_INLINE RigidInertia<T> toParent(const Mat3<T>& e, const Vec3<T>& p,
                                         const RigidInertia<T>& b) {
  // h_P = R h + m p;  I_P = R I R' - [p][R h] - [h_P][p]
  const Vec3<T> h = tmul(e, b.h);
  const Vec3<T> hp = madd(p, b.m, h);
  Sym3<T> i = congruence(e, b.I);
  const T d = dot(p, h) + dot(hp, p);
  i.xx += fnma(p.x, hp.x, fnma(h.x, p.x, d));
  i.yy += fnma(p.y, hp.y, fnma(h.y, p.y, d));
  i.zz += fnma(p.z, hp.z, fnma(h.z, p.z, d));
  i.xy -= fma(p.x, hp.y, h.x * p.y);
  i.xz -= fma(p.x, hp.z, h.x * p.z);
  i.yz -= fma(p.y, hp.z, h.y * p.z);
  return {b.m, hp, i};
}

template <class T>
ESPALIER_INLINE RigidInertia<T>& operator+=(RigidInertia<T>& a, const RigidInertia<T>& b) {
  a.m += b.m;
  a.h += b.h;
  a.I += b.I;
  return a;
}
/// Momentum of a rigid body, or the wrench of an acceleration.
template <class T>
ESPALIER_INLINE Force<T> mul(const RigidInertia<T>& b, const Motion<T>& a) {
  const Vec3<T> d = cross(b.h, a.w);
  return {mul(b.I, a.w) + cross(b.h, a.v),
          {fma(b.m, a.v.x, -d.x), fma(b.m, a.v.y, -d.y), fma(b.m, a.v.z, -d.z)}};
}
template <class T>
ESPALIER_INLINE Force<T> mul(const ArticulatedInertia<T>& a, const Motion<T>& m) {
  return {mul(a.I, m.w) + mul(a.H, m.v), mul(a.M, m.v) + tmul(a.H, m.w)};
}
template <class T>
ESPALIER_INLINE ArticulatedInertia<T> articulated(const RigidInertia<T>& b) {
  const T o = T(value_t<T>(0));
  return {
      {b.m, o, o, b.m, o, b.m}, {{o, -b.h.z, b.h.y}, {b.h.z, o, -b.h.x}, {-b.h.y, b.h.x, o}}, b.I};
}
template <class T>
ESPALIER_INLINE ArticulatedInertia<T>& operator+=(ArticulatedInertia<T>& a,
                                                  const ArticulatedInertia<T>& b) {
  a.M += b.M;
  a.H += b.H;
  a.I += b.I;
  return a;
}
template <class T>
ESPALIER_INLINE ArticulatedInertia<T>& operator+=(ArticulatedInertia<T>& a,
                                                  const RigidInertia<T>& b) {
  a.M.xx += b.m;
  a.M.yy += b.m;
  a.M.zz += b.m;
  a.I += b.I;
  a.H.r0.y -= b.h.z;
  a.H.r0.z += b.h.y;
  a.H.r1.x += b.h.z;
  a.H.r1.z -= b.h.x;
  a.H.r2.x -= b.h.y;
  a.H.r2.y += b.h.x;
  return a;
}
/// The same inertia about the parent's origin, axes unchanged; p = this origin in the parent.
template <class T>
ESPALIER_INLINE void shift(ArticulatedInertia<T>& a, const Vec3<T>& p) {
  // H_P = H + [p] M;  I_P = I - H [p] + [p] H_P'
  const Vec3<T> cx = cross(p, Vec3<T>{a.M.xx, a.M.xy, a.M.xz});
  const Vec3<T> cy = cross(p, Vec3<T>{a.M.xy, a.M.yy, a.M.yz});
  const Vec3<T> cz = cross(p, Vec3<T>{a.M.xz, a.M.yz, a.M.zz});
  const Mat3<T> hp{{a.H.r0.x + cx.x, a.H.r0.y + cy.x, a.H.r0.z + cz.x},
                   {a.H.r1.x + cx.y, a.H.r1.y + cy.y, a.H.r1.z + cz.y},
                   {a.H.r2.x + cx.z, a.H.r2.y + cy.z, a.H.r2.z + cz.z}};
  const Vec3<T> h0 = cross(a.H.r0, p), h1 = cross(a.H.r1, p), h2 = cross(a.H.r2, p);
  const Vec3<T> k0 = cross(p, hp.r0), k1 = cross(p, hp.r1), k2 = cross(p, hp.r2);
  a.I.xx += k0.x - h0.x;
  a.I.xy += k1.x - h0.y;
  a.I.xz += k2.x - h0.z;
  a.I.yy += k1.y - h1.y;
  a.I.yz += k2.y - h1.z;
  a.I.zz += k2.z - h2.z;
  a.H = hp;
}

template <class T, class P>
ESPALIER_INLINE RigidInertia<T> bc(const RigidInertia<P>& a) {
  return {bc<T>(a.m), bc<T>(a.h), bc<T>(a.I)};
}

}  // namespace espalier
