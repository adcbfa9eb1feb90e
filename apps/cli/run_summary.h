#pragma once

// Summary of a run, in a dozen numbers.

#include <array>
#include <string>
#include <vector>

#include "apps/cli/json.h"
#include "apps/cli/simulation.h"
#include "apps/cli/terminal.h"

namespace espalier::cli {

class RunSummary {
 public:
  void add(const StepReport& report);
  /// Of the state at the end.
  void finish(const Simulation& simulation, double wallTime, bool wasInterrupted);

  /// J, the sum so far; not a number where a step's is unknown.
  double energyBalance() const { return energyBalance_; }

  Json json(const Simulation& simulation) const;
  std::string draw(const Terminal& terminal, const Simulation& simulation) const;

 private:
  double meanContacts() const;
  double meanIterations() const;

  long long steps_ = 0, contacts_ = 0, iterations_ = 0;
  int maxContacts_ = 0, maxIterations_ = 0;
  double penetration_ = 0, residual_ = 0, closure_ = 0;
  bool hasLoops_ = false;
  double energyBalance_ = 0, largestBalance_ = 0;  // J: sum, largest of one step
  long long unknownBalances_ = 0;                  // steps
  std::array<long long, std::size(step_flags)> flagged_{};

  bool wasInterrupted_ = false;
  double wallTime_ = 0, simulatedTime_ = 0;
  std::vector<double> baseHeights_;
  std::string stateHash_;
};

}  // namespace espalier::cli
