#pragma once

// The definitions of contact/gauss_seidel.h, for the translation units that instantiate them.

#include "espalier/contact/gauss_seidel.h"
#include "espalier/contact/newton_impl.h"

namespace espalier::contact {

template <class T>
T islandResidual(const Problem<T>& problem, typename Problem<T>::Island island,
                 const Vec3<T>* lambda) {
  T worst = bc<T>(0.0);
  for (const int i : island) {
    const Vec3<T> v = problem.velocity(i, lambda);
    worst = max(worst,
                residual(lambda[i], v, problem.mu(i), problem.scale(i), problem.inverseScale(i)));
  }
  return worst;
}

template <class T>
void GaussSeidel<T>::reserve(int maxGroups) {
  ESPALIER_REQUIRE(maxGroups >= 0, "capacities are counts");
  factor_ = AlignedArray<SingleFactor<T>>(static_cast<std::size_t>(maxGroups));
  hasFactor_ = AlignedArray<bool>(static_cast<std::size_t>(maxGroups));
  newton_.reserve(maxGroups);
}

template <class T>
SolveReport<T> GaussSeidel<T>::solve(const Problem<T>& problem, Vec3<T>* lambda,
                                     const SolveOptions<T>& options) {
  ESPALIER_REQUIRE(problem.size() <= static_cast<int>(factor_.size()),
                   "more contact groups than reserved");
  for (int i = 0; i < problem.size(); ++i) hasFactor_[i] = false;
  newton_.forget();
  return resolve(problem, lambda, options);
}

template <class T>
SolveReport<T> GaussSeidel<T>::resolve(const Problem<T>& problem, Vec3<T>* lambda,
                                       const SolveOptions<T>& options) {
  SolveReport<T> report;
  report.residual = bc<T>(0.0);
  for (int k = 0; k < problem.islands(); ++k) {
    if (k > 0) newton_.forget();  // it keeps the factors of one island
    const Progress island = solveIsland(problem, problem.island(k), lambda, options);
    report.residual = max(report.residual, island.residual);
    report.sweeps = std::max(report.sweeps, island.sweeps);
    report.newtonSteps = std::max(report.newtonSteps, island.newtonSteps);
  }
  if (problem.islands() > 1) newton_.forget();
  report.converged = report.residual <= bc<T>(options.tolerance);
  return report;
}

template <class T>
auto GaussSeidel<T>::solveIsland(const Problem<T>& problem, Island island, Vec3<T>* lambda,
                                 const SolveOptions<T>& options) -> Progress {
  const T tolerance = bc<T>(options.tolerance), zero = bc<T>(0.0);
  for (const int i : island) lambda[i] = projectOnCone(lambda[i], problem.mu(i));

  Progress progress{zero, zero <= zero};
  tryNewton(problem, island, lambda, options, progress);
  if (any(progress.live)) factorIsland(problem, island);
  int nextTry = 4;
  while (progress.sweeps < options.maxSweeps && any(progress.live)) {
    const bool forward = progress.sweeps % 2 == 0;
    const T seen = sweep(problem, island, lambda, forward, progress.live);
    ++progress.sweeps;
    // Each contact was judged before its update and before those after it: confirm at the end.
    const mask_t<T> hopeful = progress.live & (seen <= tolerance);
    if (any(hopeful)) {
      const T residual = islandResidual(problem, island, lambda);
      const mask_t<T> done = hopeful & (residual <= tolerance);
      progress.residual = select(done, residual, progress.residual);
      progress.live = progress.live & !done;
    }
    if (progress.sweeps == nextTry && any(progress.live)) {
      nextTry *= 2;
      tryNewton(problem, island, lambda, options, progress);
    }
  }
  if (any(progress.live)) {
    const T residual = islandResidual(problem, island, lambda);
    progress.residual = select(progress.live, residual, progress.residual);
  }
  return progress;
}

template <class T>
void GaussSeidel<T>::tryNewton(const Problem<T>& problem, Island island, Vec3<T>* lambda,
                               const SolveOptions<T>& options, Progress& progress) {
  if (island.size() > Newton<T>::largest || options.newtonSteps <= 0) return;
  Vec3<T> before[Newton<T>::largest];
  for (int k = 0; k < island.size(); ++k) before[k] = lambda[island[k]];
  for (int step = 0;; ++step) {
    const T residual = newton_.evaluate(problem, island, lambda);
    const mask_t<T> done = progress.live & (residual <= bc<T>(options.tolerance));
    progress.residual = select(done, residual, progress.residual);
    progress.live = progress.live & !done;
    if (!any(progress.live) || step == options.newtonSteps) break;
    newton_.step(problem, island, lambda, progress.live);
    ++progress.newtonSteps;
  }
  for (int k = 0; k < island.size(); ++k) {
    Vec3<T>& l = lambda[island[k]];
    l = pick<T>(progress.live, before[k], l);
  }
}

template <class T>
void GaussSeidel<T>::factorIsland(const Problem<T>& problem, Island island) {
  for (const int i : island) {
    if (!hasFactor_[i]) factor_[i] = factorSingle(problem.diagonal(i), problem.mu(i));
    hasFactor_[i] = true;
  }
}

/// One pass over an island; the largest residual met, each taken before its contact's update.
/// A row's sum ends with the contact updated last, which shortens the chain of dependent sums.
template <class T>
T GaussSeidel<T>::sweep(const Problem<T>& problem, Island island, Vec3<T>* lambda, bool forward,
                        mask_t<T> live) const {
  T worst = bc<T>(0.0);
  if (forward) {
    for (const int i : island) {
      Vec3<T> v = problem.freeVelocity(i);
      for (const Coupling& c : problem.upper(i)) v += tmul(problem.block(c.block), lambda[c.group]);
      for (const Coupling& c : problem.lower(i)) v += mul(problem.block(c.block), lambda[c.group]);
      worst = max(worst, update(problem, lambda, i, v, live));
    }
  } else {
    for (int k = island.size() - 1; k >= 0; --k) {
      const int i = island[k];
      Vec3<T> v = problem.freeVelocity(i);
      const auto lower = problem.lower(i), upper = problem.upper(i);
      for (const Coupling* c = lower.last; c != lower.first;) {
        --c;
        v += mul(problem.block(c->block), lambda[c->group]);
      }
      for (const Coupling* c = upper.last; c != upper.first;) {
        --c;
        v += tmul(problem.block(c->block), lambda[c->group]);
      }
      worst = max(worst, update(problem, lambda, i, v, live));
    }
  }
  return worst;
}

/// Solves contact i, whose velocity without its own impulse is `other`; its residual before that.
template <class T>
ESPALIER_INLINE T GaussSeidel<T>::update(const Problem<T>& problem, Vec3<T>* lambda, int i,
                                         const Vec3<T>& other, mask_t<T> live) const {
  const SingleFactor<T>& f = factor_[i];
  const Vec3<T> old = lambda[i];
  const Vec3<T> v = other + mul(problem.diagonal(i), old);
  const Vec3<T> c = nmadd(old, f.shift, other);
  lambda[i] = pick<T>(live, solveSingle(f, problem.mu(i), old, v, c), old);
  return residual(old, v, problem.mu(i), problem.scale(i), problem.inverseScale(i));
}

template <class T>
T largestResidual(const Problem<T>& problem, const Vec3<T>* lambda) {
  T worst = bc<T>(0.0);
  for (int k = 0; k < problem.islands(); ++k)
    worst = max(worst, islandResidual(problem, problem.island(k), lambda));
  return worst;
}

}  // namespace espalier::contact
