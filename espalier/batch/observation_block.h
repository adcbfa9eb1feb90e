#pragma once

// Evaluates an ObservationPlan for some worlds at once, a register full of them after the other.

#include <memory>
#include <span>

#include "espalier/batch/observation_plan.h"

namespace espalier {

/// One for each thread.
template <class S>
class ObservationBlock {
 public:
  virtual ~ObservationBlock() = default;

  /// How many worlds it takes at once.
  virtual int width() const = 0;
  /// scale x + offset of all columns.
  ///   in   worlds  at most width()
  ///   out  values  [columns][width]
  virtual void evaluate(std::span<const int> worlds, S* values) = 0;
};

/// In the widest registers of this machine.
///   in  plan  outlives the block
template <class S>
std::unique_ptr<ObservationBlock<S>> makeObservationBlock(const ObservationPlan<S>& plan);

/// In the lanes of x86-64-v4; the caller owns it.
///   pre  hasWideRegisters()
ObservationBlock<double>* newObservationBlock_v4(const ObservationPlan<double>& plan);
ObservationBlock<float>* newObservationBlock_v4(const ObservationPlan<float>& plan);

}  // namespace espalier
