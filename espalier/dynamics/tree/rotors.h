#pragma once

// Geared rotors in the recursions (model/compile/gyrostats.h). Joint j of axis z on carrier P adds
// T = kappa u z . w_P to the kinetic energy; with d = w_P x z u + z udot, the rate of z u:
//
//   tau_j += kappa z . alpha_P         couple on P  += kappa d
//   M_jk  += kappa z . w_k  for the dofs k that move P
//
// and two dofs that a rotor couples add a constant to M.

#include "espalier/model/lowered.h"
#include "espalier/model/topology.h"
#include "espalier/spatial/motion.h"

namespace espalier::rotors {

/// Angular part of a hinge's column, linear part of a slider's: both lie along z.
template <class T>
ESPALIER_INLINE const Vec3<T>& alongAxis(JointKind kind, const Motion<T>& m) {
  return kind == JointKind::Prismatic ? m.v : m.w;
}

/// tau += M0 udot of the pairs.
template <class T, class P>
ESPALIER_INLINE void addGeared(const Topology& t, const Lowered<P>& par, const T* udot, T* tau) {
  for (std::size_t i = 0; i < t.geared.size(); ++i) {
    const auto [dof, carrier] = t.geared[i];
    const T inertia = bc<T>(par.geared[i]);
    tau[dof] = fma(inertia, udot[carrier], tau[dof]);
    tau[carrier] = fma(inertia, udot[dof], tau[carrier]);
  }
}

/// H += M0 of the pairs, packed.
template <class T, class P>
ESPALIER_INLINE void addGeared(const Topology& t, const Lowered<P>& par, T* H) {
  for (std::size_t i = 0; i < t.geared.size(); ++i)
    H[t.row[t.geared[i].dof] + t.dofDepth[t.geared[i].carrier]] += bc<T>(par.geared[i]);
}

/// Twice the kinetic energy of the pairs.
template <class T, class P>
ESPALIER_INLINE T twiceGearedEnergy(const Topology& t, const Lowered<P>& par, const T* u) {
  T sum = bc<T>(0.0);
  for (std::size_t i = 0; i < t.geared.size(); ++i)
    sum += bc<T>(par.geared[i]) * u[t.geared[i].dof] * u[t.geared[i].carrier] * bc<T>(2.0);
  return sum;
}

}  // namespace espalier::rotors
