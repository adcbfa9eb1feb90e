#include "espalier/step/solve_budget.h"

#include <algorithm>

#include "espalier/step/step_data.h"

namespace espalier {

SolveBudget budgetOf(const StepData& world, double tolerance) {
  constexpr int of_first = 15, of_last = 24, most_halvings = 2, least_sweeps = 20;
  const bool isFirst = tolerance != world.settings.tolerance;
  // The same contacts were far from solved a moment ago.
  const bool isHard = world.report.residual > 1e3 * firstTolerance(world);
  const int most = world.settings.maxSweeps;
  const int scale = std::max(most / ContactSettings{}.maxSweeps, 1);
  const int sweeps = isFirst || isHard ? std::min(most, std::max(most / 3, 50)) : most;
  const int effort = (isFirst ? of_first : of_last) >> std::min(world.solvesAgain, most_halvings);
  return {std::max(sweeps >> world.solvesAgain, std::min(sweeps, least_sweeps)), scale * effort};
}

}  // namespace espalier
