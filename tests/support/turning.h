#pragma once

// Linkages that nothing drives and nothing brakes, turning through their configurations: what is
// left of their energy, and how they pass where a joint comes to rest and turns back.

#include <cstdint>
#include <string>
#include <vector>

#include "espalier/world/world.h"

namespace espalier::testing {

/// A linkage of models/.
struct Turning {
  std::string model;
  double rate;  ///< of its crank at the beginning, rad/s
  Scheme scheme;
};
std::string nameOf(const Turning& c);  ///< as four_bar_rk4

struct Turned {
  double energy = 0;             ///< at the end, relative to what it had
  double worst = 0;              ///< on the way
  double closure = 0, step = 0;  ///< the largest gap; rad of the crank a step, in the mean
  std::uint32_t flags = 0;
};

/// In steps of dt without gravity, until the crank has turned so many times.
Turned turnFreely(const Turning& c, double dt, double turns);

/// A joint is at a dead point where it turns back. Its velocity changes as smoothly there as any:
///   |u+ - u - dt udot|,  udot of the state before the step, rad/s
/// in a step in which a joint turns back is compared to that of joints that never do; where all
/// do, as in a triple rocker, to that of joints in steps in which they do not.
struct Passed {
  long passages = 0, steps = 0;      ///< of the public joint
  double atRest = 0, elsewhere = 0;  ///< the largest of either
  double energy = 0, closure = 0;
  std::uint32_t flags = 0;
};

/// RUNGE_KUTTA_4 of a fixed linkage of hinges without gravity until the joint, the only public one,
/// has turned back so many times.
///   in  rate  of the joint at the beginning, rad/s
Passed passDeadPoints(const std::string& model, const std::string& joint, double rate, double dt,
                      long passages);

}  // namespace espalier::testing
