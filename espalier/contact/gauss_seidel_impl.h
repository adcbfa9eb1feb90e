#pragma once

// The definitions of contact/gauss_seidel.h, for the translation units that instantiate them.

#include "espalier/contact/gauss_seidel.h"
#include "espalier/contact/newton_impl.h"

namespace espalier::contact {

/// The largest residual of an island that has blocks.
template <class T>
T islandResidual(const Problem<T>& problem, typename Problem<T>::Island island,
                 const Vec3<T>* lambda) {
  T worst = bc<T>(0.0);
  for (const int i : island)
    worst = max(worst, problem.residualOf(i, lambda, problem.velocity(i, lambda)));
  return worst;
}

/// The same of one that is an operator.
///   out  a  [numbers] sum of (Y' D)' lambda on the island's movers
template <class T>
T islandResidual(const Problem<T>& problem, typename Problem<T>::Island island,
                 const Vec3<T>* lambda, T* a) {
  for (const int i : island)
    for (const Side<T>& s : problem.sides(i))
      for (int k = 0; k < s.count; ++k) a[s.mover + (s.dof ? s.dof[k] : k)] = bc<T>(0.0);
  for (const int i : island)
    for (const Side<T>& s : problem.sides(i)) push(s, lambda[i], a);
  T worst = bc<T>(0.0);
  for (const int i : island)
    worst = max(worst, problem.residualOf(i, lambda, problem.velocity(i, lambda, a)));
  return worst;
}

template <class T>
void GaussSeidel<T>::reserve(const Capacity& capacity) {
  ESPALIER_REQUIRE(capacity.groups >= 0 && capacity.numbers >= 0, "capacities are counts");
  const auto groups = static_cast<std::size_t>(capacity.groups);
  a_ = AlignedArray<T>(static_cast<std::size_t>(capacity.numbers));
  factor_ = AlignedArray<SingleFactor<T>>(groups);
  hasFactor_ = AlignedArray<bool>(groups);
  newton_.reserve(capacity.groups);
  if constexpr (lanes_v<T> == 1) {
    kept_ = AlignedArray<Vec3<T>>(groups);
    direct_.reserve(std::min(capacity.direct, capacity.groups));
  }
}

template <class T>
SolveReport<T> GaussSeidel<T>::solve(const Problem<T>& problem, Vec3<T>* lambda,
                                     const SolveOptions<T>& options) {
  ESPALIER_REQUIRE(problem.size() <= static_cast<int>(factor_.size()),
                   "more contact groups than reserved");
  ESPALIER_REQUIRE(problem.numbers() <= static_cast<int>(a_.size()),
                   "more numbers of movers than reserved");
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
    report.iterations = std::max(report.iterations, island.iterations);
    report.handedOver += island.handedOver;
    report.unsolved += any(island.live);
  }
  if (problem.islands() > 1) newton_.forget();
  report.converged = report.residual <= bc<T>(options.tolerance);
  return report;
}

template <class T>
auto GaussSeidel<T>::solveIsland(const Problem<T>& problem, Island island, Vec3<T>* lambda,
                                 const SolveOptions<T>& options) -> Progress {
  const T tolerance = bc<T>(options.tolerance), zero = bc<T>(0.0);
  const bool hasBlocks = problem.hasBlocks(island);
  const auto residualNow = [&] {
    return hasBlocks ? islandResidual(problem, island, lambda)
                     : islandResidual(problem, island, lambda, a_.data());
  };
  for (const int i : island) lambda[i] = problem.admissible(i, lambda);

  Progress progress{zero, zero <= zero};
  const auto confirm = [&](mask_t<T> hopeful) {
    const T residual = residualNow();
    const mask_t<T> done = hopeful & (residual <= tolerance);
    progress.residual = select(done, residual, progress.residual);
    progress.live = progress.live & !done;
  };
  const bool triesNewton = hasBlocks && island.size() <= small_island && options.newtonSteps > 0;
  if (triesNewton)
    tryNewton(problem, island, lambda, options, progress);
  else
    confirm(progress.live);
  if (any(progress.live)) factorIsland(problem, island);
  // Solver 2 costs as much as so many sweeps, or more.
  const int n = island.size();
  int nextTry = 4, handOverAt = 32 + n * n / 72;
  T halfway = bc<T>(std::numeric_limits<value_t<T>>::max());
  while (progress.sweeps < options.maxSweeps && any(progress.live)) {
    const bool forward = progress.sweeps % 2 == 0;
    const T seen = hasBlocks ? sweep(problem, island, lambda, forward, progress.live)
                             : sweepSides(problem, island, lambda, forward, progress.live);
    ++progress.sweeps;
    // Each contact was judged before its update and before those after it: confirm at the end.
    const mask_t<T> hopeful = progress.live & (seen <= tolerance);
    if (any(hopeful)) confirm(hopeful);
    if (progress.sweeps == nextTry && any(progress.live)) {
      nextTry *= 2;
      if (triesNewton) tryNewton(problem, island, lambda, options, progress);
    }
    if constexpr (lanes_v<T> == 1) {
      if (progress.sweeps == handOverAt / 2) halfway = seen;
      if (progress.sweeps != handOverAt || !progress.live) continue;
      // At this rate, would as many sweeps again do?
      const T gain = seen / halfway;
      const bool stalls = !(gain < T(1)) || seen * gain * gain > tolerance;
      if (stalls && !progress.handedOver && options.handsOver && n <= direct_.maxGroups())
        handOver(problem, island, lambda, options, progress);
      handOverAt *= 2;
      halfway = seen;
    }
  }
  if (any(progress.live)) {
    const T residual = residualNow();
    if constexpr (lanes_v<T> == 1) {
      if (progress.handedOver && progress.residual < residual) {
        for (int k = 0; k < n; ++k) lambda[island[k]] = kept_[k];
        return progress;
      }
    }
    progress.residual = select(progress.live, residual, progress.residual);
  }
  return progress;
}

/// Solver 2 on one island. Where it fails its answer is kept, and sweeps go on from there.
template <class T>
void GaussSeidel<T>::handOver(const Problem<T>& problem, Island island, Vec3<T>* lambda,
                              const SolveOptions<T>& options, Progress& progress) {
  if constexpr (lanes_v<T> == 1) {
    // A little stricter: its numbers are rounded otherwise than ours.
    const DirectReport<T> report =
        direct_.solve(problem, island, lambda, options.tolerance * T(0.9));
    progress.handedOver = true;
    progress.iterations += report.iterations;
    progress.newtonSteps += report.newtonSteps;
    progress.residual = problem.hasBlocks(island)
                            ? islandResidual(problem, island, lambda)
                            : islandResidual(problem, island, lambda, a_.data());
    progress.live = !(progress.residual <= options.tolerance);
    for (int k = 0; k < island.size(); ++k) kept_[k] = lambda[island[k]];
  }
}

template <class T>
void GaussSeidel<T>::tryNewton(const Problem<T>& problem, Island island, Vec3<T>* lambda,
                               const SolveOptions<T>& options, Progress& progress) {
  Vec3<T> before[small_island];
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
    if (!hasFactor_[i] && problem.kind(i) == Kind::Coulomb)
      factor_[i] = factorSingle(problem.diagonal(i), problem.mu(i));
    hasFactor_[i] = true;
  }
}

/// One pass over an island; the largest residual met, each taken before its contact's update.
/// A row's sum ends with the contact updated last, which shortens the chain of dependent sums.
template <class T>
T GaussSeidel<T>::sweep(const Problem<T>& problem, Island island, Vec3<T>* lambda, bool forward,
                        mask_t<T> live) {
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

/// The same where the island is an operator; a_ follows lambda. What is met is D times the change of
/// lambda: cheaper than the residual and of its size.
template <class T>
T GaussSeidel<T>::sweepSides(const Problem<T>& problem, Island island, Vec3<T>* lambda,
                             bool forward, mask_t<T> live) {
  T worst = bc<T>(0.0);
  const int n = island.size();
  for (int k = 0; k < n; ++k) {
    const int i = island[forward ? k : n - 1 - k];
    const Vec3<T> old = lambda[i], v = problem.velocity(i, lambda, a_.data());
    if (problem.kind(i) == Kind::Coulomb) {
      // Each contact comes round again: a step at a time towards its root is enough.
      const SingleFactor<T>& f = factor_[i];
      const Vec3<T> c = nmadd(old, f.shift, v - mul(problem.diagonal(i), old));
      lambda[i] = pick<T>(live, solveSingle(f, problem.mu(i), old, v, c, 1), old);
    } else {
      update(problem, lambda, i, v, v, live);
    }
    const Vec3<T> change = lambda[i] - old;
    for (const Side<T>& s : problem.sides(i)) push(s, change, a_.data());
    const T size = problem.scale(i);
    worst = max(worst, size * size * dot(change, change));
  }
  return sqrt(worst);
}

/// Solves group i, whose velocity without its own impulse is `other`; its residual before that.
template <class T>
ESPALIER_INLINE T GaussSeidel<T>::update(const Problem<T>& problem, Vec3<T>* lambda, int i,
                                         const Vec3<T>& other, mask_t<T> live) {
  return update(problem, lambda, i, other + mul(problem.diagonal(i), lambda[i]), other, live);
}

template <class T>
ESPALIER_INLINE T GaussSeidel<T>::update(const Problem<T>& problem, Vec3<T>* lambda, int i,
                                         const Vec3<T>& v, const Vec3<T>& other, mask_t<T> live) {
  const Vec3<T> old = lambda[i];
  if (problem.kind(i) == Kind::Coulomb) {
    const SingleFactor<T>& f = factor_[i];
    const Vec3<T> c = nmadd(old, f.shift, other);
    lambda[i] = pick<T>(live, solveSingle(f, problem.mu(i), old, v, c), old);
    return residual(old, v, problem.mu(i), problem.scale(i), problem.inverseScale(i));
  }
  const T before = problem.residualOf(i, lambda, v);
  const Vec3<T> next =
      problem.kind(i) == Kind::Bounded
          ? solveBounded(problem.diagonal(i), problem.lowerBound(i), problem.upperBound(i), old, v)
          : solveTorsion(problem.diagonal(i), problem.axes(i), problem.reach(i, lambda), old, v);
  lambda[i] = pick<T>(live, next, old);
  return before;
}

template <class T>
T GaussSeidel<T>::largestResidual(const Problem<T>& problem, const Vec3<T>* lambda) {
  T worst = bc<T>(0.0);
  for (int k = 0; k < problem.islands(); ++k) {
    const Island island = problem.island(k);
    worst =
        max(worst, problem.hasBlocks(island) ? islandResidual(problem, island, lambda)
                                             : islandResidual(problem, island, lambda, a_.data()));
  }
  return worst;
}

}  // namespace espalier::contact
