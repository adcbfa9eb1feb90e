#pragma once

#include <vector>

#include "espalier/simulate/observer.h"
#include "espalier/simulate/simulation.h"

namespace espalier::sim {

/// Runs from the first time of the timeline (s) to the last, a step from each to the next:
///   init; per step: updateDynamic, updateControllers, updateConstraints, observers, integrate
/// The state at the last time is reached and not shown to the observers.
///   pre  the timeline ascends; the World's clock is set to its first time
void simulate(Simulation& simulation, const std::vector<double>& timeline,
              const std::vector<Observer*>& observers = {});

/// A World as it is, in its own scheme, with what it has of actuation, contacts and limits.
void simulate(World& world, const std::vector<double>& timeline,
              const std::vector<Observer*>& observers = {});

}  // namespace espalier::sim

namespace espalier {
using sim::simulate;
using sim::Simulation;
}  // namespace espalier
