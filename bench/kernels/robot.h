#pragma once

// A robot and the states at which its dynamics are timed: the same worlds for every scalar.

#include "espalier/core/aligned.h"
#include "espalier/model/model.h"

namespace espalier::bench {

inline constexpr int state_count = 128;

struct Robot {
  /// Angles and metres within 1 of neutral, any orientation; the same numbers on every machine.
  explicit Robot(const Model& model);

  Topology topology;
  Lowered<double> inDouble;
  Lowered<float> inFloat;
  AlignedArray<double> q;             ///< [state_count][nq]
  AlignedArray<double> u, udot, tau;  ///< [state_count][nv]
};

}  // namespace espalier::bench
