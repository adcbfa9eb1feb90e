#pragma once

// The equations of a loop, one table for all kinds. Frames A and B, axes x y z of each; d = p_B -
// p_A; relative motion of B as seen from A. All vectors in one common frame.
//
//   point row   e . d           e an axis of A
//   turn row    a . b           a an axis of A, b one of B: zero where they are across
//   screw row   z . d - pitch theta,  sin and cos of theta = x_A . x_B, y_A . x_B
//
// Each has a wrench W with d/dt phi = W . (V_b - V_a), V the twists about the common origin, and a
// second derivative W . (A_b - A_a) + (terms in the velocities alone), A the accelerations.
// Turn rows are also zero half a turn away: hasFlipped() tells.

#include <cmath>
#include <span>

#include "espalier/model/loops/mechanism.h"
#include "espalier/scalar/sincos.h"
#include "espalier/spatial/motion.h"

namespace espalier {

struct RowKind {
  enum class Form { POINT, TURN, SCREW } form;
  int a, b;  // axes: 0 x, 1 y, 2 z; b = 3: axis2
};

/// The rows of each kind: the only place where it is said. Inlined wherever it stands, so that no
/// code for wide registers is shared (scripts/check_isa.py).
ESPALIER_INLINE std::span<const RowKind> rowTable(LoopKind kind) {
  using Form = RowKind::Form;
  static constexpr RowKind x{Form::POINT, 0, 0}, y{Form::POINT, 1, 0}, z{Form::POINT, 2, 0},
      xz{Form::TURN, 0, 2}, yz{Form::TURN, 1, 2}, yx{Form::TURN, 1, 0}, z2{Form::TURN, 2, 3},
      screw{Form::SCREW, 2, 0};
  static constexpr RowKind point[] = {x, y, z}, fixed[] = {x, y, z, xz, yz, yx},
                           revolute[] = {x, y, z, xz, yz}, prismatic[] = {x, y, xz, yz, yx},
                           cylindrical[] = {x, y, xz, yz}, universal[] = {x, y, z, z2},
                           planar[] = {z, xz, yz}, screwed[] = {x, y, xz, yz, screw};
  switch (kind) {
    case LoopKind::POINT: return point;
    case LoopKind::FIXED: return fixed;
    case LoopKind::REVOLUTE: return revolute;
    case LoopKind::PRISMATIC: return prismatic;
    case LoopKind::CYLINDRICAL: return cylindrical;
    case LoopKind::UNIVERSAL: return universal;
    case LoopKind::PLANAR: return planar;
    case LoopKind::SCREW: return screwed;
  }
  return {};
}

/// Both frames of a closure in the common frame.
template <class T>
struct LoopFrames {
  Mat3<T> A, B;  // columns are the axes
  Vec3<T> p, d;  // p_B, and p_B - p_A
  Vec3<T> axis2;
};

template <class T>
ESPALIER_INLINE Vec3<T> axisOf(const Mat3<T>& R, int k) {
  return k == 0 ? columnX(R) : (k == 1 ? columnY(R) : columnZ(R));
}

/// From the poses of the two bodies (C's axes and origin).
template <class T>
inline LoopFrames<T> framesOf(const Closure& c, const Mat3<T>& Ra, const Vec3<T>& xa,
                              const Mat3<T>& Rb, const Vec3<T>& xb) {
  LoopFrames<T> f;
  f.A = mul(Ra, bc<T>(c.X_CA.R));
  f.B = mul(Rb, bc<T>(c.X_CB.R));
  f.p = xb + mul(Rb, bc<T>(c.X_CB.p));
  f.d = f.p - xa - mul(Ra, bc<T>(c.X_CA.p));
  f.axis2 = mul(f.B, bc<T>(c.axis2));
  return f;
}

/// sin and cos of the angle by which a screw is ahead of its travel; both frames share z.
template <class T>
inline void screwAngle(const Closure& c, const LoopFrames<T>& f, T& s, T& co) {
  const T travel = dot(columnZ(f.A), f.d) * bc<T>(1 / c.pitch);
  T st, ct;
  sincos(travel, st, ct);
  const T x = dot(columnX(f.A), columnX(f.B)), y = dot(columnY(f.A), columnX(f.B));
  s = fnma(ct, y, st * x);
  co = fma(st, y, ct * x);
}

/// phi and W of one row.
template <class T>
inline T rowOf(const Closure& c, const RowKind& row, const LoopFrames<T>& f, Force<T>& W) {
  const Vec3<T> a = axisOf(f.A, row.a);
  if (row.form == RowKind::Form::TURN) {
    const Vec3<T> b = row.b == 3 ? f.axis2 : axisOf(f.B, row.b);
    W = {cross(b, a), zero3<T>()};
    return dot(a, b);
  }
  W = {cross(f.p, a), a};
  if (row.form == RowKind::Form::POINT) return dot(a, f.d);
  T s, co;
  screwAngle(c, f, s, co);
  W.n -= a * bc<T>(c.pitch);
  return bc<T>(c.pitch) * s;
}

/// Whether axes that must agree point apart: turn rows alone cannot tell.
template <class T>
inline bool hasFlipped(const Closure& c, const LoopFrames<T>& f) {
  const bool z = c.kind != LoopKind::POINT && c.kind != LoopKind::UNIVERSAL;
  const bool x = c.kind == LoopKind::FIXED || c.kind == LoopKind::PRISMATIC;
  T s = T(0), co = T(1);
  if (c.kind == LoopKind::SCREW) screwAngle(c, f, s, co);
  return (z && dot(columnZ(f.A), columnZ(f.B)) < 0) || (x && dot(columnX(f.A), columnX(f.B)) < 0) ||
         co < 0;
}

/// A turn row as an angle, whose only zero is where the axes agree: for starts far away. The angle
/// vector that turns A's axes onto B's, or z onto z where turning about z is free; W to first order.
///   in  index  the axis of A about which the angle is: x, y, z
template <class T>
inline T angleOf(const Closure& c, int index, const LoopFrames<T>& f, Force<T>& W) {
  const bool isWhole = c.kind == LoopKind::FIXED || c.kind == LoopKind::PRISMATIC;
  Vec3<T> e;
  if (isWhole) {
    const Mat3<T> Q = mul(f.B, transpose(f.A));
    const Vec3<T> s{Q.r2.y - Q.r1.z, Q.r0.z - Q.r2.x, Q.r1.x - Q.r0.y};
    const T sine = norm(s), cosine = Q.r0.x + Q.r1.y + Q.r2.z - T(1);
    e = sine > T(1e-9) ? s * (std::atan2(sine, cosine) / sine)
                       : (cosine > T(0) ? s * T(0.5) : columnX(f.A) * T(3));
  } else {
    const Vec3<T> s = cross(columnZ(f.A), columnZ(f.B));
    const T sine = norm(s), cosine = dot(columnZ(f.A), columnZ(f.B));
    e = sine > T(1e-9) ? s * (std::atan2(sine, cosine) / sine)
                       : (cosine > T(0) ? s : columnX(f.A) * T(3));
  }
  const Vec3<T> a = axisOf(f.A, index);
  W = {a, zero3<T>()};
  return dot(a, e);
}

/// phi'' - W . (A_b - A_a) at closed loops: the velocity-product term, a function of the twists.
template <class T>
inline T velocityTerm(const RowKind& row, const LoopFrames<T>& f, const Motion<T>& Va,
                      const Motion<T>& Vb) {
  const Vec3<T> w = Vb.w - Va.w, a = axisOf(f.A, row.a);
  if (row.form == RowKind::Form::TURN) {
    const Vec3<T> b = row.b == 3 ? f.axis2 : axisOf(f.B, row.b);
    return dot(a, cross(w, cross(w, b)) - cross(cross(Va.w, Vb.w), b));
  }
  const Vec3<T> va = Va.v + cross(Va.w, f.p), vb = Vb.v + cross(Vb.w, f.p), v = vb - va;
  const Vec3<T> sum = cross(Vb.w, vb) - cross(Va.w, va) - cross(Va.w, v) * bc<T>(2.0);
  return dot(a, sum);
}

}  // namespace espalier
