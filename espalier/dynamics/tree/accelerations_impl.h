#pragma once

//   A_C = A_P + c + S udot
//   F_C = I (A_C - g) + V_C x* I V_C - external + sum of the children's F, all about O
//   about the body's origin x:  n - x x f

#include "espalier/dynamics/tree/accelerations.h"
#include "espalier/dynamics/tree/inverse_dynamics_impl.h"

namespace espalier {

template <class T>
void accelerations(const Topology& t, const Workspace<T>& ws, const T* udot, Motion<T>* A) {
  A[0] = ws.c[0];
  if (t.floating) {
    A[0].v += Vec3<T>{udot[0], udot[1], udot[2]};
    A[0].w += Vec3<T>{udot[3], udot[4], udot[5]};
  }
  for (int i = 1; i < t.nb; ++i) {
    const BodyTopology& b = t.bodies[i];
    Motion<T> a = A[b.parent] + ws.c[i];
    for (int k = 0; k < b.nv; ++k) a = madd(ws.S[b.u + k], udot[b.u + k], a);
    A[i] = a;
  }
}

template <class T>
void jointWrenches(const Topology& t, const Workspace<T>& ws, const Vec3<T>& gravity,
                   const Motion<T>* A, const Force<T>* external, Force<T>* wrench) {
  for (int i = 0; i < t.nb; ++i) {
    Motion<T> a = A[i];
    a.v -= gravity;
    wrench[i] = inverse_dynamics_detail::wrench(ws.Ib[i], ws.V[i], a);
    if (!external) continue;
    const Force<T>& f = external[i];
    wrench[i] = wrench[i] - Force<T>{f.n + cross(ws.x[i], f.f), f.f};
  }
  for (int i = t.nb - 1; i > 0; --i) wrench[t.bodies[i].parent] += wrench[i];
  for (int i = 0; i < t.nb; ++i) wrench[i].n -= cross(ws.x[i], wrench[i].f);
}

}  // namespace espalier

/// For the translation units of every instruction-set level.
#define ESPALIER_INSTANTIATE_ACCELERATIONS(T)                                                 \
  template void accelerations<T>(const Topology&, const Workspace<T>&, const T*, Motion<T>*); \
  template void jointWrenches<T>(const Topology&, const Workspace<T>&, const Vec3<T>&,        \
                                 const Motion<T>*, const Force<T>*, Force<T>*);
