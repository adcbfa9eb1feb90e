#pragma once

// PrimalNewton's primal-dual steps (contact/primal_newton.h).

#include "espalier/contact/primal_newton_impl.h"

namespace espalier::contact {

template <class T>
void PrimalNewton<T>::linearise(const Problem<T>& problem, int i, int k, const Vec3<T>& lambda,
                                const Vec3<T>& v) {
  using S = value_t<T>;
  const T zero = bc<T>(0.0), one = bc<T>(1.0), tiny = bc<T>(S(1e-12)), e = one / scale_;
  if (rows_.group(k).isSingle) {
    Row& row = row_[static_cast<std::size_t>(k)];
    pull_[k] = zero3<T>();
    primal_detail::lineariseRow(row, lambda.z, v.z, e, pull_[k].z, row.weight);
    return;
  }
  const T inverse = problem.inverseScale(i);
  if (problem.kind(i) == Kind::Bounded) {
    const primal_detail::BoundedRows<T> rows(problem, i);
    Vec3<T>& answer = pull_[k];
    Vec3<T> weight;
    primal_detail::lineariseRow(rows.x, lambda.x, v.x, e, answer.x, weight.x);
    primal_detail::lineariseRow(rows.y, lambda.y, v.y, e, answer.y, weight.y);
    primal_detail::lineariseRow(rows.z, lambda.z, v.z, e, answer.z, weight.z);
    setDiagonal(k, weight * scale_);
    return;
  }
  Mat3<T> jacobian;
  Vec3<T> p;
  const T mu = problem.mu(i), slip = tangentNorm(v);
  const T turn = select(slip > tiny, mu / max(slip, tiny), zero);
  const Vec3<T> w{v.x, v.y, fma(mu, slip, v.z)};
  primal_detail::coneDerivative(nmadd(w, inverse, lambda), mu, p, jacobian);
  isActive_[static_cast<std::size_t>(k)] =
      any(jacobian.r0.x + jacobian.r1.y + jacobian.r2.z > zero);
  const T kept = one - e;
  const auto own = [&](const Vec3<T>& r) { return r * (-kept); };
  Mat3<T> a{own(jacobian.r0), own(jacobian.r1), own(jacobian.r2)};
  a.r0.x += one, a.r1.y += one, a.r2.z += one;
  // Rows of the adjugate are cross products of columns; a is symmetric.
  const Vec3<T> c0 = cross(a.r1, a.r2), c1 = cross(a.r2, a.r0), c2 = cross(a.r0, a.r1);
  const T determinant = one / dot(a.r0, c0);
  const Mat3<T> b{c0 * determinant, c1 * determinant, c2 * determinant};
  pull_[k] = mul(b, p - lambda);
  const T ex = turn * v.x, ey = turn * v.y;
  const auto row = [&](const Vec3<T>& r) {
    const Vec3<T> product = tmul(jacobian, r);  // r' J
    return Vec3<T>{fma(product.z, ex, product.x), fma(product.z, ey, product.y), product.z} *
           inverse;
  };
  k_[k] = {row(b.r0), row(b.r1), row(b.r2)};
}

template <class T>
void PrimalNewton<T>::findTargets(const Problem<T>& problem, Island island) {
  const T zero = bc<T>(0.0);
  const int groups = rows_.groups(), numbers = rows_.numbers();
  push(p_.data(), a_.data());
  for (int n = 0; n < numbers; ++n) f_[n] = zero;
  for (int k = 0; k < groups; ++k) {
    const int i = island[k];
    linearise(problem, i, k, p_[k], rows_.velocity(k, problem.freeVelocity(i), a_.data()));
    rows_.push(k, pull_[k], f_.data());
  }
  for (int n = 0; n < numbers; ++n) f_[n] = -f_[n];
  findStep();
  for (int k = 0; k < groups; ++k) {
    const Vec3<T> dv = rows_.velocity(k, zero3<T>(), step_.data());
    const T stiffness = row_[static_cast<std::size_t>(k)].weight * scale_;
    before_[k] = p_[k];
    center_[k] = rows_.group(k).isSingle ? Vec3<T>{zero, zero, fnma(stiffness, dv.z, pull_[k].z)}
                                         : pull_[k] - mul(k_[k], dv);
  }
}

template <class T>
T PrimalNewton<T>::findFall(const Problem<T>& problem, Island island, Vec3<T>* lambda,
                            const T& last, mask_t<T>& live) {
  constexpr int most_tries = 6;
  T length = bc<T>(1.0), now = last;
  mask_t<T> found = !live;
  for (int tries = 0; tries < most_tries && !all(found); ++tries) {
    for (int k = 0; k < rows_.groups(); ++k)
      lambda[island[k]] = madd(center_[k], length, before_[k]);
    for (int k = 0; k < rows_.groups(); ++k)
      p_[k] = pick<T>(found, p_[k], problem.admissible(island[k], lambda));
    push(p_.data(), trial_.data());
    now = residualAt(problem, island, lambda);
    found = found | (now < last);
    length = length * bc<T>(value_t<T>(0.5));
  }
  live = live & (now < last);
  return now;
}

template <class T>
PrimalReport<T> PrimalNewton<T>::trySteps(const Problem<T>& problem, Island island, Vec3<T>* lambda,
                                          const T& residual, value_t<T> tolerance, mask_t<T> live) {
  using S = value_t<T>;
  constexpr int most_steps = 8;
  const int groups = rows_.groups();
  PrimalReport<T> report{residual};
  for (int k = 0; k < groups; ++k)
    if (rows_.group(k).normal >= 0) return report;
  forgetSum();
  for (int k = 0; k < groups; ++k) best_[k] = p_[k] = byNumbers(lambda[island[k]]);
  scale_ = bc<T>(sizeof(S) == 8 ? S(1e4) : S(1e3));
  T last = residual;
  for (; report.steps < most_steps && any(live); ++report.steps) {
    findTargets(problem, island);
    last = findFall(problem, island, lambda, last, live);
    report.residual = select(live, last, report.residual);
    for (int k = 0; k < groups; ++k) best_[k] = pick<T>(live, p_[k], best_[k]);
    live = live & !(last <= bc<T>(tolerance));
  }
  for (int k = 0; k < groups; ++k) lambda[island[k]] = best_[k];
  return report;
}

}  // namespace espalier::contact
