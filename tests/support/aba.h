#pragma once

// Forward dynamics of a tree in O(n), M never formed: the articulated-body algorithm. Second opinion of
// the mass matrix, its factor and the bias force.
//
// Three passes in body frames, E = R_CP, p = p_PC:
//   out   V = X V_P + S u
//   in    IA = I + children,  pA = V x* I V + children
//         U = IA S,  D = S' U,  rest = tau - S' pA
//         Ia = IA - U U'/D,  pa = pA + Ia c + U rest/D,  both handed to the parent
//   out   a' = X a_P + c,  udot = (rest - U' a') / D,  a = a' + S udot
// A hinge or slider has S = e_z: U is a column of IA, Ia has a zero row and column there, and only
// the rest of it is computed. A joint of k dofs eliminates its columns one after the other.
//
// A geared rotor (rotors.h) adds kappa e_z to U and kappa (V x S u) to the force handed to the
// parent. Where it ties the joint to the parent's by the constant m in M, eliminating udot leaves
//   -m/D U  for U,   -m^2/D  for D,   m (rest - U' c)/D  against rest    of the parent's joint.

#include "espalier/core/aligned.h"
#include "espalier/dynamics/tree/solve6.h"
#include "espalier/model/joints/dispatch.h"
#include "espalier/model/lowered.h"
#include "espalier/model/topology.h"

namespace espalier::testing {

/// Scratch of the articulated-body algorithm. Poses are rebuilt from sine and cosine, rigid inertias
/// enter as constants, and unbranched chains share one slot.
template <class T>
struct AbaWorkspace {
  explicit AbaWorkspace(const Topology& t)
      : motion(t.nb),
        joint(t.nv),
        A(t.nb),
        carry(t.carrySlots),
        general(generalBodies(t)),
        S(t.nv),
        gear(t.geared.empty() ? 0 : static_cast<std::size_t>(t.nb)) {}

  struct BodyMotion {
    T s, c;       ///< sine and cosine of a hinge, or the slide in s
    Motion<T> V;  ///< twist, body axes
  };
  struct DofFactor {
    Force<T> U;  ///< IA S
    T inverse;   ///< 1 / (S' IA S)
    T rest;      ///< tau - S' pA
  };
  struct Carry {
    ArticulatedInertia<T> I;
    Force<T> p;
  };
  /// Terms that eliminating a joint with a geared rotor adds to the joint of its carrier, in the
  /// carrier's axes: with a, udot of the carrier, 1/2 inertia udot^2 + udot (couple . a) + udot
  /// rest.
  struct Gear {
    Force<T> couple;
    T inertia, rest;
    Gear& operator+=(const Gear& o) {
      couple += o.couple;
      inertia += o.inertia;
      rest += o.rest;
      return *this;
    }
  };
  struct GeneralPose {  ///< joints other than revolute and prismatic
    Mat3<T> e;
    Vec3<T> p;
    Motion<T> c;
  };

  AlignedArray<BodyMotion> motion;    ///< [nb]
  AlignedArray<DofFactor> joint;      ///< [nv]
  AlignedArray<Motion<T>> A;          ///< [nb] acceleration, minus gravity, body axes
  AlignedArray<Carry> carry;          ///< [carrySlots]
  AlignedArray<GeneralPose> general;  ///< [nb] if there is any such joint, else empty
  AlignedArray<Motion<T>> S;          ///< [nv] columns of such joints, body axes
  AlignedArray<Gear> gear;            ///< [nb] where rotors tie joints, else empty

 private:
  static std::size_t generalBodies(const Topology& t) {
    for (int i = 1; i < t.nb; ++i)
      if (t.bodies[i].kind != JointKind::Revolute && t.bodies[i].kind != JointKind::Prismatic)
        return static_cast<std::size_t>(t.nb);
    return 0;
  }
};

namespace aba_detail {

template <class J>
inline constexpr bool is_hinge = J::kind == JointKind::Revolute;
template <class J>
inline constexpr bool is_slider = J::kind == JointKind::Prismatic;

/// E and p of a hinge or slider from the sine, cosine or slide of pass one.
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

/// Ia of a hinge in the parent's axes: a 2x2 block of I and two rows of H; the row about z vanishes
/// unless the joint has an armature.
///   in   last  row z of Ia, null where it is zero
///   out  X     Ia in the parent's axes
///   returns Ia c
template <class T>
ESPALIER_INLINE Force<T> reduceHinge(const ArticulatedInertia<T>& A, const Force<T>& U,
                                     const Force<T>& Ud, const Motion<T>& c, const Mat3<T>& e,
                                     const Force<T>* last, ArticulatedInertia<T>& X) {
  const T o = T(value_t<T>(0));
  const Sym3<T> M = minusOuter(A.M, Ud.f, U.f);
  const Vec3<T> h0 = nmadd(U.f, Ud.n.x, A.H.r0), h1 = nmadd(U.f, Ud.n.y, A.H.r1);
  const T xx = fnma(Ud.n.x, U.n.x, A.I.xx), xy = fnma(Ud.n.x, U.n.y, A.I.xy),
          yy = fnma(Ud.n.y, U.n.y, A.I.yy);
  // c.w.z = c.v.z = 0
  Force<T> Ac{{fma(h0.y, c.v.y, fma(h0.x, c.v.x, fma(xy, c.w.y, xx * c.w.x))),
               fma(h1.y, c.v.y, fma(h1.x, c.v.x, fma(yy, c.w.y, xy * c.w.x))), o},
              {fma(h1.x, c.w.y, fma(h0.x, c.w.x, fma(M.xy, c.v.y, M.xx * c.v.x))),
               fma(h1.y, c.w.y, fma(h0.y, c.w.x, fma(M.yy, c.v.y, M.xy * c.v.x))),
               fma(h1.z, c.w.y, fma(h0.z, c.w.x, fma(M.yz, c.v.y, M.xz * c.v.x)))}};
  X.M = congruence(e, M);
  const Vec3<T> b0 = tmul(e, h0), b1 = tmul(e, h1);
  X.H = {madd(b1, e.r1.x, b0 * e.r0.x), madd(b1, e.r1.y, b0 * e.r0.y),
         madd(b1, e.r1.z, b0 * e.r0.z)};
  Vec3<T> a0 = madd(e.r1, xy, e.r0 * xx), a1 = madd(e.r1, yy, e.r0 * xy);
  if (last) {
    a0 = madd(e.r2, last->n.x, a0);
    a1 = madd(e.r2, last->n.y, a1);
  }
  X.I = {fma(e.r1.x, a1.x, e.r0.x * a0.x), fma(e.r1.x, a1.y, e.r0.x * a0.y),
         fma(e.r1.x, a1.z, e.r0.x * a0.z), fma(e.r1.y, a1.y, e.r0.y * a0.y),
         fma(e.r1.y, a1.z, e.r0.y * a0.z), fma(e.r1.z, a1.z, e.r0.z * a0.z)};
  if (last) {
    const Vec3<T>& z = e.r2;
    const Vec3<T> a2 = tmul(e, last->n), b2 = tmul(e, last->f);
    X.H = {madd(b2, z.x, X.H.r0), madd(b2, z.y, X.H.r1), madd(b2, z.z, X.H.r2)};
    X.I = {fma(z.x, a2.x, X.I.xx), fma(z.x, a2.y, X.I.xy), fma(z.x, a2.z, X.I.xz),
           fma(z.y, a2.y, X.I.yy), fma(z.y, a2.z, X.I.yz), fma(z.z, a2.z, X.I.zz)};
    Ac.n.z = fma(last->f.y, c.v.y, fma(last->f.x, c.v.x, fma(last->n.y, c.w.y, last->n.x * c.w.x)));
  }
  return Ac;
}

/// Terms of armature, rotor and gears at one dof.
template <class T>
struct DofInertia {
  T armature, spin;                             ///< kg m^2 or kg; kappa
  const typename AbaWorkspace<T>::Gear* below;  ///< of joints that rotors tie to it; null: none
  bool isAny;                                   ///< false if all armatures of the model are zero
};

/// Row z of Ia = A - U U'/D, from the terms that factorDof added to A's: with armature a, spin k
/// and gear g
///   U = A.z + k z + g,  D - U.z = a - k + g.inertia + g.z
template <class T>
ESPALIER_INLINE Force<T> lastRow(const typename AbaWorkspace<T>::DofFactor& dof,
                                 const DofInertia<T>& own) {
  T left = own.armature - own.spin;
  if (own.below) left += own.below->inertia + own.below->couple.n.z;
  left = left * dof.inverse;
  Force<T> row{dof.U.n * left, dof.U.f * left};
  if (own.below) row -= own.below->couple;
  row.n.z -= own.spin;
  return row;
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

/// Out: twist of one body from its parent's.
template <class J, class T, class P>
ESPALIER_INLINE void twistOut(const LoweredBody<P>& b, const T& q, const T& u, const Motion<T>& Vp,
                              typename AbaWorkspace<T>::BodyMotion& m) {
  Mat3<T> e;
  Vec3<T> p;
  T s, c;
  if constexpr (is_hinge<J>) {
    sincos(q, s, c);
  } else {
    s = c = q;
  }
  m.s = s;
  m.c = c;
  rebuild<J>(b, s, c, e, p);
  Motion<T> V = toChild(e, p, Vp);
  (is_hinge<J> ? V.w : V.v).z += u;
  m.V = V;
}

/// In: the factor of one hinge or slider from its articulated inertia.
template <class J, class T>
ESPALIER_INLINE void factorDof(const ArticulatedInertia<T>& A, const Force<T>& pA, const T& tau,
                               const DofInertia<T>& own, typename AbaWorkspace<T>::DofFactor& dof) {
  dof.U = is_hinge<J> ? Force<T>{{A.I.xz, A.I.yz, A.I.zz}, A.H.r2}
                      : Force<T>{columnZ(A.H), {A.M.xz, A.M.yz, A.M.zz}};
  T D = (is_hinge<J> ? dof.U.n.z : dof.U.f.z) + own.armature;
  dof.rest = tau - (is_hinge<J> ? pA.n.z : pA.f.z);
  dof.U.n.z += own.spin;
  if (const auto* below = own.below) {
    const T along = is_hinge<J> ? below->couple.n.z : below->couple.f.z;
    D += below->inertia + along + along;
    dof.U += below->couple;
    dof.rest -= below->rest;
  }
  dof.inverse = T(value_t<T>(1)) / D;
}

/// The terms that eliminating a joint with a geared rotor adds to the parent's joint.
///   in   tie  m, the constant that couples the two in M
template <class J, class T, class P>
ESPALIER_INLINE typename AbaWorkspace<T>::Gear gearUp(
    const LoweredBody<P>& b, const typename AbaWorkspace<T>::BodyMotion& m,
    const typename AbaWorkspace<T>::DofFactor& dof, const T& u, const T& tie) {
  Mat3<T> e;
  Vec3<T> p;
  rebuild<J>(b, m.s, m.c, e, p);
  const T share = -(tie * dof.inverse);
  return {toParent(e, p, Force<T>{dof.U.n * share, dof.U.f * share}), share * tie,
          -(share * (dof.rest - dot(carried<J>(m.V, u), dof.U)))};
}

/// Inward pass: Ia and pa of a hinge or slider, in the parent's axes about its origin.
///   out  X  Ia
///   returns pa
template <class J, class T, class P>
ESPALIER_INLINE Force<T> handUp(const LoweredBody<P>& b, const ArticulatedInertia<T>& A,
                                const Force<T>& pA, const typename AbaWorkspace<T>::BodyMotion& m,
                                const typename AbaWorkspace<T>::DofFactor& dof, const T& u,
                                const DofInertia<T>& own, ArticulatedInertia<T>& X) {
  const Motion<T> c = carried<J>(m.V, u);
  Mat3<T> e;
  Vec3<T> p;
  rebuild<J>(b, m.s, m.c, e, p);
  const Force<T> Ud{dof.U.n * dof.inverse, dof.U.f * dof.inverse};
  Force<T> f;
  if constexpr (is_hinge<J>) {
    Force<T> last;
    if (own.isAny) last = lastRow(dof, own);
    f = reduceHinge(A, dof.U, Ud, c, e, own.isAny ? &last : nullptr, X);
  } else {
    const ArticulatedInertia<T> Ia = minusOuter(A, Ud, dof.U);
    f = mul(Ia, c);
    X = turned(e, Ia);
  }
  if (own.isAny) f.n = madd(is_hinge<J> ? c.w : c.v, own.spin, f.n);
  f += pA;
  f = madd(dof.U, dof.rest * dof.inverse, f);
  shift(X, p);
  return toParent(e, p, f);
}

/// Out again: acceleration of one body, and of its dof.
///   in   tied  m udot of the parent's joint
template <class J, class T, class P>
ESPALIER_INLINE T accelerate(const LoweredBody<P>& b, const typename AbaWorkspace<T>::BodyMotion& m,
                             const typename AbaWorkspace<T>::DofFactor& dof, const T& u,
                             const T& tied, const Motion<T>& Ap, Motion<T>& out) {
  Mat3<T> e;
  Vec3<T> p;
  rebuild<J>(b, m.s, m.c, e, p);
  Motion<T> a = toChild(e, p, Ap);
  a += carried<J>(m.V, u);
  const T udot = (dof.rest - tied - dot(a, dof.U)) * dof.inverse;
  (is_hinge<J> ? a.w : a.v).z += udot;
  out = a;
  return udot;
}

/// Body 0: its twist, and at the end its acceleration. E = R_CW.
template <class T, class P>
ESPALIER_INLINE Mat3<T> openBase(const Topology& t, const Lowered<P>& par, const T* q, const T* u,
                                 Motion<T>& V) {
  V = zeroMotion<T>();
  if (!t.floating) return bc<T>(par.bodies[0].E);
  const Mat3<T> e = transpose(rotation(Quat<T>{q[3], q[4], q[5], q[6]}));
  V = {mul(e, Vec3<T>{u[3], u[4], u[5]}), mul(e, Vec3<T>{u[0], u[1], u[2]})};
  return e;
}
template <class T>
ESPALIER_INLINE Motion<T> closeBase(const Topology& t, const Mat3<T>& e, const Vec3<T>& gravity,
                                    const T* u, const T* tau, const ArticulatedInertia<T>& A,
                                    const Force<T>& pA, T* udot) {
  if (!t.floating) return {zero3<T>(), mul(e, -gravity)};
  const Force<T> f{mul(e, Vec3<T>{tau[3], tau[4], tau[5]}),
                   mul(e, Vec3<T>{tau[0], tau[1], tau[2]})};
  const Motion<T> a = solve6(A, f - pA);
  const Vec3<T> v{u[0], u[1], u[2]}, w{u[3], u[4], u[5]};
  // Spatial to classical: the point's own acceleration is a + w x v.
  const Vec3<T> vdot = tmul(e, a.v) + cross(w, v) + gravity, wdot = tmul(e, a.w);
  const T base[6] = {vdot.x, vdot.y, vdot.z, wdot.x, wdot.y, wdot.z};
  for (int k = 0; k < 6; ++k) udot[k] = base[k];
  return a;
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
ESPALIER_INLINE void deliver(const Topology& t, int i, const ArticulatedInertia<T>& X,
                             const Force<T>& up, AbaWorkspace<T>& ws) {
  auto& carry = ws.carry[t.carrySlot[t.bodies[i].parent]];
  if (t.firstInSlot[i]) {
    carry.I = X;
    carry.p = up;
  } else {
    carry.I += X;
    carry.p += up;
  }
}

/// Out: pose, columns, twist and bias of a body on a joint of any kind.
template <class J, class T, class P>
ESPALIER_INLINE void generalOut(const Lowered<P>& par, const BodyTopology& body, int i, const T* q,
                                const T* u, AbaWorkspace<T>& ws) {
  auto& pose = ws.general[i];
  J::pose(par.bodies[i], par.extra[i], q + body.q, pose.e, pose.p);
  JointFrames<T> f{identity3<T>(), {}, zero3<T>()};
  if constexpr (J::needsJointAxes) f.R_XJ = mul(pose.e, transpose(bc<T>(par.bodies[i].E)));
  Motion<T>* S = &ws.S[body.u];
  J::columns(par.extra[i], q + body.q, f, S);
  const Motion<T> V = toChild(pose.e, pose.p, ws.motion[body.parent].V);
  const Motion<T> joint = partialTwist(S, u + body.u, J::nv);
  pose.c = crossMotion(V, joint);
  if constexpr (hasJointBias<J>()) pose.c += jointBias<J>(S, u + body.u);
  ws.motion[i].V = V + joint;
}

/// In: the factors of a hinge or slider, and what it hands up.
template <class J, class T, class P>
ESPALIER_INLINE void dofIn(const Topology& t, const Lowered<P>& par, int i, const T* u,
                           const T* tau, AbaWorkspace<T>& ws) {
  const BodyTopology& body = t.bodies[i];
  const LoweredBody<P>& b = par.bodies[i];
  ArticulatedInertia<T> A, X;
  Force<T> pA;
  gather(t, b, i, ws, A, pA);
  const DofInertia<T> own{bc<T>(par.armature[body.u]),
                          par.hasRotors ? bc<T>(par.spin[body.u]) : bc<T>(0.0),
                          t.carriesGear[i] ? &ws.gear[i] : nullptr, par.hasArmature};
  typename AbaWorkspace<T>::DofFactor dof;
  factorDof<J>(A, pA, tau[body.u], own, dof);
  ws.joint[body.u] = dof;
  if (const int g = t.gearOf[body.u]; g >= 0)
    ws.gear[body.parent] += gearUp<J>(b, ws.motion[i], dof, u[body.u], bc<T>(par.geared[g]));
  if (body.parent == 0 && !t.floating) return;
  const Force<T> up = handUp<J>(b, A, pA, ws.motion[i], dof, u[body.u], own, X);
  deliver(t, i, X, up, ws);
}

/// The same of a joint of any kind: its dofs one by one.
template <class J, class T, class P>
ESPALIER_INLINE void generalIn(const Topology& t, const Lowered<P>& par, int i, const T* tau,
                               AbaWorkspace<T>& ws) {
  const BodyTopology& body = t.bodies[i];
  ArticulatedInertia<T> A;
  Force<T> pA;
  gather(t, par.bodies[i], i, ws, A, pA);
  for (int k = J::nv - 1; k >= 0; --k) {
    const Motion<T> S = ws.S[body.u + k];
    auto& dof = ws.joint[body.u + k];
    dof.U = mul(A, S);
    dof.inverse = T(value_t<T>(1)) / (dot(S, dof.U) + bc<T>(par.armature[body.u + k]));
    dof.rest = tau[body.u + k] - dot(S, pA);
    const Force<T> Ud{dof.U.n * dof.inverse, dof.U.f * dof.inverse};
    A = minusOuter(A, Ud, dof.U);
    pA = madd(Ud, dof.rest, pA);
  }
  if (body.parent == 0 && !t.floating) return;
  const auto& pose = ws.general[i];
  ArticulatedInertia<T> X = turned(pose.e, A);
  shift(X, pose.p);
  deliver(t, i, X, toParent(pose.e, pose.p, pA + mul(A, pose.c)), ws);
}

/// Out again, of a joint of any kind.
template <class J, class T>
ESPALIER_INLINE void accelerateGeneral(const BodyTopology& body, int i, AbaWorkspace<T>& ws,
                                       T* udot) {
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

}  // namespace aba_detail

/// Acceleration of a tree: udot = M^-1 (tau - h), M never formed.
///   in   q [nq], u [nv], tau [nv]  N m or N, internal order
///   in   gravity  m/s^2, world
///   out  udot [nv]
///   uses ws   overwritten; no allocation
///   pre  every joint's S' IA S is positive, else udot is not finite
///   cost O(nb)
///   from Featherstone 2008, ch. 7, in body frames; a joint of k dofs is k eliminations; geared
///        rotors as above
template <class T, class P = value_t<T>>
void aba(const Topology& t, const Lowered<P>& par, const Vec3<T>& gravity, const T* q, const T* u,
         const T* tau, AbaWorkspace<T>& ws, T* udot) {
  using namespace aba_detail;
  const Mat3<T> e0 = openBase(t, par, q, u, ws.motion[0].V);

  for (int i = 1; i < t.nb; ++i) {
    const BodyTopology& body = t.bodies[i];
    const Motion<T> Vp = ws.motion[body.parent].V;
    if (t.carriesGear[i]) ws.gear[i] = {};
    withJoint(
        body.kind, [&]<class J>() __attribute__((always_inline)) {
          if constexpr (is_hinge<J> || is_slider<J>)
            twistOut<J>(par.bodies[i], q[body.q], u[body.u], Vp, ws.motion[i]);
          else
            generalOut<J>(par, body, i, q, u, ws);
        });
  }

  for (int i = t.nb - 1; i > 0; --i)
    withJoint(
        t.bodies[i].kind, [&]<class J>() __attribute__((always_inline)) {
          if constexpr (is_hinge<J> || is_slider<J>)
            dofIn<J>(t, par, i, u, tau, ws);
          else
            generalIn<J>(t, par, i, tau, ws);
        });

  ArticulatedInertia<T> A{};
  Force<T> pA{};
  if (t.floating) gather(t, par.bodies[0], 0, ws, A, pA);
  ws.A[0] = closeBase(t, e0, gravity, u, tau, A, pA, udot);

  for (int i = 1; i < t.nb; ++i) {
    const BodyTopology& body = t.bodies[i];
    const Motion<T> Ap = ws.A[body.parent];
    withJoint(
        body.kind, [&]<class J>() __attribute__((always_inline)) {
          if constexpr (is_hinge<J> || is_slider<J>) {
            const int g = t.gearOf[body.u];
            const T tied = g < 0 ? bc<T>(0.0) : bc<T>(par.geared[g]) * udot[t.geared[g].carrier];
            udot[body.u] = accelerate<J>(par.bodies[i], ws.motion[i], ws.joint[body.u], u[body.u],
                                         tied, Ap, ws.A[i]);
          } else {
            accelerateGeneral<J>(body, i, ws, udot);
          }
        });
  }
}

}  // namespace espalier::testing
