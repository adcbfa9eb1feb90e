#pragma once

// What subtree_mechanism.h is made of: the packs of a plan, which are its parts but the root, at
// work in the lanes of one instruction-set level.

#include <vector>

#include "espalier/dynamics/loops/reduction.h"
#include "espalier/dynamics/simd/subtree_plan.h"

namespace espalier {

/// One lane of a struct of lanes: its numbers stand `lanes` apart.
struct LanePlace {
  const double* at = nullptr;
  int lanes = 1;
};

/// Where the numbers of the whole are found.
struct SubtreeNumbers {
  struct Body {
    LanePlace R, x, V, A, c;
  };
  std::vector<Body> body;                     ///< [nb]
  std::vector<LanePlace> dof, reducedColumn;  ///< [nv], [firstReduced]
};

/// Nothing is inline, because subtree_mechanism_v4.cpp must not bring its own copies
/// (scripts/check_isa.py).
class SubtreePacks {
 public:
  virtual ~SubtreePacks();
  virtual void load(const Lowered<double>& parameters, const LoopWorkspace<double>& loops) = 0;
  virtual double close(double* q, double tolerance, int iterations,
                       LoopWorkspace<double>& loops) = 0;
  virtual void addBias(const Vec3d& gravity, const double* u, LoopWorkspace<double>& loops,
                       double* h) = 0;
  virtual void addMassMatrix(double* H) = 0;
  virtual void find(SubtreeNumbers& numbers) = 0;
};

/// In the lanes of the base level, all of one width.
SubtreePacks* newSubtreePacks(const SubtreePlan& plan);
/// In those of x86-64-v4, eight or four; the caller owns them.
///   pre  hasWideRegisters() of core/processor.h
SubtreePacks* newSubtreePacks_v4(const SubtreePlan& plan);

}  // namespace espalier
