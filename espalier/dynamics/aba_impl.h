#pragma once

// Three passes in body frames, E = R_CP, p = p_PC:
//   out   V = X V_P + S u
//   in    IA = I + children,  pA = V x* I V + children
//         U = IA S,  D = S' U,  rest = tau - S' pA
//         Ia = IA - U U'/D,  pa = pA + Ia c + U rest/D,  both handed to the parent
//   out   a' = X a_P + c,  udot = (rest - U' a') / D,  a = a' + S udot
// A hinge or slider has S = e_z: U is a column of IA, Ia has a zero row and column there, and only
// what remains is computed. A joint of k dofs eliminates its columns one after the other.

#include "espalier/dynamics/aba.h"
#include "espalier/dynamics/solve6.h"
#include "espalier/model/joints/dispatch.h"

namespace espalier {

namespace aba_detail {

template <class J>
inline constexpr bool is_hinge = J::kind == JointKind::Revolute;
template <class J>
inline constexpr bool is_slider = J::kind == JointKind::Prismatic;

/// E and p of a hinge or slider from what pass one kept.
template <class J, class T, class P>
ESPALIER_INLINE void rebuild(const LoweredBody<P>& b, const T& s, const T& c, Mat3<T>& e,
                             Vec3<T>& p) {
  if constexpr (is_hinge<J>) {
    RevoluteJoint::poseOf(b, s, c, e, p);
  } else {
    PrismaticJoint::poseOf(b, s, e, p);
  }
}

/// V x S u for S = e_z.
template <class J, class T>
ESPALIER_INLINE Motion<T> carried(const Motion<T>& V, const T& u) {
  const T o = T(value_t<T>(0));
  if constexpr (is_hinge<J>)
    return {{V.w.y * u, -(V.w.x * u), o}, {V.v.y * u, -(V.v.x * u), o}};
  else
    return {{o, o, o}, {V.w.y * u, -(V.w.x * u), o}};
}

/// M - U.f U.f' / D
template <class T>
ESPALIER_INLINE Sym3<T> minusOuter(const Sym3<T>& m, const Vec3<T>& scaled, const Vec3<T>& u) {
  return {fnma(scaled.x, u.x, m.xx), fnma(scaled.x, u.y, m.xy), fnma(scaled.x, u.z, m.xz),
          fnma(scaled.y, u.y, m.yy), fnma(scaled.y, u.z, m.yz), fnma(scaled.z, u.z, m.zz)};
}
/// row - s u
template <class T>
ESPALIER_INLINE Mat3<T> minusOuter(const Mat3<T>& h, const Vec3<T>& scaled, const Vec3<T>& u) {
  return {nmadd(u, scaled.x, h.r0), nmadd(u, scaled.y, h.r1), nmadd(u, scaled.z, h.r2)};
}

/// The hinge's remainder: rows and columns about z of Ia are zero, so I keeps its 2x2 block and H
/// two rows. Returns Ia c and fills Ia in the parent's axes.
template <class T>
ESPALIER_INLINE Force<T> reduceHinge(const ArticulatedInertia<T>& A, const Force<T>& U,
                                     const Force<T>& Ud, const Motion<T>& c, const Mat3<T>& e,
                                     ArticulatedInertia<T>& X) {
  const T o = T(value_t<T>(0));
  const Sym3<T> M = minusOuter(A.M, Ud.f, U.f);
  const Vec3<T> h0 = nmadd(U.f, Ud.n.x, A.H.r0), h1 = nmadd(U.f, Ud.n.y, A.H.r1);
  const T xx = fnma(Ud.n.x, U.n.x, A.I.xx), xy = fnma(Ud.n.x, U.n.y, A.I.xy),
          yy = fnma(Ud.n.y, U.n.y, A.I.yy);
  // c.w.z = c.v.z = 0
  const Force<T> Ac{
      {fma(h0.y, c.v.y, fma(h0.x, c.v.x, fma(xy, c.w.y, xx * c.w.x))),
       fma(h1.y, c.v.y, fma(h1.x, c.v.x, fma(yy, c.w.y, xy * c.w.x))), o},
      {fma(h1.x, c.w.y, fma(h0.x, c.w.x, fma(M.xy, c.v.y, M.xx * c.v.x))),
       fma(h1.y, c.w.y, fma(h0.y, c.w.x, fma(M.yy, c.v.y, M.xy * c.v.x))),
       fma(h1.z, c.w.y, fma(h0.z, c.w.x, fma(M.yz, c.v.y, M.xz * c.v.x)))}};
  X.M = congruence(e, M);
  const Vec3<T> b0 = tmul(e, h0), b1 = tmul(e, h1);
  X.H = {madd(b1, e.r1.x, b0 * e.r0.x), madd(b1, e.r1.y, b0 * e.r0.y),
         madd(b1, e.r1.z, b0 * e.r0.z)};
  const Vec3<T> a0 = madd(e.r1, xy, e.r0 * xx), a1 = madd(e.r1, yy, e.r0 * xy);
  X.I = {fma(e.r1.x, a1.x, e.r0.x * a0.x), fma(e.r1.x, a1.y, e.r0.x * a0.y),
         fma(e.r1.x, a1.z, e.r0.x * a0.z), fma(e.r1.y, a1.y, e.r0.y * a0.y),
         fma(e.r1.y, a1.z, e.r0.y * a0.z), fma(e.r1.z, a1.z, e.r0.z * a0.z)};
  return Ac;
}

/// With armature a the hinge's own row of Ia does not vanish: a/(D + a) of U remains.
///   in   left  a / (D + a)
template <class T>
ESPALIER_INLINE void addArmature(const T& left, const Force<T>& U, const Motion<T>& c,
                                 const Mat3<T>& e, ArticulatedInertia<T>& X, Force<T>& f) {
  // In child axes I += z n' + n z' - (z'n) z z' and H += z f', with n, f the rest of U.
  const Vec3<T> z = e.r2, n = tmul(e, U.n) * left, force = tmul(e, U.f) * left;
  const Vec3<T> m = nmadd(z, U.n.z * left, n);  // n - (z'n) z
  X.I.xx += fma(z.x, n.x, m.x * z.x);
  X.I.xy += fma(z.x, n.y, m.x * z.y);
  X.I.xz += fma(z.x, n.z, m.x * z.z);
  X.I.yy += fma(z.y, n.y, m.y * z.y);
  X.I.yz += fma(z.y, n.z, m.y * z.z);
  X.I.zz += fma(z.z, n.z, m.z * z.z);
  X.H += Mat3<T>{force * z.x, force * z.y, force * z.z};
  f.n.z += left * fma(U.n.x, c.w.x, fma(U.n.y, c.w.y, fma(U.f.x, c.v.x, U.f.y * c.v.y)));
}

/// A in the parent's axes, same origin.
template <class T>
ESPALIER_INLINE ArticulatedInertia<T> turned(const Mat3<T>& e, const ArticulatedInertia<T>& A) {
  return {congruence(e, A.M), mul(transpose(e), mul(A.H, e)), congruence(e, A.I)};
}

/// A -= U U' / D
template <class T>
ESPALIER_INLINE ArticulatedInertia<T> minusOuter(const ArticulatedInertia<T>& A,
                                                 const Force<T>& scaled, const Force<T>& U) {
  return {minusOuter(A.M, scaled.f, U.f), minusOuter(A.H, scaled.n, U.f),
          minusOuter(A.I, scaled.n, U.n)};
}

template <class T, class P>
ESPALIER_INLINE void gather(const Topology& t, const LoweredBody<P>& b, int i, AbaWorkspace<T>& ws,
                            ArticulatedInertia<T>& A, Force<T>& p) {
  const RigidInertia<T> I = bc<T>(b.I);
  const Motion<T> V = ws.motion[i].V;
  p = crossForce(V, mul(I, V));
  if (t.carrySlot[i] < 0) {
    A = articulated(I);
  } else {
    const auto& carry = ws.carry[t.carrySlot[i]];
    A = carry.I;
    A += I;
    p += carry.p;
  }
}

template <class T>
ESPALIER_INLINE void handUp(const Topology& t, int i, const Mat3<T>& e, const Vec3<T>& p,
                            ArticulatedInertia<T>& X, const Force<T>& f, AbaWorkspace<T>& ws) {
  shift(X, p);
  const Force<T> up = toParent(e, p, f);
  auto& carry = ws.carry[t.carrySlot[t.bodies[i].parent]];
  if (t.firstInSlot[i]) {
    carry.I = X;
    carry.p = up;
  } else {
    carry.I += X;
    carry.p += up;
  }
}

}  // namespace aba_detail

template <class T, class P>
void aba(const Topology& t, const Lowered<P>& par, const Vec3<T>& gravity, const T* q, const T* u,
         const T* tau, AbaWorkspace<T>& ws, T* udot) {
  using namespace aba_detail;
  Mat3<T> e0 = bc<T>(par.bodies[0].E);
  ws.motion[0].V = zeroMotion<T>();
  if (t.floating) {
    e0 = transpose(rotation(Quat<T>{q[3], q[4], q[5], q[6]}));
    ws.motion[0].V = {mul(e0, Vec3<T>{u[3], u[4], u[5]}), mul(e0, Vec3<T>{u[0], u[1], u[2]})};
  }

  for (int i = 1; i < t.nb; ++i) {
    const BodyTopology& body = t.bodies[i];
    const LoweredBody<P>& b = par.bodies[i];
    auto& m = ws.motion[i];
    withJoint(body.kind, [&]<class J>() __attribute__((always_inline)) {
      Mat3<T> e;
      Vec3<T> p;
      if constexpr (is_hinge<J> || is_slider<J>) {
        if constexpr (is_hinge<J>) {
          sincos(q[body.q], m.s, m.c);
        } else {
          m.s = q[body.q];
        }
        rebuild<J>(b, m.s, m.c, e, p);
        Motion<T> V = toChild(e, p, ws.motion[body.parent].V);
        (is_hinge<J> ? V.w : V.v).z += u[body.u];
        m.V = V;
      } else {
        auto& pose = ws.general[i];
        J::pose(b, par.extra[i], q + body.q, pose.e, pose.p);
        JointFrames<T> f{identity3<T>(), {}, zero3<T>()};
        if constexpr (J::needsJointAxes) f.R_XJ = mul(pose.e, transpose(bc<T>(b.E)));
        Motion<T>* S = &ws.S[body.u];
        J::columns(par.extra[i], q + body.q, f, S);
        const Motion<T> V = toChild(pose.e, pose.p, ws.motion[body.parent].V);
        Motion<T> joint = S[0] * u[body.u];
        for (int k = 1; k < J::nv; ++k) joint = madd(S[k], u[body.u + k], joint);
        pose.c = crossMotion(V, joint);
        if constexpr (hasJointBias<J>()) pose.c += jointBias<J>(S, u + body.u);
        m.V = V + joint;
      }
    });
  }

  for (int i = t.nb - 1; i > 0; --i) {
    const BodyTopology& body = t.bodies[i];
    const LoweredBody<P>& b = par.bodies[i];
    const bool handsUp = body.parent > 0 || t.floating;
    withJoint(body.kind, [&]<class J>() __attribute__((always_inline)) {
      ArticulatedInertia<T> A, X;
      Force<T> pA;
      gather(t, b, i, ws, A, pA);
      if constexpr (is_hinge<J> || is_slider<J>) {
        auto& dof = ws.joint[body.u];
        const T armature = bc<T>(par.armature[body.u]);
        const Force<T> U = is_hinge<J>
                               ? Force<T>{{A.I.xz, A.I.yz, A.I.zz}, A.H.r2}
                               : Force<T>{columnZ(A.H), {A.M.xz, A.M.yz, A.M.zz}};
        dof.inverse = T(value_t<T>(1)) / ((is_hinge<J> ? U.n.z : U.f.z) + armature);
        dof.rest = tau[body.u] - (is_hinge<J> ? pA.n.z : pA.f.z);
        dof.U = U;
        if (!handsUp) return;
        const Motion<T> c = carried<J>(ws.motion[i].V, u[body.u]);
        Mat3<T> e;
        Vec3<T> p;
        rebuild<J>(b, ws.motion[i].s, ws.motion[i].c, e, p);
        const Force<T> Ud{U.n * dof.inverse, U.f * dof.inverse};
        Force<T> f;
        if constexpr (is_hinge<J>) {
          f = reduceHinge(A, U, Ud, c, e, X);
          if (par.hasArmature) addArmature(armature * dof.inverse, U, c, e, X, f);
        } else {
          const ArticulatedInertia<T> Ia = minusOuter(A, Ud, U);
          f = mul(Ia, c);
          X = turned(e, Ia);
        }
        f += pA;
        f = {madd(Ud.n, dof.rest, f.n), madd(Ud.f, dof.rest, f.f)};
        handUp(t, i, e, p, X, f, ws);
      } else {
        for (int k = J::nv - 1; k >= 0; --k) {
          const Motion<T> S = ws.S[body.u + k];
          auto& dof = ws.joint[body.u + k];
          const Force<T> U = mul(A, S);
          dof.U = U;
          dof.inverse = T(value_t<T>(1)) / (dot(S, U) + bc<T>(par.armature[body.u + k]));
          dof.rest = tau[body.u + k] - dot(S, pA);
          const Force<T> Ud{U.n * dof.inverse, U.f * dof.inverse};
          A = minusOuter(A, Ud, U);
          pA = madd(Ud, dof.rest, pA);
        }
        if (!handsUp) return;
        const auto& pose = ws.general[i];
        const Force<T> f = pA + mul(A, pose.c);
        X = turned(pose.e, A);
        handUp(t, i, pose.e, pose.p, X, f, ws);
      }
    });
  }

  if (t.floating) {
    ArticulatedInertia<T> A;
    Force<T> pA;
    gather(t, par.bodies[0], 0, ws, A, pA);
    const Force<T> f{mul(e0, Vec3<T>{tau[3], tau[4], tau[5]}),
                     mul(e0, Vec3<T>{tau[0], tau[1], tau[2]})};
    ws.A[0] = solve6(A, f - pA);
    const Vec3<T> v{u[0], u[1], u[2]}, w{u[3], u[4], u[5]};
    // Spatial to classical: the point's own acceleration is a + w x v.
    const Vec3<T> a = tmul(e0, ws.A[0].v) + cross(w, v) + gravity, wdot = tmul(e0, ws.A[0].w);
    const T base[6] = {a.x, a.y, a.z, wdot.x, wdot.y, wdot.z};
    for (int k = 0; k < 6; ++k) udot[k] = base[k];
  } else {
    ws.A[0] = {zero3<T>(), mul(e0, -gravity)};
  }

  for (int i = 1; i < t.nb; ++i) {
    const BodyTopology& body = t.bodies[i];
    const LoweredBody<P>& b = par.bodies[i];
    withJoint(body.kind, [&]<class J>() __attribute__((always_inline)) {
      if constexpr (is_hinge<J> || is_slider<J>) {
        Mat3<T> e;
        Vec3<T> p;
        rebuild<J>(b, ws.motion[i].s, ws.motion[i].c, e, p);
        Motion<T> a = toChild(e, p, ws.A[body.parent]);
        a += carried<J>(ws.motion[i].V, u[body.u]);
        const auto& dof = ws.joint[body.u];
        const T x = (dof.rest - dot(a, dof.U)) * dof.inverse;
        udot[body.u] = x;
        (is_hinge<J> ? a.w : a.v).z += x;
        ws.A[i] = a;
      } else {
        const auto& pose = ws.general[i];
        Motion<T> a = toChild(pose.e, pose.p, ws.A[body.parent]) + pose.c;
        for (int k = 0; k < J::nv; ++k) {
          const auto& dof = ws.joint[body.u + k];
          const T x = (dof.rest - dot(a, dof.U)) * dof.inverse;
          udot[body.u + k] = x;
          a = madd(ws.S[body.u + k], x, a);
        }
        ws.A[i] = a;
      }
    });
  }
}

}  // namespace espalier
