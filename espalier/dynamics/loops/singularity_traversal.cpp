#include "espalier/dynamics/loops/singularity_traversal.h"

#include <algorithm>
#include <cmath>

#include "espalier/dynamics/loops/closure_impl.h"
#include "espalier/dynamics/loops/pivoting.h"
#include "espalier/dynamics/tree/kinematics.h"
#include "espalier/model/coordinates.h"

namespace espalier {
namespace {

/// Pivots count again from so many times the size at which they ceased to.
constexpr double hysteresis = 1.1;

/// Largest correction of an undetermined dof by its own row, rad or m.
constexpr double tiny = 1e-3;

/// The determining rows in one block; those behind them determine nothing.
void solveFirst(const Cluster& c, int rows, LoopPlan& plan) {
  plan.blocks.clear();
  if (rows > 0) plan.blocks.push_back({0, rows});  // there was one before: in place
  layOutBlocks(c, plan);
}

/// NaN counts as larger.
void keepLarger(double& most, double x) {
  if (!(x <= most)) most = x;
}

bool isFinite(const double* x, std::size_t count) {
  return std::all_of(x, x + count, [](double y) { return std::isfinite(y); });
}

}  // namespace

SingularityTraversal::SingularityTraversal(const Topology& topology, const Mechanism& mechanism)
    : t_(topology),
      m_(mechanism),
      isOn_(mechanism.clusters.size()),
      from_(static_cast<std::size_t>(topology.nq)),
      where_(static_cast<std::size_t>(topology.nq)),
      way_(static_cast<std::size_t>(topology.nv)),
      bend_(static_cast<std::size_t>(topology.nv)),
      G_(static_cast<std::size_t>(mechanism.sizeG)),
      misfit_(mechanism.clusters.size()),
      isFresh_(mechanism.clusters.size()),
      d_(static_cast<std::size_t>(topology.nv)),
      centre_(static_cast<std::size_t>(topology.nq)),
      beside_(static_cast<std::size_t>(topology.nq)) {
  clear();
  std::size_t most = 0;
  for (const Cluster& c : m_.clusters) most = std::max(most, c.rows.size());
  rows_.resize(most);
  columns_.resize(most);
}

/// A history holds these numbers of all clusters; only those of clusters in traversal are read.
void SingularityTraversal::clear() {
  neutral(t_, from_.data());
  neutral(t_, where_.data());
  for (AlignedArray<double>* list : {&way_, &bend_, &G_, &misfit_})
    std::fill(list->begin(), list->end(), 0.0);
}

/// Whether some pivot of K, by whichever dofs, is no larger than `least`.
bool SingularityTraversal::isNear(const Cluster& c, double least, LoopWorkspace<double>& loops) {
  return isFinite(&loops.K[c.firstK], c.rows.size() * c.dofs.size()) &&
         rankOf(c, least, loops) < static_cast<int>(c.rows.size());
}

int SingularityTraversal::rankOf(const Cluster& c, double least, LoopWorkspace<double>& loops) {
  std::fill_n(loops.local.data(), c.dofs.size(), 1.0);
  return pivotCluster(c, loops, least, loops.local.data(), rows_, columns_);
}

bool SingularityTraversal::begin(const Lowered<double>& par, const double* q0, const double* u0,
                                 const double* q, Workspace<double>& ws,
                                 LoopWorkspace<double>& loops) {
  closure_detail::placeClusters(t_, par, m_, q, ws);
  bool any = false;
  for (std::size_t i = 0; i < m_.clusters.size(); ++i) {
    const Cluster& c = m_.clusters[i];
    isFresh_[i] = 0;
    if (isOn_[i] != 0 || !canTraverse(c)) continue;
    closure_detail::evaluateRows(t_, m_, c, q, ws, loops);
    isFresh_[i] = isNear(c, c.leastPivot, loops) ? 1 : 0;
    any |= isFresh_[i] != 0;
  }
  if (!any) return false;
  kinematics(t_, par, q0, u0, ws);
  loopRates(t_, m_, q0, ws, loops);
  loopAccelerations(t_, m_, u0, ws, loops);
  for (std::size_t i = 0; i < m_.clusters.size(); ++i)
    if (isFresh_[i] != 0) remember(m_.clusters[i], q0, u0, q, loops);
  closure_detail::placeClusters(t_, par, m_, q, ws);
  for (std::size_t i = 0; i < m_.clusters.size(); ++i) {
    if (isFresh_[i] == 0) continue;
    closure_detail::evaluateRows(t_, m_, m_.clusters[i], q, ws, loops);
    hold(m_.clusters[i], loops);
    std::copy_n(q, t_.nq, centre_.begin());
    lookAround(par, m_.clusters[i], ws, loops);
    isOn_[i] = 1;
    ++count_;
  }
  return true;
}

/// The plan in which undetermined rows come last.
///   pre  K where it was found near
void SingularityTraversal::hold(const Cluster& c, LoopWorkspace<double>& loops) {
  LoopPlan& plan = loops.plans[indexOf(c)];
  const int rank = rankOf(c, c.leastPivot, loops);
  double* isFree = loops.local.data();
  std::fill_n(isFree, c.dofs.size(), 1.0);
  for (const int j : plan.independent) isFree[j] = 0;
  const int found = pivotCluster(c, loops, c.leastPivot, isFree, plan.rows, columns_);
  // Without the independent dofs' columns pivots may be larger, but the rank is the same.
  plan.solved = std::min(rank, found);
  int next = found;
  for (int j = 0; j < static_cast<int>(c.dofs.size()); ++j)
    if (isFree[j] != 0) columns_[next++] = j;
  std::copy_n(columns_.begin(), c.rows.size(), plan.dependent.begin());
  std::fill(plan.leastPivots.begin(), plan.leastPivots.end(), 0.0);  // they are known
  solveFirst(c, plan.solved, plan);
}

/// Subtracts the relaxation f (1 - p^2 / p_1^2) from phi.
///   returns the largest |phi| left to close
double SingularityTraversal::aim(const Cluster& c, LoopWorkspace<double>& loops) {
  using namespace closure_detail;
  const std::size_t i = indexOf(c);
  const int rows = static_cast<int>(c.rows.size());
  LoopPlan& plan = loops.plans[i];
  if (isOn_[i] != 0) {
    const int solved = plan.solved;
    solveFirst(c, rows, plan);
    factorBlocks(c, plan, loops);
    solveFirst(c, solved, plan);
    const double share = loops.lu[c.firstK + rows * rows - 1] * hysteresis * c.leastPivot;  // p_1/p
    if (share * share > 1)
      loops.phi[c.firstRow + plan.rows.back()] -= misfit_[i] * (1 - 1 / (share * share));
  }
  double worst = 0;
  for (int r = 0; r < rows; ++r) keepLarger(worst, std::abs(loops.phi[c.firstRow + r]));
  return worst;
}

/// loops.step of a cluster's dofs: Newton by all rows where the undetermined dofs hardly move, else
/// by the determining rows.
void SingularityTraversal::findStep(const Cluster& c, LoopWorkspace<double>& loops) {
  using namespace closure_detail;
  LoopPlan& plan = loops.plans[indexOf(c)];
  const int solved = plan.solved, rows = static_cast<int>(c.rows.size());
  double* x = loops.local.data();
  const auto solve = [&] {
    for (std::size_t j = 0; j < c.dofs.size(); ++j) x[j] = 0;
    factorBlocks(c, plan, loops);
    solveColumns<1>(c, plan, loops, x, 1, [&](int r) { return -loops.phi[c.firstRow + r]; });
  };
  const auto hardlyMoves = [&](int j) { return std::abs(x[j]) <= tiny; };
  if (isAtChangePoint(c, plan)) {
    solveFirst(c, rows, plan);
    solve();
    solveFirst(c, solved, plan);
  }
  if (!isAtChangePoint(c, plan) ||
      !std::all_of(plan.dependent.begin() + solved, plan.dependent.end(), hardlyMoves))
    solve();
  for (std::size_t j = 0; j < c.dofs.size(); ++j) loops.step[c.dofs[j]] = x[j];
}

double SingularityTraversal::close(const Lowered<double>& par, double* q, double tolerance,
                                   int iterations, Workspace<double>& ws,
                                   LoopWorkspace<double>& loops) {
  double strayed = 0;
  for (double& x : loops.step) x = 0;
  for (int i = 0;; ++i) {
    placeBodies(t_, par, q, ws);
    double gap = strayed, left = 0;
    for (const Cluster& c : m_.clusters) {
      keepLarger(gap, closure_detail::evaluateRows(t_, m_, c, q, ws, loops));
      keepLarger(left, aim(c, loops));
    }
    if (i == iterations || !(left > tolerance)) {
      extrapolate(q, loops);
      solveRates(m_, loops);
      return gap;
    }
    for (const Cluster& c : m_.clusters) findStep(c, loops);
    for (const double x : loops.step)
      if (!(std::abs(x) <= 0.5)) strayed = 1;
    advance(t_, q, loops.step.data(), q);
  }
}

bool SingularityTraversal::end(LoopWorkspace<double>& loops) {
  bool any = false;
  for (std::size_t i = 0; i < m_.clusters.size(); ++i) {
    const Cluster& c = m_.clusters[i];
    if (isOn_[i] == 0 || isNear(c, hysteresis * c.leastPivot, loops)) continue;
    std::fill(loops.plans[i].leastPivots.begin(), loops.plans[i].leastPivots.end(), c.leastPivot);
    solveFirst(c, static_cast<int>(c.rows.size()), loops.plans[i]);
    isOn_[i] = 0;
    --count_;
    any = true;
  }
  return any;
}

void SingularityTraversal::stop(LoopWorkspace<double>& loops) {
  for (std::size_t i = 0; i < m_.clusters.size(); ++i) {
    if (isOn_[i] == 0) continue;
    loops.usePublic(m_, m_.clusters[i]);
    isOn_[i] = 0;
  }
  count_ = 0;
  clear();
}

void SingularityTraversal::resume(const Lowered<double>& par, Workspace<double>& ws,
                                  LoopWorkspace<double>& loops) {
  count_ = 0;
  for (const Cluster& c : m_.clusters) {
    loops.usePublic(m_, c);
    if (!canTraverse(c)) isOn_[indexOf(c)] = 0;
  }
  if (std::none_of(isOn_.begin(), isOn_.end(), [](double x) { return x != 0; })) return;
  kinematics(t_, par, from_.data(), way_.data(), ws);
  loopRates(t_, m_, from_.data(), ws, loops);
  chooseIndependents(m_, loops);
  closure_detail::placeClusters(t_, par, m_, where_.data(), ws);
  for (std::size_t i = 0; i < m_.clusters.size(); ++i) {
    if (isOn_[i] == 0) continue;
    closure_detail::evaluateRows(t_, m_, m_.clusters[i], where_.data(), ws, loops);
    hold(m_.clusters[i], loops);
    ++count_;
  }
}

}  // namespace espalier
