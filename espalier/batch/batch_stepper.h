#pragma once

// What steps a few worlds of a batch at once. Every thread has one of its own; the numbers of the worlds are in
// BatchData, a stepper keeps scratch alone.

#include <span>

#include "espalier/batch/batch_data.h"

namespace espalier {

template <class S>
class BatchStepper {
 public:
  virtual ~BatchStepper() = default;
  /// Worlds that go side by side.
  virtual int width() const = 0;
  /// So many steps of these worlds, at most width() of them; no world is there twice.
  virtual void step(BatchData<S>& data, std::span<const int> worlds, int steps) = 0;
};

}  // namespace espalier
