#pragma once

// The energy error of a robot's step, and its limit.
//
// A scheme takes M, h and G at one configuration for the whole step. The error in the energy grows
// with the angle that joints turn by in it, with the change of their rates in an impact, and with the
// change of G in a mechanism: all are known from velocities at hand. Where one is large the error itself
// is computed,
//
//   error = E(q+, u+) - E(q, u) - u_mean . (M (u+ - u) + dt h)
//
// E: kinetic energy and potential energy of the weight; the last term is the work of all else that acts
// in the step, contacts included, for M (u+ - u) + dt h is its impulse. Contacts and limits count with no more
// than what they push back at the speed asked for, unless something that moves may drive them: where links
// turn far they seem to do work at u_mean that none can do. Errors of steps in a row add up,
// and mostly cancel: later steps may regain earlier losses, at most 0.3 % of the kinetic energy.
// Any other gain of a step is taken from the kinetic energy again; where no joint turns far, only what steps in a
// row gain beyond a thousandth of it. System::energyLost is what was lost, or minus what was left alone. Where the
// robot floats its momentum stays, as far as that is possible. In flight it always stays (momentum.h), and is restored before energies are compared,
// because the next step begins with that.

#include "espalier/step/step_data.h"

namespace espalier {

/// Whether the error of the step is computed.
///   pre  the state is that after the step, world.saved that before
bool mayGainEnergy(const StepData& world, const System& sys);

/// Slows a robot down where its step has made energy. Errors beyond a hundredth of the kinetic energy,
/// before the step or after it, losses beyond a tenth, and gains that the momentum in flight needs are flagged.
///   io   the state's u
///   pre  as above; sys.z, sys.h, u+ and the factor are those of the last solve, and with loops y+
///        and the rates
///   uses sys.ws
void limitEnergy(StepData& world, System& sys);

}  // namespace espalier
