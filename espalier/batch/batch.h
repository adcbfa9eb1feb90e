#pragma once

// Batch: many worlds of one kind, stepped together. It owns their states, inputs and parameters, number by
// number, world beside world, and shares the work among threads.
//
//   Batch<double> batch([] { return makeWorld(); }, 4096);
//   Rows<double> target = batch.bind("target_q");
//   for (...) {
//     target(7, 12) = 0.3;      // coordinate 7 of world 12
//     batch.step();
//   }
//
// Two modes:
//   ACCURATE    every world's bits are those of World::integrate() of a world alone. Of S double alone
//   THROUGHPUT  registers full of worlds go through the whole step together; the contact solver makes at
//               most some iterations from the warm start (docs/batch.md states the errors)
// In both the bits of a world are the same at any number of threads, at any place in the batch, beside
// any neighbours.

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/batch/batch_data.h"
#include "espalier/batch/batch_stepper.h"
#include "espalier/world/world.h"

namespace espalier {

struct LanePlan;

enum class BatchMode { ACCURATE, THROUGHPUT };

struct BatchOptions {
  BatchMode mode = BatchMode::ACCURATE;
  int threads = 0;      ///< 0: one for each core that the process may use
  int iterations = 32;  ///< THROUGHPUT: of the contact solver in a solve, at most
};

template <class S>
class Batch {
 public:
  /// Builds a world; every call builds the same one.
  using Make = std::function<std::shared_ptr<World>()>;

  ///   in  make    is called a few times for each thread. State, motors' targets, gains and limits of the
  ///               first world are those of all worlds at the start
  ///   errors  throws std::invalid_argument where sizes are not positive, where the mode is not for this S, or
  ///           where THROUGHPUT lacks something that the world has (the message names it)
  Batch(const Make& make, int worlds, const BatchOptions& options = {});
  ~Batch();
  Batch(Batch&&) noexcept;

  int size() const { return data_->size(); }
  int threads() const { return static_cast<int>(steppers_.size()); }
  BatchMode mode() const { return mode_; }
  /// The world that all others are like, as it was built; its robots name joints and bodies.
  World& prototype() { return *prototype_; }
  const State& initialState() const { return initial_; }

  /// A quantity of all worlds, to be read and written between steps (BatchData says which there are). It stays
  /// where it is as long as the batch.
  ///   errors  throws std::invalid_argument with the names that there are
  Rows<S> bind(std::string_view name);

  /// So many steps of every world, or of these.
  ///   errors  throws std::invalid_argument where a world is not there or is named twice, or where a delay is
  ///           negative or too long, a gain negative or not a number, or terrain not finite
  void step(int steps = 1);
  void step(std::span<const int> worlds, int steps = 1);
  /// So many steps of every world of several batches, of different robots perhaps: one call of the threads, of
  /// which each has as many registers of worlds as any other, to one. The bits are those of step().
  ///   errors  as step(); throws std::invalid_argument where a batch is there twice
  static void stepTogether(std::span<Batch* const> batches, int steps = 1);

  /// A world as a State; with it World::setState() goes on as the batch would (ACCURATE).
  State getState(int world) const;
  void setState(int world, const State& state);
  /// Back to the initial state, with what the solver remembers forgotten. Inputs and parameters stay.
  void reset();
  void reset(std::span<const int> worlds);
  void reset(std::span<const int> worlds, const State& state);

  /// Its numbers, to be read between steps.
  const BatchData<S>& data() const { return *data_; }
  /// Throws std::invalid_argument where a world is not there or is named twice.
  void requireWorlds(std::span<const int> worlds);

  /// What the last call of step() was worth; zero of worlds that it did not step since they were reset.
  const BatchReport<S>& report() const { return data_->report; }

 private:
  void put(int world, const State& state);
  void requireDelays(std::span<const int> worlds) const;
  void requireSteps(std::span<const int> worlds, int steps) const;
  /// Registers that so many worlds fill.
  int blocksOf(std::size_t worlds) const;
  /// One of `shares` shares of a step, which the stepper of this number takes.
  void stepShare(std::span<const int> worlds, int steps, int share, int shares);

  BatchMode mode_;
  std::shared_ptr<World> prototype_;
  State initial_;
  std::unique_ptr<BatchData<S>> data_;
  std::unique_ptr<const LanePlan> plan_;                    // of THROUGHPUT
  std::vector<std::unique_ptr<BatchStepper<S>>> steppers_;  // by thread
  std::vector<int> everyWorld_;
  std::vector<char> isNamed_;  // scratch
};

}  // namespace espalier
