#pragma once

#include <optional>
#include <vector>

#include "espalier/model/spec/tape.h"

namespace espalier {

/// sum of factors q + offset.
struct AffineRow {
  std::vector<double> factors;  ///< [inputs]
  double offset = 0;
};

/// What the first output of a tape is where no step but sums and multiples lead to it; nothing
/// where it is not a plain sum, or is written as if it were not.
std::optional<AffineRow> affineOf(const Tape& tape);

}  // namespace espalier
