#pragma once

// Inverse dynamics of a tree from q, u and udot in one go, in body frames, each hinge's axis along its z:
// recursive Newton-Euler. Second opinion of dynamics/tree/inverse_dynamics.h, which works in world axes.

#include "espalier/dynamics/tree/inverse_dynamics_impl.h"

namespace espalier::testing {

namespace rnea_detail {

/// Twist and acceleration of one body from its parent's, body frames; S of a hinge or slider is
/// the third unit vector, so V x S u has two components.
template <class J, class T>
ESPALIER_INLINE void drive(const Mat3<T>& e, const Vec3<T>& p, const Motion<T>& Vp,
                           const Motion<T>& Ap, const T& u, const T& udot, Motion<T>& V,
                           Motion<T>& A) {
  constexpr bool hinge = J::kind == JointKind::Revolute;
  V = toChild(e, p, Vp);
  A = toChild(e, p, Ap);
  A.v.x = fma(hinge ? V.v.y : V.w.y, u, A.v.x);
  A.v.y = fnma(hinge ? V.v.x : V.w.x, u, A.v.y);
  if constexpr (hinge) {
    A.w.x = fma(V.w.y, u, A.w.x);
    A.w.y = fnma(V.w.x, u, A.w.y);
  }
  (hinge ? V.w : V.v).z += u;
  (hinge ? A.w : A.v).z += udot;
}

/// Body 0 in its own frame; E = R_CW.
template <class T, class P>
ESPALIER_INLINE Mat3<T> driveBase(const Topology& t, const Lowered<P>& par, const Vec3<T>& gravity,
                                  const T* q, const T* u, const T* udot, Workspace<T>& ws) {
  const LoweredBody<P>& base = par.bodies[0];
  Mat3<T> e = bc<T>(base.E);
  if (t.floating) {
    e = transpose(rotation(Quat<T>{q[3], q[4], q[5], q[6]}));
    const Vec3<T> v{u[0], u[1], u[2]}, w{u[3], u[4], u[5]};
    const Vec3<T> vdot{udot[0], udot[1], udot[2]}, wdot{udot[3], udot[4], udot[5]};
    ws.V[0] = {mul(e, w), mul(e, v)};
    ws.A[0] = {mul(e, wdot), mul(e, vdot - gravity + cross(v, w))};
    ws.F[0] = inverse_dynamics_detail::wrench(bc<T>(base.I), ws.V[0], ws.A[0]);
  } else {
    ws.V[0] = zeroMotion<T>();
    ws.A[0] = {zero3<T>(), mul(e, -gravity)};
  }
  return e;
}

/// tau of a floating base, in world axes, and the armature's share of every joint.
template <class T, class P>
ESPALIER_INLINE void closeTau(const Topology& t, const Lowered<P>& par, const Mat3<T>& e,
                              const T* udot, const Workspace<T>& ws, T* tau) {
  if (t.floating) {
    const Vec3<T> f = tmul(e, ws.F[0].f), n = tmul(e, ws.F[0].n);
    const T base[6] = {f.x, f.y, f.z, n.x, n.y, n.z};
    for (int k = 0; k < 6; ++k) tau[k] = base[k];
  }
  for (int d = t.floating ? 6 : 0; d < t.nv; ++d)
    tau[d] = fma(bc<T>(par.armature[d]), udot[d], tau[d]);
  rotors::addGeared(t, par, udot, tau);
}

/// The rotor's generalized force on its joint and its couple on the carrier, in the axes of the child. S = e_z, so that V x S u has two components, the same of a
/// hinge and a slider.
template <class J, class T>
ESPALIER_INLINE void spinRotorInBody(const T& spin, const T& u, const T& udot, const Motion<T>& V,
                                     const Motion<T>& A, Vec3<T>& n, T& tau) {
  const bool hinge = J::kind == JointKind::Revolute;
  tau = fma(spin, hinge ? A.w.z - udot : A.w.z, tau);
  const T su = spin * u;
  n += Vec3<T>{V.w.y * su, -(V.w.x * su), spin * udot};
}

}  // namespace rnea_detail

/// tau = M(q) udot + h(q, u).
///   in   q [nq], u [nv], udot [nv];  gravity  m/s^2, world
///   out  tau  [nv]  N m or N, internal order
///   uses ws   R as E, x as p, S, V, A, F; no allocation
///   from Featherstone 2008, 5.3
template <class T, class P = value_t<T>>
void rnea(const Topology& t, const Lowered<P>& par, const Vec3<T>& gravity, const T* q, const T* u,
          const T* udot, Workspace<T>& ws, T* tau) {
  using namespace rnea_detail;
  using inverse_dynamics_detail::wrench;
  const Mat3<T> e0 = driveBase(t, par, gravity, q, u, udot, ws);
  for (int i = 1; i < t.nb; ++i) {
    const BodyTopology& body = t.bodies[i];
    const LoweredBody<P>& b = par.bodies[i];
    withJoint(
        body.kind, [&]<class J>() __attribute__((always_inline)) {
          Mat3<T> e;
          Vec3<T> p;
          J::pose(b, par.extra[i], q + body.q, e, p);
          ws.R[i] = e;
          ws.x[i] = p;
          Motion<T> V, A;
          if constexpr (J::kind == JointKind::Revolute || J::kind == JointKind::Prismatic) {
            drive<J>(e, p, ws.V[body.parent], ws.A[body.parent], u[body.u], udot[body.u], V, A);
          } else {
            V = toChild(e, p, ws.V[body.parent]);
            A = toChild(e, p, ws.A[body.parent]);
            JointFrames<T> f{identity3<T>(), {}, zero3<T>()};
            if constexpr (J::needsJointAxes) f.R_XJ = mul(e, transpose(bc<T>(b.E)));
            Motion<T>* S = &ws.S[body.u];
            J::columns(par.extra[i], q + body.q, f, S);
            const Motion<T> joint = partialTwist(S, u + body.u, J::nv);
            A += crossMotion(V, joint);
            if constexpr (hasJointBias<J>()) A += jointBias<J>(S, u + body.u);
            V += joint;
            A += partialTwist(S, udot + body.u, J::nv);
          }
          ws.V[i] = V;
          ws.A[i] = A;
          ws.F[i] = wrench(bc<T>(b.I), V, A);
        });
  }
  for (int i = t.nb - 1; i > 0; --i) {
    const BodyTopology& body = t.bodies[i];
    Force<T> f = ws.F[i];
    if (body.kind == JointKind::Revolute) {
      tau[body.u] = f.n.z;
      if (par.hasRotors)
        spinRotorInBody<RevoluteJoint>(bc<T>(par.spin[body.u]), u[body.u], udot[body.u], ws.V[i],
                                       ws.A[i], f.n, tau[body.u]);
    } else if (body.kind == JointKind::Prismatic) {
      tau[body.u] = f.f.z;
      if (par.hasRotors)
        spinRotorInBody<PrismaticJoint>(bc<T>(par.spin[body.u]), u[body.u], udot[body.u], ws.V[i],
                                        ws.A[i], f.n, tau[body.u]);
    } else {
      for (int k = 0; k < body.nv; ++k) tau[body.u + k] = dot(ws.S[body.u + k], f);
    }
    if (body.parent > 0 || t.floating) ws.F[body.parent] += toParent(ws.R[i], ws.x[i], f);
  }
  closeTau(t, par, e0, udot, ws, tau);
}

}  // namespace espalier::testing
