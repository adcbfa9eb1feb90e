// Which dofs lead: the public ones, or at their dead points others.

#include <algorithm>

#include "espalier/dynamics/loops/closure_impl.h"
#include "espalier/dynamics/loops/pivoting.h"

namespace espalier {

double mostGain(const Cluster& c) {
  constexpr double gain = 1.5;
  return c.rows.size() <= 12 ? gain : std::max(gain, 1.1 * c.gain);
}

namespace {

/// Also in the order of elimination, so that not even rounding knows of earlier steps.
bool isSame(const LoopPlan& a, const LoopPlan& b) {
  return a.solved == b.solved && a.blocks.size() == b.blocks.size() && a.rows == b.rows &&
         a.dependent == b.dependent;
}

/// The plan of complete pivoting.
///   returns false where K has lost rank
bool pivot(const Cluster& c, LoopWorkspace<double>& loops, LoopPlan& plan) {
  const int rows = static_cast<int>(c.rows.size()), n = static_cast<int>(c.dofs.size());
  double* isFree = loops.local.data();
  std::fill_n(isFree, n, 1.0);
  if (pivotCluster(c, loops, 0, isFree, plan.rows, plan.dependent) < rows) return false;
  int next = 0;
  for (int j = 0; j < n; ++j)
    if (isFree[j] != 0) plan.independent[next++] = j;
  std::fill(plan.leastPivots.begin(), plan.leastPivots.end(), c.leastPivot);
  plan.blocks.resize(1);  // fewer than there were
  plan.blocks[0] = {0, rows};
  layOutBlocks(c, plan);
  return true;
}

}  // namespace

bool isPublic(const Mechanism& m, const LoopWorkspace<double>& loops) {
  return std::all_of(m.clusters.begin(), m.clusters.end(),
                     [&](const Cluster& c) { return isSame(loops.planOf(m, c), c.plan); });
}

void chooseIndependents(const Mechanism& m, LoopWorkspace<double>& loops) {
  using closure_detail::ratesOf;
  for (std::size_t i = 0; i < m.clusters.size(); ++i) {
    const Cluster& c = m.clusters[i];
    LoopPlan& plan = loops.plans[i];
    if (c.gain == 0 || c.ny() == 0 || isAtChangePoint(c, plan)) continue;
    if (!isSame(plan, c.plan)) {
      loops.usePublic(m, c);
      ratesOf(m, c, loops);
    }
    if (suffice(c, loops)) continue;
    if (!pivot(c, loops, plan)) {
      loops.usePublic(m, c);
      continue;
    }
    loops.takePlan(m, c);
    ratesOf(m, c, loops);
  }
}

}  // namespace espalier
