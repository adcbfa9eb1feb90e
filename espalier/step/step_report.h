#pragma once

// The report of a step. Nothing is thrown or printed in a step: a failure is a flag,
// and every flag names its remedy.

#include <cstdint>

namespace espalier {

enum class StepFlag : std::uint32_t {
  ContactsOverflow = 1u << 0,
  SolverNotConverged = 1u << 1,
  SingularMassMatrix = 1u << 2,
  NotFinite = 1u << 3,
  LoopOpen = 1u << 4,
  ChangePoint = 1u << 5,
  ImpulsesReduced = 1u << 6,
  EnergyNotKept = 1u << 7,
  ContactDropped = 1u << 8,
  Tunnelled = 1u << 9,
};

struct StepFlagInfo {
  StepFlag flag;
  const char* name;
  const char* remedy;
};

inline constexpr StepFlagInfo step_flags[] = {
    {StepFlag::ContactsOverflow, "contacts overflow",
     "raise World::setMaxContacts; some contacts of this step were left out"},
    {StepFlag::SolverNotConverged, "contact solver not converged",
     "raise maxSweeps or the tolerance in setContactSolverParam, or take a smaller time step"},
    {StepFlag::SingularMassMatrix, "singular mass matrix",
     "give every movable link an inertia along its joint; the robot, and what pushes on it, kept "
     "the state before this step"},
    {StepFlag::NotFinite, "state not finite",
     "check forces, gains and time step; the robot or body that the flag is about, and what pushes "
     "on it, kept the state before this step"},
    {StepFlag::LoopOpen, "loop not closed",
     "take a smaller time step, or keep the mechanism away from where its loops lock; where an "
     "embedded loop gapes by more than 1e-6 the robot was slowed down and moved only as far as its "
     "loops close"},
    {StepFlag::ChangePoint, "change point",
     "a loop is where it can go on in two ways, and goes on as it came; give a joint a limit "
     "before that, add a bar that guides it, or choose sides that differ by more"},
    {StepFlag::ImpulsesReduced, "contact impulses reduced",
     "the contact problem of an island was not solved, and what was found of it would have made "
     "energy; mend overlaps at the start and motions from outside that leave no way out, or take a "
     "smaller time step"},
    {StepFlag::EnergyNotKept, "energy not kept",
     "a robot turns so far in a step, or its linkages bend so much, that the step makes or loses "
     "energy; a world takes gains out again as far as the momentum allows, a batch's throughput "
     "mode does not; take a smaller time step"},
    {StepFlag::ContactDropped, "contact dropped",
     "two bodies are to be pushed apart along a normal that no joint can follow, as links of a "
     "planar robot that overlap sideways; such contacts are left out: correct the collision "
     "bodies or leave out the pair"},
    {StepFlag::Tunnelled, "went through",
     "a body moved by more than its own thickness and went through another one within a step; "
     "take a smaller time step, or make one of the two thicker"},
};

struct StepReport {
  int contacts = 0;        ///< touching or speculative contact points
  int activeContacts = 0;  ///< those with an impulse
  int limits = 0;          ///< joint limit rows
  int uncorrected = 0;     ///< contact islands that were solved as their gaps and penetrations are,
                           ///< since no motion was found that corrects them
  int iterations = 0;      ///< sweeps and Newton steps of the contact solvers, in all solves of the
                           ///< step together
  double residual = 0;     ///< m/s, largest violation of the contact law over all groups
  double closure = 0;      ///< m, or 1 for directions: largest gap of a closed loop, embedded or
                           ///< bilateral, at the end of the step
  double penetration = 0;  ///< m, deepest contact at the scheme's evaluation point
  /// J: change of mechanical energy minus the work of motors, dampers, external forces and
  /// contacts; the integration error. 0 unless World::setEnergyMonitoring(true). Not a number where
  /// it is unknown: some robot or body has refused the step, so that what acted in it did no work. With
  /// RUNGE_KUTTA_4 work is booked at the velocities before the stages: first order where motors,
  /// dampers or forces act.
  double energyBalance = 0;
  int refused = 0;  ///< robots and single bodies whose step was not taken
  /// Objects of the first pair that StepFlag::Tunnelled is about; -1: none.
  int tunnelledA = -1, tunnelledB = -1;
  double energy = 0;  ///< J, kinetic + potential + springs; only when monitored
  std::uint32_t flags = 0;

  bool has(StepFlag flag) const { return (flags & static_cast<std::uint32_t>(flag)) != 0; }
  void raise(StepFlag flag) { flags |= static_cast<std::uint32_t>(flag); }
};

}  // namespace espalier
