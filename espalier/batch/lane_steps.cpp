#include "espalier/batch/lane_steps.h"

#include <algorithm>

#include "espalier/batch/alike.h"
#include "espalier/core/check.h"
#include "espalier/step/stages.h"

namespace espalier {

namespace {

const System& robotOf(const StepData& world, std::size_t index) {
  ESPALIER_REQUIRE(world.owned.size() == 1, "world " + std::to_string(index) + " has " +
                                                std::to_string(world.owned.size()) +
                                                " robots; in lanes each world has one");
  return *world.owned[0];
}

}  // namespace

void LaneSteps::requireLikeRobots(const std::vector<WorldData*>& worlds) {
  for (std::size_t i = 0; i < worlds.size(); ++i) {
    WorldData& world = *worlds[i];
    takeEdits(world);
    requireSameRobot(robotOf(world, i), robotOf(*worlds[0], 0),
                     "the robot of world " + std::to_string(i));
    requireSameStepping(world, *worlds[0], i);
  }
}

LaneSteps::LaneSteps(std::vector<WorldData*> worlds)
    : worlds_((requireLikeRobots(worlds), std::move(worlds))),
      model_(worlds_[0]->owned[0]->model),
      parameters_(worlds_[0]->owned[0]->parameters),
      scheme_(worlds_[0]->scheme),
      dt_(worlds_[0]->dt) {
  const System& first = *worlds_[0]->owned[0];
  lanes_ = LaneSystem::make(first, parameters_);
  for (const StepData* world : worlds_) {
    known_.push_back({0, world->owned[0]->firstOwner, true, true});
    look(*world->owned[0], known_.back());
  }
  const auto count = static_cast<std::size_t>(lanes_->lanes);
  slots_.reserve(count);
  patterns_.resize(count);
  alone_.reserve(worlds_.size());
  geoms_ = AlignedArray<GeomMotion<double>>(count * model_->collisions.size());
  isTouched_.resize(static_cast<std::size_t>(model_->nb()));
  const int numbers = std::max({model_->nq(), 6, numbersOfGeoms()});
  nobody_ = AlignedArray<double>(static_cast<std::size_t>(numbers));
  noImpedance_ = AlignedArray<double>(static_cast<std::size_t>(first.topology().entries()));
  zBefore_ = AlignedArray<double>(count * static_cast<std::size_t>(first.solved().nv));
}

void LaneSteps::integrate(std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) beginStep(*worlds_[i]);
  steppedAlone = solvedAlone = 0;
  const auto width = static_cast<std::size_t>(lanes_->lanes);
  for (std::size_t first = 0; first < count; first += width)
    step(first, std::min(first + width, count));
}

/// Takes note of a robot's parameters.
void LaneSteps::look(const System& sys, Known& known) const {
  known.edits = sys.edits;
  known.sharesParameters = haveSameParameters(sys.parameters, parameters_);
  known.fits = haveSameShapes(*sys.model, *model_) && haveSameClosures(*sys.model, *model_) &&
               (known.sharesParameters || lanes_->canPutParameters(sys.parameters));
}

/// Whether lanes have all that this world asks for.
bool LaneSteps::fits(const StepData& world, Known& known) const {
  if (world.owned.size() != 1) return false;
  const System& sys = *world.owned[0];
  if (sys.firstOwner != known.firstOwner) return false;
  if (sys.edits != known.edits) look(sys, known);
  return known.fits && world.scheme == scheme_ && world.dt == dt_ &&
         (model_->mechanism.isTree() || !info(scheme_).hasStages);
}

/// Whether forces or rows look at bodies that touch nothing.
bool LaneSteps::asksForBodies(const StepData& world) {
  const System& sys = *world.owned[0];
  return sys.hasWrenches() || hasRowsOnBodies(world, sys);
}

/// Of lanes whose robots do not all have the same.
void LaneSteps::putParameters() {
  if (std::all_of(slots_.begin(), slots_.end(), [](const Slot& s) { return s.sharesParameters; }))
    return lanes_->shareParameters();
  const Lowered<double>* of[LaneSystem::most_lanes];
  for (std::size_t l = 0; l < std::size(of); ++l)
    of[l] = &slots_[l < slots_.size() ? l : 0].sys->parameters;
  lanes_->putParameters(of);
}

/// Those that go in lanes.
void LaneSteps::stepSlots() {
  putParameters();
  evaluate();
  if (slots_.empty()) return;
  push();
  assemble();
  solve(false);
  if (info(scheme_).solvesTwice) {
    pushAgain();
    solve(true);
  }
  arrive();
}

void LaneSteps::step(std::size_t first, std::size_t last) {
  slots_.clear();
  alone_.clear();
  for (std::size_t i = first; i < last; ++i) {
    StepData& world = *worlds_[i];
    beginEvaluation(world);
    if (!fits(world, known_[i])) {
      alone_.push_back(&world);
      continue;
    }
    System& sys = *world.owned[0];
    leaveStart(world, sys);
    if (!sys.loops().isPublic || sys.loops().traversal.isOn()) {
      alone_.push_back(&world);
      continue;
    }
    slots_.push_back({&world, &sys, known_[i].sharesParameters, false, false, false, 0, 0,
                      geoms_.data() + slots_.size() * model_->collisions.size()});
  }
  try {
    stepSlots();
  } catch (...) {  // a contact callback's: nobody has moved yet
    for (const Slot& slot : slots_) abandonStep(*slot.world);
    for (StepData* world : alone_) world->state = world->saved;
    throw;
  }
  // Momentum may have been put right already.
  for (StepData* world : alone_) world->state = world->saved;
  for (StepData* world : alone_) stepAlone(*world);
  steppedAlone += static_cast<int>(alone_.size());
}

}  // namespace espalier
