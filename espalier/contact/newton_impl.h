#pragma once

// The definitions of contact/newton.h, for the translation units that instantiate them.

#include "espalier/contact/newton.h"

namespace espalier::contact {

namespace newton_detail {

/// delta of the regularisation: far above rounding, far below what a step must resolve.
template <class S>
inline constexpr S damping = sizeof(S) == 8 ? S(1e-12) : S(3e-5);

/// Inverse by cofactors. A singular block gives NaN, and the step is then refused.
template <class T>
ESPALIER_INLINE Mat3<T> inverse(const Mat3<T>& a) {
  const Vec3<T> c0 = cross(a.r1, a.r2), c1 = cross(a.r2, a.r0), c2 = cross(a.r0, a.r1);
  const T scale = bc<T>(1.0) / dot(a.r0, c0);
  return transpose(Mat3<T>{c0 * scale, c1 * scale, c2 * scale});
}

/// S_i G S_j, with S = 1 for groups that are not Torsion.
template <class T>
ESPALIER_INLINE Block<T> scaledBlock(const Problem<T>& problem, int i, int j, Block<T> g) {
  if (problem.kind(i) == Kind::Torsion) {
    const Vec3<T>& s = problem.axes(i);
    g = {g.r0 * s.x, g.r1 * s.y, g.r2 * s.z};
  }
  if (problem.kind(j) == Kind::Torsion) {
    const Column3<T> s = problem.axes(j);
    g = {scaled(g.r0, s), scaled(g.r1, s), scaled(g.r2, s)};
  }
  return g;
}

}  // namespace newton_detail

template <class T>
void Newton<T>::reserve(int maxGroups) {
  stride_ = std::min(maxGroups, small_island);
  block_ = AlignedArray<Block<T>>(static_cast<std::size_t>(stride_ * stride_));
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
    Status& status = status_[k];
    v_[k] = byNumbers(v);
    if (problem.kind(i) == Kind::Coulomb) {
      const T mu = problem.mu(i), d = problem.scale(i);
      const Vec3<T> x = nmadd({v.x, v.y, fma(mu, tangentNorm(v), v.z)}, problem.inverseScale(i), l);
      const T t = tangentNorm(x);
      const mask_t<T> open = mu * t <= -x.z;
      status = {open, open, open, !(open | ((t <= mu * x.z) & (mu > zero)))};
      x_[k] = {x.x, x.y, t};
      worst = max(worst, residual(l, v, mu, d, problem.inverseScale(i)));
    } else if (problem.kind(i) == Kind::Bounded) {
      const Vec3<T> d = rowScale(problem.diagonal(i));
      const Vec3<T> x = {l.x - v.x / d.x, l.y - v.y / d.y, l.z - v.z / d.z};
      const Vec3<T>&low = problem.lowerBound(i), &high = problem.upperBound(i);
      const auto beyond = [](const T& a, const T& from, const T& to) {
        return mask_t<T>((a <= from) | (a >= to));
      };
      status = {beyond(x.x, low.x, high.x), beyond(x.y, low.y, high.y), beyond(x.z, low.z, high.z),
                zero < zero};
      x_[k] = x;
      worst = max(worst, problem.residualOf(i, lambda, v));
    } else {
      const Vec3<T>& s = problem.axes(i);
      const Vec3<T> x = nmadd(scaled(v, s), problem.inverseScale(i), unscaled(l, s));
      const T frictionRadius = problem.frictionRadius(i, lambda);
      const T length = norm(projectOnBall(x, s, bc<T>(std::numeric_limits<value_t<T>>::max())));
      status = {s.x <= zero, s.y <= zero, s.z <= zero, length > frictionRadius};
      x_[k] = x;
      worst = max(worst, problem.residualOf(i, lambda, v));
    }
  }
  return worst;
}

template <class T>
void Newton<T>::step(const Problem<T>& problem, typename Problem<T>::Island island, Vec3<T>* lambda,
                     mask_t<T> live) {
  const int before = busy_;
  findBusy(problem, island, lambda);
  bool same = factored_ && busy_ == before;
  for (int r = 0; r < busy_ && same; ++r) {
    const int k = member_[r];
    same = k == factoredMember_[r] && !any(status_[k].slip) && status_[k] == factoredStatus_[k];
  }
  assemble(problem, island, lambda, same);
  if (!same) factor();
  substitute();
  for (int r = 0; r < busy_; ++r) {
    const int k = member_[r], i = island[k];
    const Status& status = status_[k];
    Vec3<T> next;
    if (problem.kind(i) == Kind::Coulomb) {
      next = pick<T>(status.x, zero3<T>(), lambda[i] + step_[k]);
    } else if (problem.kind(i) == Kind::Bounded) {
      const Vec3<T> free = lambda[i] + step_[k];
      const Vec3<T> bound = clamp(x_[k], problem.lowerBound(i), problem.upperBound(i));
      next = {select(status.x, bound.x, free.x), select(status.y, bound.y, free.y),
              select(status.z, bound.z, free.z)};
    } else {
      next = scaled(unscaled(lambda[i], problem.axes(i)) + step_[k], problem.axes(i));
    }
    lambda[i] = pick<T>(live, next, lambda[i]);
  }
}

template <class T>
void Newton<T>::findBusy(const Problem<T>& problem, typename Problem<T>::Island island,
                         const Vec3<T>* lambda) {
  const T zero = bc<T>(0.0);
  busy_ = 0;
  for (int k = 0; k < island.size(); ++k) {
    const Vec3<T>& l = lambda[island[k]];
    const mask_t<T> rests = status_[k].x & (dot(l, l) <= zero);
    const bool isIdle = problem.kind(island[k]) == Kind::Coulomb && !any(!rests);
    row_[k] = isIdle ? -1 : busy_;
    if (!isIdle) member_[busy_++] = k;
  }
}

/// The right-hand side, and, unless the factors still hold, the matrix.
template <class T>
void Newton<T>::assemble(const Problem<T>& problem, typename Problem<T>::Island island,
                         const Vec3<T>* lambda, bool sameMatrix) {
  using newton_detail::scaledBlock;
  factored_ = true;
  if (!sameMatrix)
    for (int r = 0; r < busy_; ++r)
      for (int c = 0; c < busy_; ++c) filled_[r][c] = r == c;

  for (int r = 0; r < busy_; ++r) {
    const int k = member_[r], i = island[k];
    Rows rows;
    switch (problem.kind(i)) {
      case Kind::Coulomb: coulombRows(problem, i, k, lambda[i], rows); break;
      case Kind::Bounded: boundedRows(problem, i, k, lambda[i], rows); break;
      case Kind::Torsion: torsionRows(problem, i, k, lambda, rows); break;
    }
    if (sameMatrix) continue;
    factoredMember_[r] = k;
    factoredStatus_[k] = status_[k];
    setBlock(problem, r, i, r, i, problem.self(i), rows);
    at(r, r) = at(r, r) + Block<T>(transpose(rows.a));
    const auto couple = [&](int other, const Block<T>& rowsOfOther) {
      const int col = row_[problem.place(other)];
      if (col >= 0) setBlock(problem, r, i, col, other, rowsOfOther, rows);
    };
    for (const Coupling& c : problem.lower(i)) couple(c.group, problem.columns(c.block));
    for (const Coupling& c : problem.upper(i)) couple(c.group, problem.rows(c.block));
    if (problem.kind(i) == Kind::Torsion && any(status_[k].slip))
      coupleNormal(row_[problem.place(problem.normalGroup(i))], r, pull_[k]);
  }
}

/// What the friction of torsion of row r puts into its normal's row; -1: that one is not busy.
template <class T>
void Newton<T>::coupleNormal(int normal, int r, const Vec3<T>& pull) {
  if (normal < 0) return;
  if (!filled_[normal][r]) at(normal, r) = Block<T>();
  filled_[normal][r] = true;
  at(normal, r).r2 = at(normal, r).r2 - Column3<T>(pull);
}

template <class T>
ESPALIER_INLINE void Newton<T>::coulombRows(const Problem<T>& problem, int i, int k,
                                            const Vec3<T>& l, Rows& rows) {
  const T zero = bc<T>(0.0), one = bc<T>(1.0);
  const T smallest = bc<T>(std::numeric_limits<value_t<T>>::min());
  const mask_t<T> open = status_[k].x, slip = status_[k].slip;
  const T d = problem.scale(i), mu = problem.mu(i);
  step_[k] = pick<T>(open, l * -d, -v_[k]);
  const T moves = select(open, zero, one);
  const T rest = select(open, d, bc<T>(newton_detail::damping<value_t<T>>) * d);
  rows.b = {moves, zero, zero, moves, zero, moves};
  rows.a = {{rest, zero, zero}, {zero, rest, zero}, {zero, zero, rest}};
  rows.isDiagonal = !any(slip);
  if (rows.isDiagonal) return;
  const T inverse = one / max(x_[k].z, smallest);
  const T ex = x_[k].x * inverse, ey = x_[k].y * inverse;
  const T frictionRadius = mu * max(l.z, zero), ratio = min(frictionRadius * inverse, one);
  const T kxx = ratio * ey * ey, kxy = -(ratio * ex * ey), kyy = ratio * ex * ex;
  rows.b.xx = select(slip, kxx, rows.b.xx);
  rows.b.xy = select(slip, kxy, rows.b.xy);
  rows.b.yy = select(slip, kyy, rows.b.yy);
  rows.a.r0.x = select(slip, fnma(d, kxx, d), rows.a.r0.x);
  rows.a.r0.y = rows.a.r1.x = select(slip, -(d * kxy), zero);
  rows.a.r1.y = select(slip, fnma(d, kyy, d), rows.a.r1.y);
  rows.a.r0.z = select(slip, -(d * mu * ex), zero);
  rows.a.r1.z = select(slip, -(d * mu * ey), zero);
  const T pull = mu * l.z;
  step_[k].x = select(slip, -(d * fnma(pull, ex, l.x)), step_[k].x);
  step_[k].y = select(slip, -(d * fnma(pull, ey, l.y)), step_[k].y);
}

template <class T>
void Newton<T>::boundedRows(const Problem<T>& problem, int i, int k, const Vec3<T>& l, Rows& rows) {
  const T zero = bc<T>(0.0), one = bc<T>(1.0);
  const Status& s = status_[k];
  const Vec3<T> bound = clamp(x_[k], problem.lowerBound(i), problem.upperBound(i));
  const T d = problem.scale(i), tiny = bc<T>(newton_detail::damping<value_t<T>>) * d;
  rows.isDiagonal = true;
  rows.b = {select(s.x, zero, one), zero, zero,
            select(s.y, zero, one), zero, select(s.z, zero, one)};
  rows.a = {{select(s.x, d, tiny), zero, zero},
            {zero, select(s.y, d, tiny), zero},
            {zero, zero, select(s.z, d, tiny)}};
  step_[k] = {select(s.x, d * (bound.x - l.x), -v_[k].x),
              select(s.y, d * (bound.y - l.y), -v_[k].y),
              select(s.z, d * (bound.z - l.z), -v_[k].z)};
}

template <class T>
void Newton<T>::torsionRows(const Problem<T>& problem, int i, int k, const Vec3<T>* lambda,
                            Rows& rows) {
  const T zero = bc<T>(0.0), one = bc<T>(1.0);
  const T smallest = bc<T>(std::numeric_limits<value_t<T>>::min());
  const Status& status = status_[k];
  const Vec3<T>& s = problem.axes(i);
  const T d = problem.scale(i), frictionRadius = problem.frictionRadius(i, lambda);
  const Vec3<T> x = unscaled(lambda[i], s), w = scaled(v_[k], s);
  const Vec3<T> y = projectOnBall(x_[k], s, bc<T>(std::numeric_limits<value_t<T>>::max()));
  // Where a row has no axis d x = 0; else stick or slip.
  const T tiny = bc<T>(newton_detail::damping<value_t<T>>) * d;
  const T inverse = one / max(norm(y), smallest);
  const Vec3<T> e = y * inverse;
  const T ratio = select(status.slip, min(frictionRadius * inverse, one), one);
  const T bend = select(status.slip, ratio, zero);  // of e e' in k P = ratio - bend e e'
  const T rest = select(status.slip, fnma(d, ratio, d), tiny);
  rows.isDiagonal = false;
  rows.b = {fnma(bend * e.x, e.x, ratio), -(bend * e.x * e.y), -(bend * e.x * e.z),
            fnma(bend * e.y, e.y, ratio), -(bend * e.y * e.z), fnma(bend * e.z, e.z, ratio)};
  const T db = d * bend;
  rows.a = {{fma(db * e.x, e.x, rest), db * e.x * e.y, db * e.x * e.z},
            {db * e.x * e.y, fma(db * e.y, e.y, rest), db * e.y * e.z},
            {db * e.x * e.z, db * e.y * e.z, fma(db * e.z, e.z, rest)}};
  rows.a.r0.x = select(status.x, d, rows.a.r0.x);
  rows.a.r1.y = select(status.y, d, rows.a.r1.y);
  rows.a.r2.z = select(status.z, d, rows.a.r2.z);
  const mask_t<T> pushes = status.slip & (lambda[problem.normalGroup(i)].z > zero);
  pull_[k] = pick<T>(pushes, e * (d * problem.mu(i)), zero3<T>());
  const Vec3<T> slip = nmadd(e, frictionRadius, x) * -d;
  step_[k] = pick<T>(status.slip, slip, -w);
  step_[k].x = select(status.x, -(d * x.x), step_[k].x);
  step_[k].y = select(status.y, -(d * x.y), step_[k].y);
  step_[k].z = select(status.z, -(d * x.z), step_[k].z);
}

/// One block of row k of M', M = B S G S + A:  S_j G_ji S_i B_i, from the rows of G_ji.
template <class T>
ESPALIER_INLINE void Newton<T>::setBlock(const Problem<T>& problem, int k, int i, int col, int j,
                                         const Block<T>& rowsOfOther, const Rows& rows) {
  const Block<T> g = newton_detail::scaledBlock(problem, j, i, rowsOfOther);
  const Sym3<T>& b = rows.b;
  filled_[col][k] = true;
  if (rows.isDiagonal) {
    const Column3<T> diagonal = Vec3<T>{b.xx, b.yy, b.zz};
    at(col, k) = {scaled(g.r0, diagonal), scaled(g.r1, diagonal), scaled(g.r2, diagonal)};
  } else {
    at(col, k) =
        mul(g, Block<T>(Mat3<T>{{b.xx, b.xy, b.xz}, {b.xy, b.yy, b.yz}, {b.xz, b.yz, b.zz}}));
  }
}

/// M' = L U in place: below the diagonal L, on it the inverse of the pivot, above it U.
template <class T>
void Newton<T>::factor() {
  const int n = busy_;
  for (int k = 0; k < n; ++k) {
    const Block<T> pivot = at(k, k) = newton_detail::inverse(at(k, k).mat3());
    for (int i = k + 1; i < n; ++i) {
      if (!filled_[i][k]) continue;
      const Block<T> l = at(i, k) = mul(at(i, k), pivot);
      for (int j = k + 1; j < n; ++j) {
        if (!filled_[k][j]) continue;
        if (!filled_[i][j]) at(i, j) = Block<T>();
        filled_[i][j] = true;
        at(i, j) = minusProduct(at(i, j), l, at(k, j));
      }
    }
  }
}

/// M x = U' L' x, the right-hand side and then x in step_.
template <class T>
void Newton<T>::substitute() {
  const int n = busy_;
  for (int i = 0; i < n; ++i) {
    Column3<T> r = step_[member_[i]];
    for (int k = 0; k < i; ++k)
      if (filled_[k][i]) r = r - tmul(at(k, i), step_[member_[k]]);
    step_[member_[i]] = tmul(at(i, i), r).vec3();
  }
  for (int i = n - 2; i >= 0; --i) {
    Column3<T> r = step_[member_[i]];
    for (int j = n - 1; j > i; --j)
      if (filled_[j][i]) r = r - tmul(at(j, i), step_[member_[j]]);
    step_[member_[i]] = r.vec3();
  }
}

}  // namespace espalier::contact
