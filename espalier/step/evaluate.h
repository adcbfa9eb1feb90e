#pragma once

// The dynamics of one robot at an evaluation point, for T double (a System) or lanes (LaneRobot), whose parameters
// are shared by all lanes or of each lane. What fills a register with one robot (dynamics/simd/) takes the place
// of these functions where it is faster.
//
//   evaluateTree    kinematics, h and M of a tree
//   closeRobot      q closed, and what its closing leaves for the rates
//   evaluateMass    M_y of a mechanism                                 at a closed q
//   takeRates       u_m, consistent with the loops
//   evaluateBias    h at other rates

#include "espalier/dynamics/loops/reduction.h"
#include "espalier/dynamics/tree/inverse_dynamics.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/dynamics/tree/mass_matrix.h"
#include "espalier/step/loops.h"
#include "espalier/step/step_numbers.h"

namespace espalier {

///   in   q  [nq], u  [nv]
///   out  s.ws, s.h, s.rates
template <class T, class P>
void evaluateTree(StepNumbers<T>& s, const Lowered<P>& par, const Vec3<T>& gravity, const T* q,
                  const T* u) {
  const Topology& t = s.topology();
  kinematics(t, par, q, u, s.ws);
  bias(t, par, gravity, s.ws, s.h.data());
  massMatrix(t, par, s.ws);
  std::copy_n(u, t.nv, s.rates.data());
}

///   io  q  [nq]
///   in  tolerance  m, or 1 for directions
///       all        the poses of all bodies are asked for, not only of those in loops
///   returns  the largest |phi| left
template <class T, class P>
T closeRobot(StepNumbers<T>& s, const Lowered<P>& par, T* q, double tolerance, bool all) {
  const Topology& t = s.topology();
  const Mechanism& m = s.mechanism();
  const auto close = [&] {
    if (!all) return closeLoops(t, par, m, q, tolerance, most_corrections, s.ws, s.loopWs);
    placeBodies(t, par, q, s.ws);
    return closePlacedLoops(t, par, m, q, tolerance, most_corrections, s.ws, s.loopWs);
  };
  const T left = close();
  settleLoops(t, m, left, q, s.loopWs);
  return left;
}

///   out  s.reducedWs.H, the reduced columns
///   pre  closeRobot(all)
template <class T, class P>
void evaluateMass(StepNumbers<T>& s, const Lowered<P>& par) {
  const Topology& t = s.topology();
  placeInertias(t, par, s.ws);
  computeReducedColumns(t, s.mechanism(), s.ws, s.loopWs);
  reducedMassMatrix(t, par, s.mechanism(), s.ws, s.loopWs, s.reducedWs.H.data());
}

///   in  u  [nv] of which the independent rates count
template <class T>
void takeRates(StepNumbers<T>& s, const T* u) {
  std::copy_n(u, s.topology().nv, s.rates.data());
  dependentRates(s.mechanism(), s.loopWs, s.rates.data());
}

/// h, and g of loops, at the configuration of s.ws.
///   in  u  [nv]
template <class T, class P>
void evaluateBias(StepNumbers<T>& s, const Lowered<P>& par, const Vec3<T>& gravity, const T* u) {
  const Topology& t = s.topology();
  velocities(t, u, s.ws);
  if (!s.hasLoops()) return bias(t, par, gravity, s.ws, s.h.data());
  loopAccelerations(t, s.mechanism(), u, s.ws, s.loopWs);
  inverseDynamics(t, par, gravity, s.loopWs.g.data(), s.ws, s.h.data());
}

}  // namespace espalier
