#pragma once

#include <vector>

#include "espalier/model/loops/mechanism.h"

namespace espalier {

/// The independent dofs of each cluster now: the public ones, or those of chooseIndependents().
/// Nothing here is inline, because workspaces of wide lanes hold one, too, and must not bring
/// their own copies of std::vector's functions (scripts/check_isa.py).
struct LoopPlans {
  /// The public ones.
  explicit LoopPlans(const Mechanism& m);
  /// A copy has no room for plans that are larger than its own; what is moved keeps it.
  LoopPlans(const LoopPlans& other);
  LoopPlans(LoopPlans&& other) noexcept;
  LoopPlans& operator=(const LoopPlans& other);
  LoopPlans& operator=(LoopPlans&& other) noexcept;
  ~LoopPlans();

  /// The public ones in one cluster; allocates nothing.
  void takePublicPlan(const Mechanism& m, const Cluster& c);

  std::vector<LoopPlan> plans;  ///< [clusters]
  std::vector<int> dofOfY;      ///< [reduced.nv]
};

}  // namespace espalier
