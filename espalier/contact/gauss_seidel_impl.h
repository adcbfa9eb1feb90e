#pragma once

// The definitions of contact/gauss_seidel.h, for the translation units that instantiate them.

#include "espalier/contact/gauss_seidel.h"

namespace espalier::contact {

template <class T>
void GaussSeidel<T>::reserve(int maxGroups) {
  ESPALIER_REQUIRE(maxGroups >= 0, "capacities are counts");
  scale_ = AlignedArray<T>(static_cast<std::size_t>(maxGroups));
  inverseScale_ = AlignedArray<T>(static_cast<std::size_t>(maxGroups));
  factor_ = AlignedArray<SingleFactor<T>>(static_cast<std::size_t>(maxGroups));
}

template <class T>
SolveReport<T> GaussSeidel<T>::solve(const Problem<T>& problem, Vec3<T>* lambda,
                                     const SolveOptions<T>& options) {
  ESPALIER_REQUIRE(problem.size() <= static_cast<int>(scale_.size()),
                   "more contact groups than reserved");
  const T smallest = bc<T>(std::numeric_limits<value_t<T>>::min());
  for (int i = 0; i < problem.size(); ++i) {
    const Sym3<T>& g = problem.diagonal(i);
    scale_[i] = max((g.xx + g.yy + g.zz) * bc<T>(1.0 / 3.0), smallest);
    inverseScale_[i] = bc<T>(1.0) / scale_[i];
    factor_[i] = factorSingle(g, problem.mu(i));
  }
  return resolve(problem, lambda, options);
}

template <class T>
SolveReport<T> GaussSeidel<T>::resolve(const Problem<T>& problem, Vec3<T>* lambda,
                                       const SolveOptions<T>& options) {
  const T tolerance = bc<T>(options.tolerance), zero = bc<T>(0.0);
  for (int i = 0; i < problem.size(); ++i) lambda[i] = projectOnCone(lambda[i], problem.mu(i));

  SolveReport<T> report;
  report.residual = zero;
  report.converged = zero <= tolerance;
  if (problem.size() == 0) return report;

  mask_t<T> live = zero <= tolerance;
  while (report.sweeps < options.maxSweeps && any(live)) {
    const T seen = sweep(problem, lambda, report.sweeps % 2 == 0, live);
    ++report.sweeps;
    // Each contact was judged before its update and before those after it: confirm at the end.
    const mask_t<T> hopeful = live & (seen <= tolerance);
    if (any(hopeful)) {
      const T residual = residualOf(problem, lambda);
      const mask_t<T> done = hopeful & (residual <= tolerance);
      report.residual = select(done, residual, report.residual);
      live = live & !done;
    }
  }
  if (any(live)) report.residual = select(live, residualOf(problem, lambda), report.residual);
  report.converged = report.residual <= tolerance;
  return report;
}

/// One pass over all contacts; the largest residual met, each taken before its contact's update.
/// A row's sum ends with the contact updated last, which shortens the chain of dependent sums.
template <class T>
T GaussSeidel<T>::sweep(const Problem<T>& problem, Vec3<T>* lambda, bool forward,
                        mask_t<T> live) const {
  const int n = problem.size();
  T worst = bc<T>(0.0);
  if (forward) {
    for (int i = 0; i < n; ++i) {
      Vec3<T> v = problem.freeVelocity(i);
      for (const Coupling& c : problem.upper(i)) v += tmul(problem.block(c.block), lambda[c.group]);
      for (const Coupling& c : problem.lower(i)) v += mul(problem.block(c.block), lambda[c.group]);
      worst = max(worst, update(problem, lambda, i, v, live));
    }
  } else {
    for (int i = n - 1; i >= 0; --i) {
      Vec3<T> v = problem.freeVelocity(i);
      const auto lower = problem.lower(i), upper = problem.upper(i);
      for (const Coupling* c = lower.last; c-- != lower.first;)
        v += mul(problem.block(c->block), lambda[c->group]);
      for (const Coupling* c = upper.last; c-- != upper.first;)
        v += tmul(problem.block(c->block), lambda[c->group]);
      worst = max(worst, update(problem, lambda, i, v, live));
    }
  }
  return worst;
}

/// Solves contact i, whose velocity without its own impulse is `other`; its residual before that.
template <class T>
ESPALIER_INLINE T GaussSeidel<T>::update(const Problem<T>& problem, Vec3<T>* lambda, int i,
                                         Vec3<T> other, mask_t<T> live) const {
  const SingleFactor<T>& f = factor_[i];
  const Vec3<T> old = lambda[i];
  const Vec3<T> v = other + mul(problem.diagonal(i), old);
  const Vec3<T> c = nmadd(old, f.shift, other);
  lambda[i] = pick<T>(live, solveSingle(f, c, problem.mu(i), old), old);
  return residual(old, v, problem.mu(i), scale_[i], inverseScale_[i]);
}

template <class T>
T GaussSeidel<T>::residualOf(const Problem<T>& problem, const Vec3<T>* lambda) const {
  T worst = bc<T>(0.0);
  for (int i = 0; i < problem.size(); ++i) {
    const Vec3<T> v = problem.velocity(i, lambda);
    worst = max(worst, residual(lambda[i], v, problem.mu(i), scale_[i], inverseScale_[i]));
  }
  return worst;
}

}  // namespace espalier::contact
