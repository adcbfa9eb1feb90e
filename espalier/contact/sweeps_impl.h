#pragma once

// The sweeps of contact/gauss_seidel.h: over blocks, and over an operator.

#include "espalier/contact/gauss_seidel.h"
#include "espalier/contact/wide_contacts_impl.h"

namespace espalier::contact {

template <class T>
template <class Groups>
void GaussSeidel<T>::factor(const Problem<T>& problem, const Groups& groups) {
  for (const int i : groups) {
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
      Column3<T> v = problem.freeVelocity(i);
      for (const Coupling& c : problem.upper(i))
        v = v + tmul(problem.rows(c.block), lambda[c.group]);
      for (const Coupling& c : problem.lower(i))
        v = v + tmul(problem.columns(c.block), lambda[c.group]);
      worst = max(worst, update(problem, lambda, i, v.vec3(), live));
    }
  } else {
    for (int k = island.size() - 1; k >= 0; --k) {
      const int i = island[k];
      Column3<T> v = problem.freeVelocity(i);
      const auto lower = problem.lower(i), upper = problem.upper(i);
      for (const Coupling* c = lower.last; c != lower.first;) {
        --c;
        v = v + tmul(problem.columns(c->block), lambda[c->group]);
      }
      for (const Coupling* c = upper.last; c != upper.first;) {
        --c;
        v = v + tmul(problem.rows(c->block), lambda[c->group]);
      }
      worst = max(worst, update(problem, lambda, i, v.vec3(), live));
    }
  }
  return worst;
}

/// How an operator's groups are visited; the first call of an instant deals them.
template <class T>
auto GaussSeidel<T>::deal(const Problem<T>& problem, Island island) -> Deal {
  if (!isDealt_[island.index]) deal_[island.index] = wide_.deal(problem, island);
  isDealt_[island.index] = true;
  return deal_[island.index];
}

/// The largest residual of an operator; a_ becomes the sum of (Y' D)' lambda on its movers.
template <class T>
T GaussSeidel<T>::residualBySides(const Problem<T>& problem, const Deal& deal,
                                  const Vec3<T>* lambda) {
  T* a = a_.data();
  const auto left = wide_.left(deal);
  wide_.zero(deal, a);
  for (const int i : left)
    for (const Side<T>& s : problem.sides(i))
      s.forColumns([&](int, int number) { a[number] = bc<T>(0.0); });
  wide_.push(deal, a);
  for (const int i : left)
    for (const Side<T>& s : problem.sides(i)) push(s, lambda[i], a);
  T worst = wide_.residual(deal, a);
  for (const int i : left)
    worst = max(worst, problem.residualOf(i, lambda, problem.velocity(i, lambda, a)));
  return worst;
}

/// One pass over an operator; a_ follows lambda. The residual is D times the change of lambda:
/// cheaper than the residual and of its size.
template <class T>
T GaussSeidel<T>::sweepSides(const Problem<T>& problem, const Deal& deal, Vec3<T>* lambda,
                             mask_t<T> live, bool isRelaxed) {
  T* a = a_.data();
  const auto left = wide_.left(deal);
  T worst = wide_.sweep(deal, isRelaxed, a);
  if (!left.empty()) wide_.store(deal, lambda);
  for (const int i : left) {
    const Vec3<T> old = lambda[i];
    Vec3<T> v = problem.velocity(i, lambda, a);
    if (isRelaxed) v.z -= problem.correction(i);
    if (problem.kind(i) == Kind::Coulomb) {
      // Each contact comes round again: a step at a time towards its root is enough.
      const SingleFactor<T>& f = factor_[i];
      const Vec3<T> c = nmadd(old, f.shift, v - mul(problem.diagonal(i), old));
      lambda[i] = pick<T>(live, solveSingle(f, problem.mu(i), old, v, c, 1), old);
    } else {
      update(problem, lambda, i, v, v, live);
    }
    const Vec3<T> change = lambda[i] - old;
    for (const Side<T>& s : problem.sides(i)) push(s, change, a);
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
          : solveTorsion(problem.diagonal(i), problem.axes(i), problem.frictionRadius(i, lambda),
                         old, v);
  lambda[i] = pick<T>(live, next, old);
  return before;
}

}  // namespace espalier::contact
