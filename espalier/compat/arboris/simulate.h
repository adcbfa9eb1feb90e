#pragma once

#include <concepts>
#include <ranges>
#include <vector>

#include "espalier/compat/arboris/observer.h"
#include "espalier/compat/arboris/simulation.h"

namespace espalier::sim {

/// Runs from the first time of the timeline (s) to the last, a step from each to the next, however
/// long:
///   init; for each further t: updateDynamic, updateControllers(dt, t), updateConstraints,
///   observers, integrate
/// The state at the last time is reached and not shown to the observers. The World's clock is set
/// to the first time, and at the end to the last.
///   errors  throws std::invalid_argument before the first step where the timeline is empty, does not
///           ascend or is not finite; and what observers, controllers and constraints throw, the
///           step given up (Simulation::abandonStep())
void simulate(Simulation& simulation, const std::vector<double>& timeline,
              const std::vector<Observer*>& observers = {});

/// A World as it is, in its own scheme, with its actuation, contacts and limits.
void simulate(World& world, const std::vector<double>& timeline,
              const std::vector<Observer*>& observers = {});

/// A timeline of any kind: an array, Eigen::VectorXd, a view.
///   in   driven  a Simulation or a World
template <class Driven, std::ranges::input_range Times>
requires std::convertible_to < std::ranges::range_value_t<Times>,
double > &&(!std::same_as<std::remove_cvref_t<Times>, std::vector<double>>)void simulate(
             Driven& driven, const Times& times, const std::vector<Observer*>& observers = {}) {
  simulate(driven, std::vector<double>(std::ranges::begin(times), std::ranges::end(times)),
           observers);
}

}  // namespace espalier::sim

namespace espalier {
using sim::simulate;
using sim::Simulation;
}  // namespace espalier
