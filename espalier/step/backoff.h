#pragma once

// Exponential back-off of position corrections. Where links wedge one another no motion follows the
// corrections of gaps, penetrations and limits, and the solver finds that out at the price of a hundred
// iterations and more (contact/gauss_seidel.h). A robot or body whose corrections failed in n steps one
// after another goes without them for 2^(n-1) - 1 steps, 15 at most, before they are tried again.

#include <algorithm>

namespace espalier {

struct StepData;

struct Backoff {
  static constexpr int most_failures = 5, most_waiting = (1 << (most_failures - 1)) - 1;

  int failures = 0;  ///< tries that failed one after another, most_failures at most
  int waiting = 0;   ///< steps without corrections still to come
  // Of the step in progress.
  bool waits = false, fails = false;

  bool isWithout() const { return waits || fails; }
  void beginStep() {
    waits = waiting > 0;
    fails = false;
    waiting -= waits;
  }
  void endStep() {
    if (waits) return;
    failures = fails ? std::min(failures + 1, most_failures) : 0;
    waiting = fails ? (1 << (failures - 1)) - 1 : 0;
  }
};

/// For every robot and body that may move.
void beginBackoff(StepData& world);
void endBackoff(StepData& world);

/// Takes the corrections out of the islands in which something is without them in this step.
///   pre     the contact problem is assembled, not solved
///   returns how many islands that changes
int leaveCorrectionsOut(StepData& world);

/// Takes them out of the islands that Newton's method left (contact::GaussSeidel::isLeft()); what is in
/// them is without corrections for the rest of the step.
///   returns how many islands that changes
int leaveCorrectionsOutOfUnsolved(StepData& world);

/// Where islands are not solved without corrections either, these are not why, and none is put off.
void keepCorrections(StepData& world);

}  // namespace espalier
