#pragma once

// Recursive Newton-Euler.
//   A_C = A_P + c + S udot,  A_root includes -gravity
//   F_C = I A_C + V_C x* I V_C + sum of the children's F
//   tau = S' F_C
// and the terms of geared rotors (rotors.h).

#include "espalier/dynamics/tree/inverse_dynamics.h"
#include "espalier/dynamics/tree/rotors.h"
#include "espalier/model/joints/dispatch.h"
#include "espalier/scalar/fours.h"

namespace espalier {

namespace inverse_dynamics_detail {

template <class T>
ESPALIER_INLINE Force<T> wrench(const RigidInertia<T>& I, const Motion<T>& V, const Motion<T>& A) {
  return mul(I, A) + crossForce(V, mul(I, V));
}

/// The rotor's generalized force on its joint and its couple on the carrier, in world axes.
///   in  A    of the carrier; or, where udot = 0, of the body: its own part is then across z
///   in  own  the joint's part of the body's A
template <class T>
ESPALIER_INLINE void spinRotorInWorld(JointKind kind, const Motion<T>& S, const T& spin,
                                      const Motion<T>& A, const Motion<T>& own, Vec3<T>& n,
                                      T& tau) {
  tau = fma(spin, dot(rotors::alongAxis(kind, S), A.w), tau);
  n = madd(rotors::alongAxis(kind, own), spin, n);
}

/// Both passes in the common frame; Accelerate adds S udot to a body's acceleration, unless they
/// are Steady: udot = 0.
template <bool Steady, class T, class P, class Accelerate>
ESPALIER_INLINE void passes(const Topology& t, const Lowered<P>& par, const Vec3<T>& gravity,
                            Workspace<T>& ws, T* tau, Accelerate&& accelerate) {
  ws.A[0] = ws.c[0];
  ws.A[0].v -= gravity;
  accelerate(0, ws.A[0]);
  for (int i = 1; i < t.nb; ++i) {
    Motion<T> a = ws.A[t.bodies[i].parent] + ws.c[i];
    accelerate(i, a);
    ws.A[i] = a;
  }
  forPlaces<T>(
      t.floating ? 0 : 1, t.nb, [&](const auto& at) __attribute__((always_inline)) {
        at.store(ws.F.data(),
                 wrench(at.load(ws.Ib.data()), at.load(ws.V.data()), at.load(ws.A.data())));
      });
  for (int i = t.nb - 1; i > 0; --i) {
    const BodyTopology& b = t.bodies[i];
    Force<T> f = ws.F[i];
    for (int k = 0; k < b.nv; ++k) tau[b.u + k] = dot(ws.S[b.u + k], f);
    if (par.hasRotors && b.nv == 1) {
      const T spin = bc<T>(par.spin[b.u]);
      if constexpr (Steady)
        spinRotorInWorld(b.kind, ws.S[b.u], spin, ws.A[i], ws.c[i], f.n, tau[b.u]);
      else
        spinRotorInWorld(b.kind, ws.S[b.u], spin, ws.A[b.parent], ws.A[i] - ws.A[b.parent], f.n,
                         tau[b.u]);
    }
    if (b.parent > 0 || t.floating) ws.F[b.parent] += f;
  }
  if (t.floating) {
    const Force<T> f = ws.F[0];
    const T base[6] = {f.f.x, f.f.y, f.f.z, f.n.x, f.n.y, f.n.z};
    for (int k = 0; k < 6; ++k) tau[k] = base[k];
  }
}

}  // namespace inverse_dynamics_detail

template <class T, class P>
void bias(const Topology& t, const Lowered<P>& par, const Vec3<T>& gravity, Workspace<T>& ws,
          T* h) {
  inverse_dynamics_detail::passes<true>(t, par, gravity, ws, h, [](int, Motion<T>&) {});
}

template <class T, class P>
void inverseDynamics(const Topology& t, const Lowered<P>& par, const Vec3<T>& gravity,
                     const T* udot, Workspace<T>& ws, T* tau) {
  inverse_dynamics_detail::passes<false>(
      t, par, gravity, ws, tau, [&](int i, Motion<T>& a) __attribute__((always_inline)) {
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
  for (int d = t.floating ? 6 : 0; d < t.nv; ++d)
    tau[d] = fma(bc<T>(par.armature[d]), udot[d], tau[d]);
  rotors::addGeared(t, par, udot, tau);
}

}  // namespace espalier

/// For the translation units of every instruction-set level.
#define ESPALIER_INSTANTIATE_INVERSE_DYNAMICS(T)                                                \
  template void bias<T>(const Topology&, const Lowered<value_t<T>>&, const Vec3<T>&,            \
                        Workspace<T>&, T*);                                                     \
  template void inverseDynamics<T>(const Topology&, const Lowered<value_t<T>>&, const Vec3<T>&, \
                                   const T*, Workspace<T>&, T*);
