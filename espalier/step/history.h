#pragma once

// What the steps so far leave behind for the next one, besides q, u and time: the impulses that the
// solver starts from, momenta to be kept, energy lost to errors, for how long corrections are put off
// (backoff.h), what the predictors of loops know, and which bodies sleep.
// State::history holds it as numbers, so that a run goes on from a State to the bit.

#include <span>
#include <vector>

#include "espalier/step/step_data.h"

namespace espalier {

/// The history of the present state. Its first two numbers are a hash of q, u and the welds that it
/// belongs to.
///   pre  between steps
std::vector<double> historyOf(StepData& world);
/// The same into a list; allocates nothing once the list is long enough.
void writeHistory(StepData& world, std::vector<double>& history);

/// Whether a state has the history of its own q and u, in a world with the present welds. It has none
/// where q or u were written since, or were made by hand.
bool hasHistory(const StepData& world, const State& state);

/// Throws std::invalid_argument where these numbers can be no history of this world.
void requireHistory(StepData& world, std::span<const double> history);

/// Puts a history in force.
///   pre  requireHistory(); q and u are those that it belongs to
void takeHistory(StepData& world, std::span<const double> history);

/// What follows from q, u and time that were written: unit quaternions, no contacts, and the history where one is
/// given, else none.
///   in  history  null: none;  pre  as of takeHistory()
void goOnFrom(StepData& world, const std::vector<double>* history);

}  // namespace espalier
