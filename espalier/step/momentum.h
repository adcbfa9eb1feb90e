#pragma once

// A floating system without static contacts keeps its momentum: its error, from the step's error in
// q and u, is corrected at the start of the next step, before forces and contacts.
//
//   V_base += I_c(q)^-1 (h_wanted - h(q, u)),   h_wanted = h_old + all impulses from outside
//
// the motion of the whole as one rigid body; joints keep their rates. Done for MIDPOINT and
// TRAPEZOID, where the change is of third order. A system in touch with a static body is left
// alone, because the contact changes its momentum.

#include "espalier/step/step_data.h"

namespace espalier {

/// Corrects the base velocity in u where the momentum is known for this very state; else, unless a
/// static thing touched the system in the last step, takes note of it.
///   pre  keepsMomentum()
///   uses sys.ws
void correctMomentum(System& sys, const double* q, double* u);

/// The same at the end of a step whose error may be large, so that the next one begins with the energy that
/// this one ends with.
///   pre  knowsMomentum
///   uses sys.ws
void restoreMomentum(System& sys, const double* q, double* u);

/// Whether a scheme that keeps momentum has something to keep: joints besides a floating base, which
/// is in no loop.
bool hasFreeMomentum(const System& sys);
/// The same, and the scheme is one of those.
bool keepsMomentum(const System& sys, Scheme scheme);

/// The impulse of weight and of the forces in sys.force.
///   pre  M at the evaluation point, not yet factored
void addForces(System& sys, const Vec3d& gravity, double dt);

/// All contact impulses of the step; forgets where a static thing took part.
void addImpulsesToMomentum(StepData& world);

/// Remembers the state for which the momentum holds.
void rememberMomentum(System& sys, const double* q, const double* u);

}  // namespace espalier
