// State as a value, keyframes, checkpoints.

#include <cmath>

#include "espalier/core/check.h"
#include "espalier/model/coordinates.h"
#include "espalier/model/loops/all_loops.h"
#include "espalier/step/bilateral.h"
#include "espalier/step/free_bodies.h"
#include "espalier/step/history.h"
#include "espalier/step/state_ranges.h"
#include "espalier/world/objects.h"
#include "espalier/world/world.h"

namespace espalier {
void requireState(const WorldData& w, const State& state) {
  ESPALIER_REQUIRE(state.q.size() == w.state.q.size() && state.u.size() == w.state.u.size(),
                   "the state is another world's: " + std::to_string(state.q.size()) +
                       " coordinates, not " + std::to_string(w.state.q.size()));
  for (const auto* numbers : {&state.q, &state.u})
    for (double x : *numbers) ESPALIER_REQUIRE(std::isfinite(x), "a state must be finite");
  ESPALIER_REQUIRE(std::isfinite(state.time), "the time of a state must be finite");
  for (const auto& sys : w.owned) {
    if (!sys->model->hasLoops()) continue;
    const double most = sys->model->bilateral.isEmpty() ? torn_at_change_point : torn_bilateral;
    const double* from = state.q.data() + sys->q0;
    std::vector<double> q(from, from + sys->model->nq());
    normalize(sys->topology(), q.data());
    const double gap = closureResidual(*sys->model, sys->parameters, q.data());
    ESPALIER_REQUIRE(gap <= most,
                     "the state tears the loops of '" + w.objects[sys->object]->getName() +
                         "': " + std::to_string(gap) +
                         " is left open; setSpanningCoordinate() closes them near coordinates");
  }
}

State World::getState() const {
  State state = data_->state;
  if (!data_->isAtEvaluationPoint()) state.history = historyOf(*data_);
  return state;
}
void World::setState(const State& state) {
  WorldData& w = *data_;
  requireBetweenSteps(w);
  prepare(w);
  requireState(w, state);
  const bool goesOn = hasHistory(w, state);
  if (goesOn) requireHistory(w, state.history);

  w.state.q = state.q;
  w.state.u = state.u;
  w.state.time = state.time;
  goOnFrom(w, goesOn ? &state.history : nullptr);
}
std::span<const double> World::coordinates() const { return data_->state.q; }
std::span<const double> World::velocities() const { return data_->state.u; }
std::uint64_t World::stateHash() const { return hash(data_->state); }

std::vector<std::byte> World::saveCheckpoint() const {
  requireBetweenSteps(*data_);
  return toBytes(getState());
}
void World::restoreCheckpoint(std::span<const std::byte> bytes) {
  requireBetweenSteps(*data_);
  const State state = stateFromBytes(bytes);
  ESPALIER_REQUIRE(hasHistory(*data_, state),
                   "the checkpoint is another world's, or was taken before a weld was made or cut");
  setState(state);
}

void World::saveKeyframe(const std::string& name) { data_->keyframes[name] = saveCheckpoint(); }
std::vector<std::string> World::getKeyframeNames() const {
  std::vector<std::string> names;
  for (const auto& [name, bytes] : data_->keyframes) names.push_back(name);
  return names;
}
void World::reset(const std::string& keyframe) {
  const auto found = data_->keyframes.find(keyframe);
  ESPALIER_REQUIRE(found != data_->keyframes.end(), "there is no keyframe '" + keyframe + "'");
  restoreCheckpoint(found->second);
}
void World::reset() {
  WorldData& w = *data_;
  requireBetweenSteps(w);
  for (int i = 0; i < objectCount(); ++i) resetObject(w, i);
  w.state.time = 0;
  w.clearContacts();
  forget(w);
}

}  // namespace espalier
