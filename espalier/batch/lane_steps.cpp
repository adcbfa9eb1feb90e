#include "espalier/batch/lane_steps.h"

#include <algorithm>

#include "espalier/step/stages.h"

namespace espalier {

LanePack::Steps::Steps(std::vector<WorldData*> worlds)
    : worlds_(std::move(worlds)),
      model_(worlds_[0]->owned[0]->model),
      parameters_(*worlds_[0]->owned[0]),
      scheme_(worlds_[0]->scheme),
      dt_(worlds_[0]->dt) {
  const System& first = *worlds_[0]->owned[0];
  for (const StepData* world : worlds_)
    known_.push_back({world->owned[0]->edits, world->owned[0]->firstOwner});
  lanes_ = LaneSystem::make(first, parameters_);
  const auto count = static_cast<std::size_t>(lanes_->lanes);
  slots_.reserve(count);
  patterns_.resize(count);
  alone_.reserve(worlds_.size());
  geoms_ = AlignedArray<GeomMotion<double>>(count * model_->collisions.size());
  isTouched_.resize(static_cast<std::size_t>(model_->nb()));
  const int numbers = std::max({model_->nq(), 6, numbersOfGeoms()});
  nobody_ = AlignedArray<double>(static_cast<std::size_t>(numbers));
  if (!first.loops)
    noImpedance_ = AlignedArray<double>(static_cast<std::size_t>(first.topology().entries()));
  zBefore_ = AlignedArray<double>(count * static_cast<std::size_t>(first.solved().nv));
}

void LanePack::Steps::integrate() {
  for (WorldData* world : worlds_) beginStep(*world);
  steppedAlone = solvedAlone = 0;
  const auto count = static_cast<std::size_t>(lanes_->lanes);
  for (std::size_t first = 0; first < worlds_.size(); first += count)
    step(first, std::min(first + count, worlds_.size()));
}

/// Whether lanes have all that this world asks for.
bool LanePack::Steps::fits(const StepData& world, const Known& known) const {
  if (world.owned.size() != 1) return false;
  const System& sys = *world.owned[0];
  return sys.firstOwner == known.firstOwner && sys.edits == known.edits && world.welds.empty() &&
         world.scheme == scheme_ && world.dt == dt_ &&
         !(sys.loops && (info(scheme_).hasStages || sys.hasWrenches())) && sys.tendons.empty() &&
         sys.model->bilateral.isEmpty();
}

/// Those that go in lanes.
void LanePack::Steps::stepSlots() {
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

void LanePack::Steps::step(std::size_t first, std::size_t last) {
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
    if (sys.loops && (!sys.loops->isPublic || sys.loops->traversal.isOn())) {
      alone_.push_back(&world);
      continue;
    }
    slots_.push_back({&world, &sys, false, false, false, 0, 0,
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
