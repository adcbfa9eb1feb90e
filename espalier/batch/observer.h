#pragma once

// Observer: what policies see of the worlds of a batch, world after world in one array, at the present state.
//
//   Observer<float> observer(batch, {{.name = "gravity"}, {.name = "u", .scale = {0.05}}});
//   batch.step(5);
//   observer.observe(Observed<float>{array, columns, 1});
//
// A world's numbers are the same at any number of threads, at any place in the batch and beside any neighbours.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "espalier/batch/batch.h"
#include "espalier/batch/observation_block.h"
#include "espalier/batch/observation_plan.h"
#include "espalier/batch/quantity.h"

namespace espalier {

/// Where observations are written: column c of the i-th world at data[i worldStride + c columnStride].
template <class Out>
struct Observed {
  Out* data;
  std::ptrdiff_t worldStride, columnStride;
};

struct ObserverOptions {
  int history = 1;  ///< how many observations stand side by side, the newest first
  /// Calls of observe() by which observations are late: one number, or one a world.
  std::vector<int> delay{0};
  /// Half width of the uniform noise added to a column, in its own unit: one number, or one a column.
  std::vector<double> noise{0};
  std::uint64_t seed = 0;        ///< of the noise
  std::uint64_t firstWorld = 0;  ///< number of the batch's first world, for the noise
};

template <class S>
class Observer {
 public:
  ///   in  batch  outlives the observer and stays where it is
  ///   errors  throws std::invalid_argument where a quantity, joint, frame or body is not there (the message
  ///           names those that are like it), and where numbers do not fit
  Observer(Batch<S>& batch, std::span<const Quantity> list, const ObserverOptions& options = {});
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;

  /// history x columns of the list; a name with "@-k" is of k observations before.
  const std::vector<std::string>& names() const { return names_; }
  int columns() const { return static_cast<int>(names_.size()); }

  /// Observes all worlds, or these, which are one step further in their history and their noise.
  ///   out  one row for each of these worlds
  ///   errors  throws std::invalid_argument where a world is not there or is named twice
  template <class Out>
  void observe(const Observed<Out>& out);
  template <class Out>
  void observe(std::span<const int> worlds, const Observed<Out>& out);

  /// The next observation of these worlds fills their whole history.
  void reset();
  void reset(std::span<const int> worlds);
  /// As reset(), and their noise begins anew: the same observations follow as of a new observer.
  void restart(std::span<const int> worlds);
  /// Numbers of a world's memory: what it has observed, how often, and its delay. 0: no history, delay or noise.
  int memorySize() const { return noise_.empty() && !remembers() ? 0 : 3 + memoryOf(1); }
  ///   out  memory  [memorySize()], from which another observer of the same kind goes on
  void getMemory(int world, std::span<double> memory) const;
  void setMemory(int world, std::span<const double> memory);
  /// Changes the delay of these worlds, one each; at most the largest that options had.
  void setDelay(std::span<const int> worlds, std::span<const int> delay);

 private:
  template <class Out>
  void observeSome(ObservationBlock<S>& block, std::span<const int> worlds, S* values,
                   const Observed<Out>& out);
  void addNoise(std::span<const int> worlds, int width, S* values);
  void clip(int width, S* values) const;
  void remember(int world, const S* values, int width);
  bool remembers() const { return kept_ > 1; }
  /// Numbers that so many worlds remember.
  int memoryOf(int worlds) const { return remembers() ? worlds * kept_ * plan_.columns() : 0; }
  S* remembered(int world, int slot) {
    return memory_.data() + memoryOf(world) + static_cast<std::ptrdiff_t>(slot) * plan_.columns();
  }

  Batch<S>& batch_;
  ObservationPlan<S> plan_;
  std::vector<std::unique_ptr<ObservationBlock<S>>> blocks_;  // by thread
  std::vector<AlignedArray<S>> values_;                       // by thread: [columns][width]
  std::vector<std::string> names_;
  int history_, kept_;      // observations side by side, and kept of each world
  std::vector<int> delay_;  // [n]
  std::vector<S> noise_;    // [columns]; empty: none
  std::uint64_t seed_, firstWorld_;
  std::vector<std::uint64_t> count_;  // [n] observations so far
  std::vector<int> newest_;   // [n] slot of the newest observation; -1: none since the reset
  std::vector<S> memory_;     // [n][kept][columns]
  std::vector<int> clipped_;  // columns that are
  std::vector<int> everyWorld_;
};

}  // namespace espalier
