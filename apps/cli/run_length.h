#pragma once

#include "apps/cli/simulation.h"

namespace espalier::cli {

/// Steps of a run that are taken without --long.
inline constexpr double most_steps = 1e8;

/// The number of steps of a run: options.time / dt, rounded to the nearest.
///   in      dt    s, > 0, the world's time step
///   in      file  that the time step was read from; empty: it is an option's, or the default
///   errors  the run is shorter than one step; longer than most_steps without options.isLong; or so
///           long that double cannot count its steps
Expected<long long> countSteps(const SimulationOptions& options, double dt,
                               const std::string& file);

}  // namespace espalier::cli
