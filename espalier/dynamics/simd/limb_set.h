#pragma once

// The limbs of a plan one by one, each with its own parameters: for several worlds at once, whose
// lanes are then worlds and not limbs (limb_lanes.h).

#include <vector>

#include "espalier/dynamics/simd/limb_plan.h"
#include "espalier/model/lowered.h"

namespace espalier {

struct LimbSet {
  /// One limb, or the trunk.
  struct Limb {
    int part, lane;  ///< of the plan
    Lowered<double> parameters;
  };
  LimbPlan plan;
  std::vector<Limb> limbs;  ///< the trunk first, then part by part; none where it is not worth it
};

LimbSet makeLimbSet(const Topology& t, const Mechanism& m, const Lowered<double>& parameters);

}  // namespace espalier
