#pragma once

// The definitions of contact/newton.h, for the translation units that instantiate them.

#include "espalier/contact/newton.h"

namespace espalier::contact {

namespace newton_detail {

/// delta of the regularisation: far above rounding, far below what a step must resolve.
template <class S>
inline constexpr S damping = sizeof(S) == 8 ? S(1e-12) : S(3e-5);

/// a - L b, block by block.
template <class T>
ESPALIER_INLINE Mat3<T> minusProduct(const Mat3<T>& a, const Mat3<T>& l, const Mat3<T>& b) {
  const auto row = [&](const Vec3<T>& x, const Vec3<T>& y) {
    return nmadd(b.r2, y.z, nmadd(b.r1, y.y, nmadd(b.r0, y.x, x)));
  };
  return {row(a.r0, l.r0), row(a.r1, l.r1), row(a.r2, l.r2)};
}

/// Inverse by cofactors. A singular block gives no number, and the step is then refused.
template <class T>
ESPALIER_INLINE Mat3<T> inverse(const Mat3<T>& a) {
  const Vec3<T> c0 = cross(a.r1, a.r2), c1 = cross(a.r2, a.r0), c2 = cross(a.r0, a.r1);
  const T scale = bc<T>(1.0) / dot(a.r0, c0);
  return transpose(Mat3<T>{c0 * scale, c1 * scale, c2 * scale});
}

}  // namespace newton_detail

template <class T>
void Newton<T>::reserve(int maxGroups) {
  stride_ = std::min(maxGroups, largest);
  block_ = AlignedArray<Mat3<T>>(static_cast<std::size_t>(stride_ * stride_));
  forget();
}

template <class T>
T Newton<T>::evaluate(const Problem<T>& problem, typename Problem<T>::Island island,
                      const Vec3<T>* lambda) {
  const T zero = bc<T>(0.0);
  T worst = zero;
  for (int k = 0; k < island.size(); ++k) {
    const int i = island[k];
    const Vec3<T> l = lambda[i], v = problem.velocity(i, lambda);
    const T mu = problem.mu(i), inverseD = problem.inverseScale(i);
    const Vec3<T> x = nmadd({v.x, v.y, fma(mu, tangentNorm(v), v.z)}, inverseD, l);
    const T t = tangentNorm(x);
    status_[k].open = mu * t <= -x.z;
    status_[k].slip = !(status_[k].open | ((t <= mu * x.z) & (mu > zero)));
    v_[k] = v;
    y_[k] = {x.x, x.y, t};
    worst = max(worst, residual(l, v, mu, problem.scale(i), inverseD));
  }
  return worst;
}

template <class T>
void Newton<T>::step(const Problem<T>& problem, typename Problem<T>::Island island, Vec3<T>* lambda,
                     mask_t<T> live) {
  const int n = island.size();
  bool same = factored_;
  for (int k = 0; k < n && same; ++k) {
    same = !any(status_[k].slip) && status_[k] == factoredStatus_[k];
  }
  assemble(problem, island, lambda, same);
  if (!same) factor(n);
  substitute(n);
  for (int k = 0; k < n; ++k) {
    const int i = island[k];
    const Vec3<T> next = pick<T>(status_[k].open, zero3<T>(), lambda[i] + step_[k]);
    lambda[i] = pick<T>(live, next, lambda[i]);
  }
}

/// The right-hand side, and, unless the factors still hold, the matrix.
template <class T>
void Newton<T>::assemble(const Problem<T>& problem, typename Problem<T>::Island island,
                         const Vec3<T>* lambda, bool sameMatrix) {
  using newton_detail::damping;
  const T zero = bc<T>(0.0), one = bc<T>(1.0);
  const T smallest = bc<T>(std::numeric_limits<value_t<T>>::min());
  const int n = island.size();
  factored_ = true;
  if (!sameMatrix)
    for (int r = 0; r < n; ++r)
      for (int c = 0; c < n; ++c) filled_[r][c] = r == c;

  for (int k = 0; k < n; ++k) {
    const int i = island[k];
    const mask_t<T> open = status_[k].open, slip = status_[k].slip;
    const Vec3<T> l = lambda[i], v = v_[k];
    const T d = problem.scale(i), mu = problem.mu(i);
    step_[k] = pick<T>(open, l * -d, -v);
    VelocityRows& b = rows_[k];
    b.slips = any(slip);
    b.n = select(open, zero, one);
    b.xx = b.yy = b.n;
    b.xy = zero;
    // A, for the diagonal block.
    const T tiny = bc<T>(damping<value_t<T>>) * d;
    T axx = select(open, d, tiny), axy = zero, ayy = axx, axn = zero, ayn = zero;
    const T ann = axx;
    if (b.slips) {
      const T inverse = one / max(y_[k].z, smallest);
      const T ex = y_[k].x * inverse, ey = y_[k].y * inverse;
      const T reach = mu * max(l.z, zero), ratio = min(reach * inverse, one);
      const T kxx = ratio * ey * ey, kxy = -(ratio * ex * ey), kyy = ratio * ex * ex;
      b.xx = select(slip, kxx, b.xx);
      b.xy = select(slip, kxy, b.xy);
      b.yy = select(slip, kyy, b.yy);
      axx = select(slip, fnma(d, kxx, d), axx);
      axy = select(slip, -(d * kxy), axy);
      ayy = select(slip, fnma(d, kyy, d), ayy);
      axn = select(slip, -(d * mu * ex), axn);
      ayn = select(slip, -(d * mu * ey), ayn);
      const T pull = mu * l.z;
      step_[k].x = select(slip, -(d * fnma(pull, ex, l.x)), step_[k].x);
      step_[k].y = select(slip, -(d * fnma(pull, ey, l.y)), step_[k].y);
    }
    if (sameMatrix) continue;
    factoredStatus_[k] = status_[k];
    const Sym3<T>& g = problem.diagonal(i);
    setRows(k, k, {{g.xx, g.xy, g.xz}, {g.xy, g.yy, g.yz}, {g.xz, g.yz, g.zz}});
    at(k, k) += Mat3<T>{{axx, axy, axn}, {axy, ayy, ayn}, {zero, zero, ann}};
    for (const Coupling& c : problem.lower(i))
      setRows(k, problem.place(c.group), problem.block(c.block));
    for (const Coupling& c : problem.upper(i))
      setRows(k, problem.place(c.group), transpose(problem.block(c.block)));
  }
}

/// The rows of one block: B G.
template <class T>
ESPALIER_INLINE void Newton<T>::setRows(int row, int col, const Mat3<T>& g) {
  const VelocityRows& b = rows_[row];
  Mat3<T>& m = at(row, col);
  filled_[row][col] = true;
  if (b.slips) {
    m = {madd(g.r1, b.xy, g.r0 * b.xx), madd(g.r1, b.yy, g.r0 * b.xy), g.r2 * b.n};
  } else {
    m = {g.r0 * b.n, g.r1 * b.n, g.r2 * b.n};
  }
}

/// LU in place: below the diagonal L, on it the inverse of the pivot, above it U.
template <class T>
void Newton<T>::factor(int n) {
  for (int k = 0; k < n; ++k) {
    const Mat3<T> pivot = at(k, k) = newton_detail::inverse(at(k, k));
    for (int i = k + 1; i < n; ++i) {
      if (!filled_[i][k]) continue;
      const Mat3<T> l = at(i, k) = mul(at(i, k), pivot);
      for (int j = k + 1; j < n; ++j) {
        if (!filled_[k][j]) continue;
        if (!filled_[i][j]) at(i, j) = {zero3<T>(), zero3<T>(), zero3<T>()};
        filled_[i][j] = true;
        at(i, j) = newton_detail::minusProduct(at(i, j), l, at(k, j));
      }
    }
  }
}

template <class T>
void Newton<T>::substitute(int n) {
  for (int i = 1; i < n; ++i)
    for (int k = 0; k < i; ++k)
      if (filled_[i][k]) step_[i] -= mul(at(i, k), step_[k]);
  for (int i = n - 1; i >= 0; --i) {
    for (int j = n - 1; j > i; --j)
      if (filled_[i][j]) step_[i] -= mul(at(i, j), step_[j]);
    step_[i] = mul(at(i, i), step_[i]);
  }
}

}  // namespace espalier::contact
