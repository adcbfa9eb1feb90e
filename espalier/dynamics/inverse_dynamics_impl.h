#pragma once

// Recursive Newton-Euler.
//   A_C = A_P + c + S udot,  A_root includes -gravity
//   F_C = I A_C + V_C x* I V_C + sum of the children's F
//   tau = S' F_C

#include "espalier/dynamics/inverse_dynamics.h"
#include "espalier/model/joints/dispatch.h"

namespace espalier {

namespace inverse_dynamics_detail {

template <class T>
ESPALIER_INLINE Force<T> wrench(const RigidInertia<T>& I, const Motion<T>& V, const Motion<T>& A) {
  return mul(I, A) + crossForce(V, mul(I, V));
}

/// Both passes in the common frame; Accelerate adds S udot to a body's acceleration.
template <class T, class Accelerate>
ESPALIER_INLINE void passes(const Topology& t, const Vec3<T>& gravity, Workspace<T>& ws, T* tau,
                            Accelerate&& accelerate) {
  ws.A[0] = ws.c[0];
  ws.A[0].v -= gravity;
  accelerate(0, ws.A[0]);
  if (t.floating) ws.F[0] = wrench(ws.Ib[0], ws.V[0], ws.A[0]);
  for (int i = 1; i < t.nb; ++i) {
    Motion<T> a = ws.A[t.bodies[i].parent] + ws.c[i];
    accelerate(i, a);
    ws.A[i] = a;
    ws.F[i] = wrench(ws.Ib[i], ws.V[i], a);
  }
  for (int i = t.nb - 1; i > 0; --i) {
    const BodyTopology& b = t.bodies[i];
    const Force<T> f = ws.F[i];
    for (int k = 0; k < b.nv; ++k) tau[b.u + k] = dot(ws.S[b.u + k], f);
    if (b.parent > 0 || t.floating) ws.F[b.parent] += f;
  }
  if (t.floating) {
    const Force<T> f = ws.F[0];
    const T base[6] = {f.f.x, f.f.y, f.f.z, f.n.x, f.n.y, f.n.z};
    for (int k = 0; k < 6; ++k) tau[k] = base[k];
  }
}

}  // namespace inverse_dynamics_detail

template <class T>
void bias(const Topology& t, const Vec3<T>& gravity, Workspace<T>& ws, T* h) {
  inverse_dynamics_detail::passes(t, gravity, ws, h, [](int, Motion<T>&) {});
}

template <class T, class P>
void inverseDynamics(const Topology& t, const Lowered<P>& par, const Vec3<T>& gravity,
                     const T* udot, Workspace<T>& ws, T* tau) {
  inverse_dynamics_detail::passes(
      t, gravity, ws, tau, [&](int i, Motion<T>& a) __attribute__((always_inline)) {
        const BodyTopology& b = t.bodies[i];
        if (i == 0) {
          if (t.floating) {
            a.v += Vec3<T>{udot[0], udot[1], udot[2]};
            a.w += Vec3<T>{udot[3], udot[4], udot[5]};
          }
          return;
        }
        for (int k = 0; k < b.nv; ++k) a = madd(ws.S[b.u + k], udot[b.u + k], a);
      });
  for (int d = 0; d < t.nv; ++d) tau[d] = fma(bc<T>(par.armature[d]), udot[d], tau[d]);
}

template <class T, class P>
void rnea(const Topology& t, const Lowered<P>& par, const Vec3<T>& gravity, const T* q, const T* u,
          const T* udot, Workspace<T>& ws, T* tau) {
  using inverse_dynamics_detail::wrench;
  const auto& base = par.bodies[0];
  Mat3<T> e0 = bc<T>(base.E);
  if (t.floating) {
    e0 = transpose(rotation(Quat<T>{q[3], q[4], q[5], q[6]}));
    const Vec3<T> v{u[0], u[1], u[2]}, w{u[3], u[4], u[5]};
    const Vec3<T> vdot{udot[0], udot[1], udot[2]}, wdot{udot[3], udot[4], udot[5]};
    ws.V[0] = {mul(e0, w), mul(e0, v)};
    ws.A[0] = {mul(e0, wdot), mul(e0, vdot - gravity + cross(v, w))};
    ws.F[0] = wrench(bc<T>(base.I), ws.V[0], ws.A[0]);
  } else {
    ws.V[0] = zeroMotion<T>();
    ws.A[0] = {zero3<T>(), mul(e0, -gravity)};
  }
  for (int i = 1; i < t.nb; ++i) {
    const BodyTopology& body = t.bodies[i];
    const LoweredBody<P>& b = par.bodies[i];
    withJoint(body.kind, [&]<class J>() __attribute__((always_inline)) {
      Mat3<T> e;
      Vec3<T> p;
      J::pose(b, par.extra[i], q + body.q, e, p);
      ws.R[i] = e;
      ws.x[i] = p;
      Motion<T> V = toChild(e, p, ws.V[body.parent]), A = toChild(e, p, ws.A[body.parent]);
      const T* rate = u + body.u;
      const T* acceleration = udot + body.u;
      if constexpr (J::kind == JointKind::Revolute || J::kind == JointKind::Prismatic) {
        // S is the third unit vector: V x S u has two components.
        const T s = rate[0];
        Vec3<T>& moved = J::kind == JointKind::Revolute ? V.w : V.v;
        Vec3<T>& driven = J::kind == JointKind::Revolute ? A.w : A.v;
        A.v.x = fma(J::kind == JointKind::Revolute ? V.v.y : V.w.y, s, A.v.x);
        A.v.y = fnma(J::kind == JointKind::Revolute ? V.v.x : V.w.x, s, A.v.y);
        if constexpr (J::kind == JointKind::Revolute) {
          A.w.x = fma(V.w.y, s, A.w.x);
          A.w.y = fnma(V.w.x, s, A.w.y);
        }
        moved.z += s;
        driven.z += acceleration[0];
      } else {
        JointFrames<T> f{identity3<T>(), {}, zero3<T>()};
        if constexpr (J::needsJointAxes) f.R_XJ = mul(e, transpose(bc<T>(b.E)));
        Motion<T>* S = &ws.S[body.u];
        J::columns(par.extra[i], q + body.q, f, S);
        Motion<T> joint = S[0] * rate[0];
        for (int k = 1; k < J::nv; ++k) joint = madd(S[k], rate[k], joint);
        A += crossMotion(V, joint);
        if constexpr (hasJointBias<J>()) A += jointBias<J>(S, rate);
        V += joint;
        for (int k = 0; k < J::nv; ++k) A = madd(S[k], acceleration[k], A);
      }
      ws.V[i] = V;
      ws.A[i] = A;
      ws.F[i] = wrench(bc<T>(b.I), V, A);
    });
  }
  for (int i = t.nb - 1; i > 0; --i) {
    const BodyTopology& body = t.bodies[i];
    const Force<T> f = ws.F[i];
    if (body.kind == JointKind::Revolute) {
      tau[body.u] = f.n.z;
    } else if (body.kind == JointKind::Prismatic) {
      tau[body.u] = f.f.z;
    } else {
      for (int k = 0; k < body.nv; ++k) tau[body.u + k] = dot(ws.S[body.u + k], f);
    }
    if (body.parent > 0 || t.floating) ws.F[body.parent] += toParent(ws.R[i], ws.x[i], f);
  }
  if (t.floating) {
    const Vec3<T> f = tmul(e0, ws.F[0].f), n = tmul(e0, ws.F[0].n);
    const T wrenchW[6] = {f.x, f.y, f.z, n.x, n.y, n.z};
    for (int k = 0; k < 6; ++k) tau[k] = wrenchW[k];
  }
  for (int d = 0; d < t.nv; ++d) tau[d] = fma(bc<T>(par.armature[d]), udot[d], tau[d]);
}

}  // namespace espalier
