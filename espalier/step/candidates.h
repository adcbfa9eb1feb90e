#pragma once

// Candidates: contacts across a gap that, by the velocities at the start, does not close in this
// step. They are left out of the contact problem, so that near misses cost the solver nothing.
// After each solve their velocities are checked; those that would penetrate after all join the
// problem, which is then solved again. The step's result is that of all contacts.

#include "espalier/step/step_data.h"

namespace espalier {

/// Takes the candidates out of world.contacts; of rates, laws and drifts, too.
///   pre  makeContacts(world)
void setCandidatesAside(StepData& world);
/// Their rows, behind those of the problem.
///   pre  kinematics and factors, as for all rows
void addCandidateRows(StepData& world);
/// Puts candidates that would penetrate after the step back among the contacts, in their old order,
/// and asks the laws once more.
///   in   isLast  false: the solve only predicts; then those that come near are admitted as well, for
///                one more solve costs more than a contact too many
///   in   groups  of the problem that was solved; the next solve starts from its impulses
///   pre  z of all movers with the impulses of the solve; addCandidateRows(world)
///   returns  whether there are any: assembleAgain(world), and solve once more
bool admitCandidates(StepData& world, bool isLast, int groups);
/// Impulses of rolling friction by contact, before its groups are counted anew.
void keepTorsions(StepData& world);
/// The problem with those that joined, to be solved from `start`.
void assembleAgain(StepData& world);
/// world.relaxed of the islands that have a new contact, after a solve; the others keep theirs.
void takeCalmOfNew(StepData& world);
/// Appends them to the list of contacts that the world reports, without an impulse.
void listCandidates(StepData& world);

}  // namespace espalier
