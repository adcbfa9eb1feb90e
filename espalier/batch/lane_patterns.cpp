// Contacts of worlds in lanes. The largest set of worlds of one contact pattern is solved in lanes;
// every other world has its own problem, as always. Lanes sweep a few times only: what they
// have not solved by then is solved alone, from the beginning, so that the result has the same bits.

#include <algorithm>

#include "espalier/batch/lane_steps.h"
#include "espalier/step/candidates.h"
#include "espalier/step/free_bodies.h"
#include "espalier/step/limit_rows.h"
#include "espalier/step/sliding.h"
#include "espalier/step/stages.h"

namespace espalier {
namespace {

constexpr int sweeps_in_lanes = 24;

int groupsOf(const StepData& world) { return world.contactCount + world.jointRowCount; }

/// Whether the world has rows that lanes have not.
bool hasOwnRows(const StepData& world) { return hasRowsOnBodies(world, *world.owned[0]); }

/// Whether lanes could solve it. The work of contacts is read from the world's own problem.
bool isForLanes(const StepData& world) {
  const int groups = groupsOf(world);
  bool isPlain = groups > 0 && groups <= contact::few_groups && world.bodies.empty() &&
                 !world.monitorsEnergy && !hasOwnRows(world);
  for (int i = 0; i < world.contactCount && isPlain; ++i)
    isPlain = world.torsion[i] < 0 && !contact::pushes(world.bias[i]);  // lanes do not limit it
  for (int i = 0; i < world.jointRowCount && isPlain; ++i)  // lanes have one direction for all
    isPlain = world.jointRows[i].angle == LimitedAngle::COORDINATE;
  return isPlain;
}

int bodyOf(const StepData& world, GeomId id) {
  const PlacedGeom& geom = world.geom(id);
  return geom.system ? geom.body : -1;
}

}  // namespace

/// The same bodies and rows in the same order, and as much patience.
bool LaneSteps::haveSamePattern(const ContactPattern& a, const ContactPattern& b) {
  return a.groups > 0 && a.groups == b.groups && a.contacts == b.contacts &&
         a.tolerance == b.tolerance && a.maxSweeps == b.maxSweeps &&
         std::equal(a.on, a.on + a.groups, b.on);
}

/// Takes note of a world's groups while its numbers are at hand.
void LaneSteps::note(const StepData& world, ContactPattern& pattern) {
  pattern.groups = isForLanes(world) ? groupsOf(world) : 0;
  pattern.contacts = world.contactCount;
  pattern.tolerance = world.settings.tolerance;
  pattern.maxSweeps = world.settings.maxSweeps;
  for (int i = 0; i < pattern.groups; ++i) {
    LaneGroup<double>& g = pattern.group[i];
    g.rate = world.rate[i];
    g.bias = world.bias[i];
    pattern.lambda[i] = world.lambda[i];
    if (i < world.contactCount) {
      const Contact& c = world.contacts[i];
      pattern.on[i] = {bodyOf(world, c.geomA), bodyOf(world, c.geomB)};
      g.frame = c.frame;
      g.point = c.position;
      g.friction = c.friction;
    } else {
      const JointRow& row = world.jointRows[i - static_cast<std::size_t>(world.contactCount)];
      pattern.on[i] = {row.dof, row.isOneSided()};
      g.sign = row.sign;
      g.lower = row.lower;
      g.upper = row.upper;
      g.soft = row.softness;
    }
  }
}

void LaneSteps::assemble() {
  // The largest set, by the first of its members.
  std::size_t chosen = 0, most = 0;
  for (std::size_t i = 0; i < slots_.size() && 2 * most <= slots_.size(); ++i) {
    std::size_t count = 0;
    for (std::size_t k = i; k < slots_.size(); ++k)
      count += haveSamePattern(patterns_[i], patterns_[k]);
    if (count > most) {
      most = count;
      chosen = i;
    }
  }
  if (most < 2) return;
  const ContactPattern& first = patterns_[chosen];
  LaneSystem::Sources group, lambda;
  for (std::size_t l = 0; l < patterns_.size(); ++l) {
    const bool shares = l < slots_.size() && haveSamePattern(patterns_[l], first);
    if (l < slots_.size()) slots_[l].sharesSolve = shares;
    lanes_->at.takesPart[l] = shares;
    const ContactPattern& pattern = shares ? patterns_[l] : first;
    group[l] = &pattern.group[0].frame.r0.x;
    lambda[l] = &pattern.lambda[0].x;
  }
  lanes_->put(lanes_->at.group, group, first.groups * numbersOf<LaneGroup<double>>);
  lanes_->put(lanes_->at.lambda, lambda, first.groups * 3);
  lanes_->clearGroups();
  for (int i = 0; i < first.groups; ++i) {
    const auto [a, b] = first.on[i];
    if (i < first.contacts)
      lanes_->addContact(a, b);
    else
      lanes_->addJoint(a, b != 0);
  }
  lanes_->assemble();
}

void LaneSteps::solve(bool again) {
  std::copy_n(lanes_->at.z, zBefore_.size(), zBefore_.data());
  solveShared(again);
  const bool isLast = again || !info(scheme_).solvesTwice;
  forSlots([&](Slot& slot, int l) {
    const StepData& world = *slot.world;
    const bool needsProblem = groupsOf(world) > 0 || hasOwnRows(world) || world.monitorsEnergy;
    if (needsProblem && !slot.sharesSolve) solveOne(slot, l, again);
  });
  while (solveWithOthers(isLast)) {
  }
}

/// Solves again where others join; u+. Whether rows of joints have joined.
bool LaneSteps::solveWithOthers(bool isLast) {
  const auto toleranceOf = [&](const StepData& world) {
    return isLast ? world.settings.tolerance : firstTolerance(world);
  };
  forSlots([&](Slot& slot, int l) {
    while (admit(slot, l, isLast)) solveAgain(slot, l, toleranceOf(*slot.world));
  });
  lanes_->nextVelocity();
  bool isAny = false;
  forSlots([&](Slot& slot, int l) {
    if (!admitRows(slot, l)) return;
    solveAgain(slot, l, toleranceOf(*slot.world));
    isAny = true;
  });
  return isAny;
}

/// z of a lane before this solve.
void LaneSteps::putBack(int lane) {
  const int n = slots_[lane].sys->solved().nv;
  for (int d = 0; d < n; ++d)
    lanes_->at.z[d * lanes_->lanes + lane] = zBefore_[d * lanes_->lanes + lane];
}

int LaneSteps::groupsOfProblem(const Slot& slot) {
  return slot.hasProblem ? slot.world->problem.size() : groupsOf(*slot.world);
}

/// The world has a problem of its own from here on.
void LaneSteps::leaveShared(Slot& slot, int lane) {
  slot.sharesSolve = slot.hasProblem = false;
  lanes_->at.takesPart[lane] = 0;
}

/// Joints of a world that stop although they slid (sliding.h), and limits that it breaks (limit_rows.h); it is solved
/// alone from there on.
bool LaneSteps::admitRows(Slot& slot, int lane) {
  StepData& world = *slot.world;
  System& sys = *slot.sys;
  const int groups = groupsOfProblem(slot), rows = world.jointRowCount;
  const double* uNext = lanes_->at.uNext + lane;
  bool isAny = findBrokenLimits(world, sys, uNext, lanes_->lanes);
  if (world.slidingCount > 0) isAny |= findStopped(world, sys, uNext, lanes_->lanes);
  if (!isAny) return false;
  takeColumns(slot, lane);
  admitJointRows(world, groups, rows);
  leaveShared(slot, lane);
  return true;
}

/// Candidates of a world that join its contacts (candidates.h); it is solved alone from there on.
bool LaneSteps::admit(Slot& slot, int lane, bool isLast) {
  StepData& world = *slot.world;
  if (world.candidateCount == 0) return false;
  System& sys = *slot.sys;
  lanes_->take(lanes_->at.z, lane, sys.z.data(), sys.solved().nv);
  takeColumns(slot, lane);
  if (!slot.hasProblem) {
    world.rows.clear();
    addCandidateRows(world);
  }
  const bool isOther = admitCandidates(world, isLast, groupsOfProblem(slot));
  if (isOther) leaveShared(slot, lane);
  return isOther;
}

void LaneSteps::takeColumns(Slot& slot, int lane) {
  if (!slot.hasColumns) lanes_->takeColumns(lane, *slot.sys);
  slot.hasColumns = true;
}

void LaneSteps::solveShared(bool again) {
  const auto shared =
      std::find_if(slots_.begin(), slots_.end(), [](const Slot& slot) { return slot.sharesSolve; });
  if (shared == slots_.end()) return;
  StepData& first = *shared->world;
  const double tolerance = again ? first.settings.tolerance : firstTolerance(first);
  first.solvesAgain = 0;
  SolveBudget budget = budgetOf(first, tolerance);
  budget.sweeps = std::min(budget.sweeps, sweeps_in_lanes);
  const int steps = lanes_->solve(tolerance, budget, again);
  forSlots([&](Slot& slot, int l) {
    if (!slot.sharesSolve) return;
    StepData& world = *slot.world;
    const int groups = groupsOf(world);
    world.solvesAgain = 0;
    const double residual = lanes_->at.residual[l];
    if (residual <= tolerance) {
      lanes_->take(lanes_->at.lambda, l, &world.lambda[0].x, 3 * groups);
      std::copy_n(world.lambda.data(), groups, world.relaxed.data());
      world.report.residual = residual;
      world.report.iterations += steps;
      return;
    }
    putBack(l);
    lanes_->at.takesPart[l] = 0;
    slot.sharesSolve = false;
  });
}

/// From the warm start, or from what the first solve came to.
void LaneSteps::solveOne(Slot& slot, int lane, bool again) {
  StepData& world = *slot.world;
  System& sys = *slot.sys;
  const int n = sys.solved().nv;
  const double tolerance = again ? world.settings.tolerance : firstTolerance(world);
  takeColumns(slot, lane);
  lanes_->take(lanes_->at.z, lane, sys.z.data(), n);
  if (slot.hasProblem) {
    solveContacts(world, tolerance, again);
  } else {
    assembleContacts(world);
    solveContacts(world, tolerance, false);
    slot.hasProblem = true;
  }
  lanes_->put(lanes_->at.z, lane, sys.z.data(), n);
}

/// With contacts that joined.
void LaneSteps::solveAgain(Slot& slot, int lane, double tolerance) {
  StepData& world = *slot.world;
  System& sys = *slot.sys;
  const int n = sys.solved().nv;
  putBack(lane);
  for (FreeBody* b : world.bodies) freeImpulse(*b, world.gravity, dt_);
  lanes_->take(lanes_->at.z, lane, sys.z.data(), n);
  assembleAgain(world);
  espalier::solveAgain(world, tolerance);
  slot.hasProblem = true;
  lanes_->put(lanes_->at.z, lane, sys.z.data(), n);
}

void LaneSteps::rememberImpulses(const Slot& slot) {
  espalier::rememberImpulses(*slot.world);
  solvedAlone += slot.hasProblem;
}

}  // namespace espalier
