#pragma once

#include "espalier/dynamics/tree/energy.h"
#include "espalier/dynamics/tree/rotors.h"

namespace espalier {

template <class T, class P>
T kineticEnergy(const Topology& t, const Lowered<P>& par, const T* u, const Workspace<T>& ws) {
  T twice = T(value_t<T>(0));
  for (int i = 0; i < t.nb; ++i) twice += dot(ws.V[i], mul(ws.Ib[i], ws.V[i]));
  for (int d = t.floating ? 6 : 0; d < t.nv; ++d)
    twice = fma(bc<T>(par.armature[d]) * u[d], u[d], twice);
  if (par.hasRotors) {
    twice += rotors::twiceGearedEnergy(t, par, u);
    for (int i = 1; i < t.nb; ++i) {
      const BodyTopology& b = t.bodies[i];
      if (b.nv != 1) continue;
      const T wz = dot(rotors::alongAxis(b.kind, ws.S[b.u]), ws.V[b.parent].w);
      twice = fma(bc<T>(par.spin[b.u]) * u[b.u] * bc<T>(2.0), wz, twice);
    }
  }
  return T(value_t<T>(0.5)) * twice;
}

template <class T>
RigidInertia<T> totalInertia(const Topology& t, const Workspace<T>& ws) {
  RigidInertia<T> sum = ws.Ib[0];
  for (int i = 1; i < t.nb; ++i) sum += ws.Ib[i];
  return sum;
}

template <class T>
T potentialEnergy(const Topology& t, const Vec3<T>& gravity, const Workspace<T>& ws) {
  const RigidInertia<T> all = totalInertia(t, ws);
  return -dot(gravity, madd(ws.origin, all.m, all.h));
}

template <class T, class P>
Force<T> momentum(const Topology& t, const Lowered<P>& par, const T* u, const Workspace<T>& ws) {
  Force<T> sum = mul(ws.Ib[0], ws.V[0]);
  for (int i = 1; i < t.nb; ++i) sum += mul(ws.Ib[i], ws.V[i]);
  if (!par.hasRotors) return sum;
  for (int i = 1; i < t.nb; ++i) {
    const BodyTopology& b = t.bodies[i];
    if (b.nv != 1) continue;
    sum.n = madd(rotors::alongAxis(b.kind, ws.S[b.u]), bc<T>(par.spin[b.u]) * u[b.u], sum.n);
  }
  return sum;
}

template <class T>
RigidInertia<T> compositeInertia(const Topology& t, int body, const Workspace<T>& ws) {
  RigidInertia<T> sum = ws.Ib[body];
  for (int i = body + 1; i < t.nb; ++i) {
    int ancestor = i;
    while (ancestor > body) ancestor = t.bodies[ancestor].parent;
    if (ancestor == body) sum += ws.Ib[i];
  }
  return sum;
}

template <class T>
void compositeInertias(const Topology& t, const Workspace<T>& ws, RigidInertia<T>* Ic) {
  for (int i = 0; i < t.nb; ++i) Ic[i] = ws.Ib[i];
  for (int i = t.nb - 1; i > 0; --i) Ic[t.bodies[i].parent] += Ic[i];
}

template <class T>
Vec3<T> centreOfMass(const Topology& t, const Workspace<T>& ws) {
  const RigidInertia<T> all = totalInertia(t, ws);
  return madd(all.h, T(value_t<T>(1)) / all.m, ws.origin);
}

}  // namespace espalier

/// For the translation units of every instruction-set level.
#define ESPALIER_INSTANTIATE_ENERGY(T)                                                        \
  template T kineticEnergy<T>(const Topology&, const Lowered<value_t<T>>&, const T*,          \
                              const Workspace<T>&);                                           \
  template T potentialEnergy<T>(const Topology&, const Vec3<T>&, const Workspace<T>&);        \
  template Force<T> momentum<T>(const Topology&, const Lowered<value_t<T>>&, const T*,        \
                                const Workspace<T>&);                                         \
  template RigidInertia<T> totalInertia<T>(const Topology&, const Workspace<T>&);             \
  template RigidInertia<T> compositeInertia<T>(const Topology&, int, const Workspace<T>&);    \
  template void compositeInertias<T>(const Topology&, const Workspace<T>&, RigidInertia<T>*); \
  template Vec3<T> centreOfMass<T>(const Topology&, const Workspace<T>&);
