#include "espalier/batch/batch.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "espalier/batch/alike.h"
#include "espalier/batch/lane_block.h"
#include "espalier/batch/thread_pool.h"
#include "espalier/batch/world_block.h"
#include "espalier/core/check.h"
#include "espalier/step/history.h"

namespace espalier {
namespace {

/// A stepper for one more thread.
///   in  plan  of THROUGHPUT mode
template <class S>
std::unique_ptr<BatchStepper<S>> makeStepper(const typename Batch<S>::Make& make,
                                             const LanePlan* plan, BatchData<S>& data,
                                             const BatchOptions& options) {
  if constexpr (std::is_same_v<S, double>)
    if (!plan) return std::make_unique<WorldBlock>(make);
  return makeLaneBlock<S>(*plan, data, options.iterations);
}

/// Of what users have bound, the gains of joints; those of a floating base are not read.
template <class S>
void requireGains(const WorldData& source, const BatchData<S>& data, std::span<const int> worlds) {
  const auto require = [&](const Rows<S>& gains, const char* name, int dof) {
    for (const int w : worlds)
      ESPALIER_REQUIRE(gains(dof, w) >= 0, std::string(name) + " of dof " + std::to_string(dof) +
                                               " of world " + std::to_string(w) + " is " +
                                               std::to_string(gains(dof, w)) +
                                               ": gains are numbers from zero up");
  };
  for (const auto& sys : source.owned)
    for (int d = sys->topology().floating ? 6 : 0; d < sys->topology().nv; ++d) {
      require(data.kp, "kp", sys->u0 + d);
      require(data.kd, "kd", sys->u0 + d);
    }
}

template <class S>
void requireTerrain(const BatchData<S>& data, std::span<const int> worlds) {
  for (int i = 0; i < 3; ++i)
    for (const int w : worlds)
      ESPALIER_REQUIRE(std::isfinite(data.terrain(i, w)),
                       "the terrain of world " + std::to_string(w) + " is moved by " +
                           std::to_string(data.terrain(i, w)) + " m: it must be finite");
}

}  // namespace

template <class S>
Batch<S>::Batch(const Make& make, int worlds, const BatchOptions& options) : mode_(options.mode) {
  ESPALIER_REQUIRE(worlds > 0, "a batch needs a world, not " + std::to_string(worlds));
  ESPALIER_REQUIRE(options.threads >= 0, "the number of threads must not be negative");
  ESPALIER_REQUIRE(options.iterations > 0, "the contact solver needs an iteration");
  ESPALIER_REQUIRE((std::is_same_v<S, double> || mode_ == BatchMode::THROUGHPUT),
                   "a batch in single precision has no ACCURATE mode: take THROUGHPUT");
  prototype_ = make();
  ESPALIER_REQUIRE(prototype_ != nullptr, "the function that makes worlds returned none");
  WorldData& world = dataOf(*prototype_);
  takeEdits(world);
  prepare(world);  // a State's history is checked against its room for contacts
  initial_ = prototype_->getState();
  data_ = std::make_unique<BatchData<S>>(worlds, batchSizesOf(world));
  if (mode_ == BatchMode::THROUGHPUT) {
    plan_ = std::make_unique<LanePlan>(make());
    requireAlike(plan_->data, world, 1);
  }
  const int wanted = options.threads > 0 ? options.threads : usableCores();
  for (int t = 0; t < wanted; ++t) {
    steppers_.push_back(makeStepper<S>(make, plan_.get(), *data_, options));
    if ((t + 1) * steppers_[0]->width() >= worlds) break;  // nobody would be left for the next one
  }
  everyWorld_.resize(static_cast<std::size_t>(worlds));
  isNamed_.resize(everyWorld_.size());
  std::iota(everyWorld_.begin(), everyWorld_.end(), 0);
  for (int w = 0; w < worlds; ++w) {
    takeInputs(world, *data_, w);
    put(w, initial_);
  }
}

template <class S>
Batch<S>::~Batch() = default;
template <class S>
Batch<S>::Batch(Batch&&) noexcept = default;

template <class S>
Rows<S> Batch<S>::bind(std::string_view name) {
  if (name == "delay" || name == "past_commands") data_->giveDelay();
  const Rows<S> rows = data_->find(name);
  data_->hasGains |= rows.data == data_->kp.data || rows.data == data_->kd.data;
  data_->hasWrenches |= rows.data == data_->wrench.data;
  data_->hasTerrain |= rows.data == data_->terrain.data;
  data_->hasOwnInertias |= rows.data == data_->mass.data || rows.data == data_->armature.data;
  if (rows.data) return rows;
  std::string known;
  for (const std::string_view other : BatchData<S>::names())
    known += (known.empty() ? "" : ", ") + std::string(other);
  core::throwInvalidArgument(
      "rows.data", "a batch has no quantity '" + std::string(name) + "'; there are " + known);
}

template <class S>
void Batch<S>::requireWorlds(std::span<const int> worlds) {
  std::string fault;
  std::size_t named = 0;
  for (; named < worlds.size() && fault.empty(); ++named) {
    const int w = worlds[named];
    if (w < 0 || w >= size())
      fault = "there is no world " + std::to_string(w) + " in a batch of " + std::to_string(size());
    else if (isNamed_[w]++)
      fault = "world " + std::to_string(w) + " is named twice";
  }
  for (const int w : worlds)
    if (w >= 0 && w < size()) isNamed_[w] = 0;
  ESPALIER_REQUIRE(fault.empty(), fault);
}

template <class S>
void Batch<S>::requireDelays(std::span<const int> worlds) const {
  const double most = BatchData<S>::most_delay * prototype_->getTimeStep();
  for (const int w : worlds) {
    const double delay = static_cast<double>(data_->delay(0, w));
    ESPALIER_REQUIRE(delay >= 0 && delay <= most * (1 + 1e-6),
                     "the motors of world " + std::to_string(w) + " have a delay of " +
                         std::to_string(delay) + " s: from 0 to " + std::to_string(most) +
                         " s, which is " + std::to_string(BatchData<S>::most_delay) + " steps");
  }
}

template <class S>
void Batch<S>::step(int steps) {
  step(everyWorld_, steps);
}

template <class S>
void Batch<S>::requireSteps(std::span<const int> worlds, int steps) const {
  ESPALIER_REQUIRE(steps > 0, "at least one step, not " + std::to_string(steps));
  if (data_->hasDelay()) requireDelays(worlds);
  if (data_->hasGains) requireGains(dataOf(*prototype_), *data_, worlds);
  if (data_->hasTerrain) requireTerrain(*data_, worlds);
}

template <class S>
int Batch<S>::blocksOf(std::size_t worlds) const {
  const auto width = static_cast<std::size_t>(steppers_[0]->width());
  return static_cast<int>((worlds + width - 1) / width);
}

/// Its blocks follow one another; the first shares have one more where they do not come out even.
template <class S>
void Batch<S>::stepShare(std::span<const int> worlds, int steps, int share, int shares) {
  const auto width = static_cast<std::size_t>(steppers_[0]->width());
  const int blocks = blocksOf(worlds.size()), each = blocks / shares, more = blocks % shares;
  const int first = share * each + std::min(share, more);
  const int last = first + each + (share < more ? 1 : 0);
  for (int b = first; b < last; ++b) {
    const std::size_t begin = static_cast<std::size_t>(b) * width;
    steppers_[share]->step(*data_, worlds.subspan(begin, std::min(width, worlds.size() - begin)),
                           steps);
  }
}

template <class S>
void Batch<S>::step(std::span<const int> worlds, int steps) {
  if (worlds.data() != everyWorld_.data()) requireWorlds(worlds);
  requireSteps(worlds, steps);
  const int shares = std::min(threads(), blocksOf(worlds.size()));
  if (shares == 0) return;
  runInThreads(shares, [&](int share) { stepShare(worlds, steps, share, shares); });
}

template <class S>
void Batch<S>::stepTogether(std::span<Batch* const> batches, int steps) {
  int threads = 0;
  for (std::size_t i = 0; i < batches.size(); ++i) {
    const Batch& batch = *batches[i];
    ESPALIER_REQUIRE(std::find(batches.begin(), batches.begin() + static_cast<int>(i), &batch) ==
                         batches.begin() + static_cast<int>(i),
                     "batch " + std::to_string(i) + " is there twice");
    batch.requireSteps(batch.everyWorld_, steps);
    threads = std::max(threads, batch.threads());
  }
  if (batches.empty()) return;
  runInThreads(threads, [&](int thread) {
    int next = 0;  // the thread whose turn it is to take a block more
    for (Batch* batch : batches) {
      const int shares = batch->threads(), share = (thread - next + threads) % threads;
      if (share < shares) batch->stepShare(batch->everyWorld_, steps, share, shares);
      next = (next + batch->blocksOf(batch->everyWorld_.size()) % shares) % threads;
    }
  });
}

template <class S>
State Batch<S>::getState(int world) const {
  ESPALIER_REQUIRE(world >= 0 && world < size(), "there is no world " + std::to_string(world));
  State state;
  for (int i = 0; i < data_->q.count; ++i) state.q.push_back(data_->q(i, world));
  for (int i = 0; i < data_->u.count; ++i) state.u.push_back(data_->u(i, world));
  state.time = data_->time(0, world);
  state.history = data_->history[world];
  return state;
}

template <class S>
void Batch<S>::put(int world, const State& state) {
  for (int i = 0; i < data_->q.count; ++i) data_->q(i, world) = static_cast<S>(state.q[i]);
  for (int i = 0; i < data_->u.count; ++i) data_->u(i, world) = static_cast<S>(state.u[i]);
  data_->time(0, world) = static_cast<S>(state.time);
  data_->forget(world);
  data_->history[world] = state.history;
  data_->report.clear(static_cast<std::size_t>(world));
  for (int i = 0; i < data_->contactForce.count; ++i) data_->contactForce(i, world) = S(0);
}

template <class S>
void Batch<S>::setState(int world, const State& state) {
  reset(std::span<const int>(&world, 1), state);
}

template <class S>
void Batch<S>::reset() {
  reset(everyWorld_, initial_);
}

template <class S>
void Batch<S>::reset(std::span<const int> worlds) {
  reset(worlds, initial_);
}

template <class S>
void Batch<S>::reset(std::span<const int> worlds, const State& state) {
  requireWorlds(worlds);
  WorldData& world = dataOf(*prototype_);
  requireState(world, state);
  if (hasHistory(world, state)) requireHistory(world, state.history);
  for (const int w : worlds) put(w, state);
}

template class Batch<double>;
template class Batch<float>;

}  // namespace espalier
