#include "apps/cli/run_length.h"

#include <fmt/format.h>

#include <cmath>

namespace espalier::cli {
namespace {

/// Up to here a double holds every whole number.
constexpr double most_counted = 0x1p53;

}  // namespace

Expected<long long> countSteps(const SimulationOptions& options, double dt,
                               const std::string& file) {
  const std::string or_in_file = file.empty() ? "" : ", or another <timeStep> in the file";
  const auto refused = [&](std::string what, std::string remedy) {
    Diagnostics diagnostics;
    diagnostics.add({Severity::Error, file, 0, std::move(what), std::move(remedy)});
    return diagnostics;
  };
  const double steps = options.time / dt;
  if (steps < 1 - 1e-9)
    return refused(fmt::format("the time step of {:.6g} s is longer than the run of {:.6g} s", dt,
                               options.time),
                   "give espalier sim a shorter --dt or a longer --time" + or_in_file);
  const std::string count = fmt::format(
      "a run of {:.6g} s in time steps of {:.6g} s takes {:.3g} steps", options.time, dt, steps);
  if (!(steps <= most_counted))
    return refused(count + ", more than can be counted",
                   "give espalier sim a longer --dt or a shorter --time" + or_in_file);
  if (steps > most_steps && !options.isLong)
    return refused(fmt::format("{}, more than {:.0e}", count, most_steps),
                   "give espalier sim a longer --dt or a shorter --time" + or_in_file +
                       "; with --long it runs all the same");
  return std::llround(steps);
}

}  // namespace espalier::cli
