#pragma once

// PrimalNewton's primal-dual steps (contact/primal_newton.h).

#include "espalier/contact/primal_newton_impl.h"

namespace espalier::contact {

namespace primal_detail {

/// Steps; those in a row that may raise the residual, how far above the lowest one, and to what speed.
inline constexpr int most_steps = 8, most_rises = 3;
inline constexpr double most_rise = 30, most_residual = 0.2;  // m/s
/// s at first, its bounds, and the factors by which it changes.
template <class S>
inline constexpr double first_scale = sizeof(S) == 8 ? 1e4 : 1e3;
inline constexpr double least_scale = 100, growth = 3, shrinkage = 0.1;

}  // namespace primal_detail

template <class T>
void PrimalNewton<T>::linearise(const Problem<T>& problem, int i, int k, const Vec3<T>& lambda,
                                const Vec3<T>& v) {
  using S = value_t<T>;
  const T zero = bc<T>(0.0), one = bc<T>(1.0), tiny = bc<T>(S(1e-12)), e = one / scale_;
  if (rows_.group(k).isSingle) {
    Row& row = row_[k];
    center_[k] = zero3<T>();
    primal_detail::lineariseRow(row, lambda.z, v.z, e, scale_, center_[k].z, row.weight);
    return;
  }
  if (problem.kind(i) == Kind::Torsion) {
    lineariseTorsion(problem, i, k, lambda, v);
    return;
  }
  const T inverse = problem.inverseScale(i);
  if (problem.kind(i) == Kind::Bounded) {
    const primal_detail::BoundedRows<T> rows(problem, i);
    Vec3<T>& answer = center_[k];
    Vec3<T> weight;
    primal_detail::lineariseRow(rows.x, lambda.x, v.x, e, scale_, answer.x, weight.x);
    primal_detail::lineariseRow(rows.y, lambda.y, v.y, e, scale_, answer.y, weight.y);
    primal_detail::lineariseRow(rows.z, lambda.z, v.z, e, scale_, answer.z, weight.z);
    setDiagonal(k, weight * scale_);
    return;
  }
  Mat3<T> jacobian;
  Vec3<T> p;
  const T mu = problem.mu(i), slip = tangentNorm(v);
  const T turn = select(slip > tiny, mu / max(slip, tiny), zero);
  const Vec3<T> w{v.x, v.y, fma(mu, slip, v.z)};
  primal_detail::coneDerivative(nmadd(w, inverse, lambda), mu, p, jacobian);
  isActive_[k] = any(jacobian.r0.x + jacobian.r1.y + jacobian.r2.z > zero);
  const T kept = one - e;
  const auto own = [&](const Vec3<T>& r) { return r * (-kept); };
  Mat3<T> a{own(jacobian.r0), own(jacobian.r1), own(jacobian.r2)};
  a.r0.x += one, a.r1.y += one, a.r2.z += one;
  // Rows of the adjugate are cross products of columns; a is symmetric.
  const Vec3<T> c0 = cross(a.r1, a.r2), c1 = cross(a.r2, a.r0), c2 = cross(a.r0, a.r1);
  const T determinant = one / dot(a.r0, c0);
  const Mat3<T> b{c0 * determinant, c1 * determinant, c2 * determinant};
  center_[k] = mul(b, p - lambda);
  const T ex = turn * v.x, ey = turn * v.y;
  const auto row = [&](const Vec3<T>& r) {
    const Vec3<T> product = tmul(jacobian, r);  // r' J
    return Vec3<T>{fma(product.z, ex, product.x), fma(product.z, ey, product.y), product.z} *
           inverse;
  };
  k_[k] = {row(b.r0), row(b.r1), row(b.r2)};
}

/// In the variables y = lambda / s in which the ellipsoid is a ball of radius r = kappa lambda_N
/// (contact/ellipsoid.h):
///   slip   J = (r / |x|) (1 - e e'), e = x / |x|, and e dr in the answer; J e = 0, so B e = e
///   stick  J = 1
template <class T>
void PrimalNewton<T>::lineariseTorsion(const Problem<T>& problem, int i, int k,
                                       const Vec3<T>& lambda, const Vec3<T>& v) {
  const T zero = bc<T>(0.0), one = bc<T>(1.0);
  const T smallest = bc<T>(std::numeric_limits<value_t<T>>::min());
  const Vec3<T>& s = problem.axes(i);
  const T inverse = problem.inverseScale(i), normal = p_[rows_.group(k).normal].z;
  const T frictionRadius = problem.mu(i) * max(normal, zero);
  const auto own = [&](const Vec3<T>& a) {
    return Vec3<T>{select(s.x > zero, a.x, zero), select(s.y > zero, a.y, zero),
                   select(s.z > zero, a.z, zero)};
  };
  const Vec3<T> y = own(unscaled(lambda, s)), x = nmadd(scaled(v, s), inverse, y);
  const T length = norm(x);
  const mask_t<T> slips = length > frictionRadius;
  const Vec3<T> u = x * (one / max(length, smallest)), e = pick<T>(slips, u, zero3<T>());
  const T share = select(slips, frictionRadius / max(length, smallest), one);
  const T across = one / fnma(one - one / scale_, share, one);  // of B, where e does not point
  const Vec3<T> gap = projectOnBall(x, s, frictionRadius) - y;
  const T along = dot(e, gap) * (one - across);
  center_[k] = scaled(gap * across + e * along, s);
  const T stiffness = across * share * inverse;
  const auto row = [&](const T& si, const T& ei, const Vec3<T>& unit) {
    return scaled(unit - e * ei, s) * (si * stiffness);
  };
  k_[k] = {row(s.x, e.x, {one, zero, zero}), row(s.y, e.y, {zero, one, zero}),
           row(s.z, e.z, {zero, zero, one})};
  pull_[k] = pick<T>(normal > zero, scaled(e, s) * problem.mu(i), zero3<T>());
  isActive_[k] = true;
}

template <class T>
void PrimalNewton<T>::findTargets(const Problem<T>& problem, Island island) {
  const T zero = bc<T>(0.0);
  const int groups = rows_.groups(), numbers = rows_.numbers();
  rows_.zero(f_.data());
  for (int k = 0; k < groups; ++k) {
    const int i = island[k];
    linearise(problem, i, k, p_[k], v_[k]);
    const int normal = rows_.group(k).normal;
    if (normal >= 0) center_[k] = madd(pull_[k], center_[normal].z, center_[k]);
    rows_.push(k, center_[k], f_.data());
  }
  for (int n = 0; n < numbers; ++n) f_[n] = -f_[n];
  findStep();
  for (int k = 0; k < groups; ++k) {
    const Vec3<T> dv = rows_.velocity(k, zero3<T>(), step_.data());
    const T stiffness = row_[k].weight * scale_;
    before_[k] = byNumbers(p_[k]);
    center_[k] = rows_.group(k).isSingle ? Vec3<T>{zero, zero, fnma(stiffness, dv.z, center_[k].z)}
                                         : center_[k] - mul(k_[k], dv);
    const int normal = rows_.group(k).normal;
    if (normal < 0) continue;
    const Vec3<T> ofNormal = rows_.velocity(normal, zero3<T>(), step_.data());
    center_[k] = nmadd(pull_[k], dot(k_[normal].r2, ofNormal), center_[k]);
  }
}

template <class T>
T PrimalNewton<T>::findFall(const Problem<T>& problem, Island island, Vec3<T>* lambda,
                            const T& most, mask_t<T>& live) {
  constexpr int most_tries = 10;
  T length = bc<T>(1.0), now = most;
  mask_t<T> found = !live;
  for (int tries = 0; tries < most_tries && !all(found); ++tries) {
    for (int k = 0; k < rows_.groups(); ++k)
      p_[k] = pick<T>(found, p_[k], madd(center_[k], length, before_[k]));
    push(p_.data(), trial_.data());
    now = residualAt(problem, island, lambda);
    found = found | (now < most);
    length = length * bc<T>(value_t<T>(0.5));
  }
  live = live & (now < most);
  return now;
}

template <class T>
T PrimalNewton<T>::admit(const Problem<T>& problem, Island island, Vec3<T>* lambda, const T& found,
                         const T& goal, mask_t<T> asked) {
  const T zero = bc<T>(0.0), one = bc<T>(1.0);
  T square = zero, moved = zero, largest = zero, friction = zero;
  for (int k = 0; k < rows_.groups(); ++k) {
    const int i = island[k];
    const Vec3<T> own = pick<T>(asked, problem.admissible(i, lambda), lambda[i]);
    before_[k] = own - lambda[i];
    lambda[i] = p_[k] = byNumbers(own);
    const Vec3<T> by =
        problem.kind(i) == Kind::Torsion ? unscaled(before_[k], problem.axes(i)) : before_[k];
    T size = dot(by, by);
    const int normal = rows_.group(k).normal;
    if (normal >= 0) {  // rolling friction, whose bound is mu lambda_N
      const T ofBound = problem.mu(i) * before_[normal].z;
      size = fma(ofBound, ofBound, size);
    }
    square = fma(problem.scale(i), size, square);
    moved = moved + select(size > zero, one, zero);
    const mask_t<T> isHere = primal_detail::isThere(problem, i);
    largest = select(isHere, max(largest, problem.scale(i)), largest);
    friction = select(isHere, max(friction, problem.mu(i)), friction);
  }
  // |dv_j| <= 3 sqrt(D_i D_j) |dlambda_i|, summed over i by Cauchy and Schwarz; |dw| <= (1 + mu) |dv|;
  // no row has more than 3 D; and projections do not lengthen what they map.
  using S = value_t<T>;
  const T rate = fma(bc<T>(S(3)), friction, bc<T>(S(9)));
  const T change = rate * sqrt(moved * largest * square);
  const mask_t<T> isFar = asked & !(change <= goal * bc<T>(S(0.01)));
  if (!any(isFar)) return found;
  for (int k = 0; k < rows_.groups(); ++k)
    rows_.push(k, pick<T>(isFar, before_[k], zero3<T>()), trial_.data());
  return select(isFar, residualAt(problem, island, lambda), found);
}

template <class T>
PrimalReport<T> PrimalNewton<T>::trySteps(const Problem<T>& problem, Island island, Vec3<T>* lambda,
                                          const T& residual, value_t<T> tolerance, mask_t<T> live) {
  using S = value_t<T>;
  using namespace primal_detail;
  const auto number = [](double x) { return bc<T>(S(x)); };
  const int groups = rows_.groups();
  const T goal = bc<T>(tolerance), one = number(1);
  PrimalReport<T> report{residual};
  T& best = report.residual;
  forgetSum();
  for (int k = 0; k < groups; ++k) best_[k] = byNumbers(p_[k]);
  scale_ = number(first_scale<S>);
  T rises = number(0);
  for (; report.steps < most_steps && any(live); ++report.steps) {
    findTargets(problem, island);
    const T risen = max(best, min(number(most_rise) * best, number(most_residual)));
    const T most = select(rises < number(most_rises), risen, best);
    T now = findFall(problem, island, lambda, most, live);
    const mask_t<T> isNear = live & (now <= goal);
    if (any(isNear)) now = admit(problem, island, lambda, now, goal, isNear);
    const mask_t<T> isBetter = live & (now < best);
    best = select(isBetter, now, best);
    for (int k = 0; k < groups; ++k) best_[k] = pick<T>(isBetter, p_[k], best_[k]);
    rises = select(isBetter, number(0), rises + one);
    scale_ = scale_ * select(isBetter, number(growth), number(shrinkage));
    scale_ = min(max(scale_, number(least_scale)), number(most_scale<S>));
    live = live & !(best <= goal);
  }
  for (int k = 0; k < groups; ++k) lambda[island[k]] = best_[k];
  return report;
}

}  // namespace espalier::contact
