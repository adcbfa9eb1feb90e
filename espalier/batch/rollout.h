#pragma once

// Inputs one after another for all worlds of a batch, and what the worlds did with them.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/batch/batch.h"

namespace espalier {

/// A quantity after the steps of each control.
template <class S>
struct RolloutRecord {
  int rows = 0, worlds = 0;
  std::vector<S> values;  ///< [controls][rows][worlds]

  const S& operator()(int control, int row, int world) const {
    return values[(static_cast<std::size_t>(control) * static_cast<std::size_t>(rows) +
                   static_cast<std::size_t>(row)) *
                      static_cast<std::size_t>(worlds) +
                  static_cast<std::size_t>(world)];
  }
};

template <class S>
struct Rollout {
  std::vector<RolloutRecord<S>> records;  ///< in the order of the names asked for
  std::vector<std::uint32_t> flags;  ///< [controls][worlds] StepFlag bits of the steps of a control
  std::vector<S> residual;           ///< [controls][worlds] m/s, the largest of them
};

/// One control after the other, each for so many steps of every world. The worlds begin where they are
/// (Batch::reset()); the input keeps the last control.
///   in  input     a quantity of Batch::bind() that may be written, such as "feedforward"
///       controls  [controls][rows of the input][worlds]
///       steps     of each control
///       record    quantities of Batch::bind()
///   errors  throws std::invalid_argument for names that there are not, for controls that are no whole number
///           of inputs, and for less than one step; no world is stepped then
template <class S>
Rollout<S> rollout(Batch<S>& batch, std::string_view input, std::span<const S> controls, int steps,
                   std::span<const std::string> record);

}  // namespace espalier
