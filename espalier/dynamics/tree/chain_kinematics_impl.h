#pragma once

// The definition of dynamics/tree/chain_kinematics.h, for the translation units that instantiate it.

#include "espalier/dynamics/tree/chain_kinematics.h"
#include "espalier/dynamics/tree/kinematics_impl.h"

namespace espalier {

template <class T, class P>
void chainKinematics(const Topology& t, const Lowered<P>& par, const std::vector<int>& bodies,
                     const T* q, const T* u, Workspace<T>& ws) {
  using namespace kinematics_detail;
  placeBase(t, par, q, u, ws);
  for (const int i : bodies) {
    const BodyTopology& body = t.bodies[i];
    if (body.parent < 0) continue;
    withJoint(
        body.kind, [&]<class J>() __attribute__((always_inline)) {
          place<J>(par.bodies[i], par.extra[i], q + body.q, u + body.u,
                   CarrierMotion<T>{ws.R[body.parent], ws.x[body.parent], ws.V[body.parent]},
                   BodyMotion<T>{ws.R[i], ws.x[i], &ws.S[body.u], ws.V[i], ws.c[i]});
        });
  }
}

}  // namespace espalier

/// For the translation units of every instruction-set level.
#define ESPALIER_INSTANTIATE_CHAIN_KINEMATICS(T)                                \
  template void chainKinematics<T>(const Topology&, const Lowered<value_t<T>>&, \
                                   const std::vector<int>&, const T*, const T*, Workspace<T>&);
