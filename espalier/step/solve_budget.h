#pragma once

// The largest cost of a contact solve, so that a step's cost is bounded for any contacts.

namespace espalier {

struct StepData;

struct SolveBudget {
  int sweeps;  ///< of an island
  int effort;  ///< contact::SolveOptions::effort
};

/// Of the next solve. The first of MIDPOINT's two solves has less than the second; each one with
/// candidates that joined has about half. More sweeps than the default bring as many times the
/// effort.
///   in  tolerance  m/s, of the solve
SolveBudget budgetOf(const StepData& world, double tolerance);

}  // namespace espalier
