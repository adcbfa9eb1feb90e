#pragma once

// The definitions of contact/primal_newton.h, for the translation units that instantiate them.

#include "espalier/contact/primal_newton.h"
#include "espalier/contact/sparse_lu_impl.h"

namespace espalier::contact {

namespace primal_detail {

/// The largest island, in groups and in numbers; columns a group has on the average.
inline constexpr int most_groups = 160, most_numbers = 128, columns_each = 24;
inline constexpr int line_tries = 6, most_inner = 20;

/// The nearest point of the cone, and its derivative.
template <class T>
ESPALIER_INLINE void coneDerivative(const Vec3<T>& x, const T& mu, Vec3<T>& p, Mat3<T>& j) {
  const T zero = bc<T>(0.0), one = bc<T>(1.0);
  const T smallest = bc<T>(std::numeric_limits<value_t<T>>::min());
  const T t = tangentNorm(x);
  const mask_t<T> polar = mu * t <= -x.z, inside = (t <= mu * x.z) & !polar;
  const T share = one / fma(mu, mu, one), n = fma(mu, t, x.z) * share;
  const T inverse = one / max(t, smallest), turn = mu * n * inverse;  // |P_T| / |x_T|
  const T ex = x.x * inverse, ey = x.y * inverse;
  p = pick<T>(polar, zero3<T>(), pick<T>(inside, x, {x.x * turn, x.y * turn, n}));
  const T along = mu * mu * share - turn;  // along e, beyond turn
  const T in = select(inside, one, zero), on = select(polar | inside, zero, one);
  const T xx = fma(along * ex, ex, turn), yy = fma(along * ey, ey, turn);
  const T xy = along * ex * ey, z = mu * share;
  j = {{fma(on, xx, in), on * xy, on * z * ex},
       {on * xy, fma(on, yy, in), on * z * ey},
       {on * z * ex, on * z * ey, fma(on, share, in)}};
}

}  // namespace primal_detail

template <class T>
void PrimalNewton<T>::reserve(int groups, int numbers) {
  using namespace primal_detail;
  maxGroups_ = std::min(groups, most_groups);
  const auto g = static_cast<std::size_t>(maxGroups_);
  const int most = std::min(numbers, most_numbers);
  const auto n = static_cast<std::size_t>(most);
  const std::size_t columns = g * static_cast<std::size_t>(std::min(most, columns_each));
  lu_.reserve(most);
  place_ = AlignedArray<int>(static_cast<std::size_t>(numbers) + 6);
  number_ = AlignedArray<int>(n);
  group_ = AlignedArray<Group>(g);
  index_ = AlignedArray<int>(columns);
  y_ = AlignedArray<Triple<T>>(columns);
  yd_ = AlignedArray<Triple<T>>(columns);
  run_ = AlignedArray<ColumnRun>(columns);
  x_ = AlignedArray<T>(3 * n);
  for (auto* array : {&center_, &p_, &best_, &pull_}) *array = AlignedArray<Vec3<T>>(g);
  k_ = AlignedArray<Mat3<T>>(g);
  for (auto* array : {&weight_, &a_, &trial_, &f_, &step_}) *array = AlignedArray<T>(n);
  forget();
}

// ---- the island in numbers of its own

template <class T>
bool PrimalNewton<T>::load(const Problem<T>& problem, Island island) {
  if (island_ == island.index) return isLoaded_;
  island_ = island.index;
  groups_ = island.size();
  isLoaded_ = problem.isBySides() && groups_ <= maxGroups_ && findNumbers(problem, island);
  if (!isLoaded_) return false;
  columns_ = runs_ = 0;
  for (int k = 0; k < groups_; ++k) {
    const int i = island[k];
    Group& group = group_[k];
    group.first = group.last = columns_;
    group.normal = problem.kind(i) == Kind::Torsion ? problem.place(problem.normalGroup(i)) : -1;
    for (const Side<T>& s : problem.sides(i)) addSide(s, group);
    columns_ = group.last;
    findRuns(group);
    group.isSingle = group.normal < 0 && hasThirdRowAlone(problem, i);
  }
  for (int k = 0; k < numbers_; ++k) place_[number_[k]] = 0;
  findPattern();
  findWeights(problem, island);
  return true;
}

/// The numbers of its movers, ascending; false where there is no room.
template <class T>
bool PrimalNewton<T>::findNumbers(const Problem<T>& problem, Island island) {
  int lowest = std::numeric_limits<int>::max(), highest = -1, count = 0;
  std::size_t columns = 0;
  for (const int i : island) {
    const Sym3<T>& own = problem.own(i);
    const bool isSoft = any(own.xx + own.yy + own.zz > bc<T>(0.0));
    if (isSoft && problem.kind(i) != Kind::Bounded) return false;
    for (const Side<T>& s : problem.sides(i)) columns += static_cast<std::size_t>(s.count);
  }
  if (columns > index_.size()) return false;
  for (const int i : island)
    for (const Side<T>& s : problem.sides(i))
      for (int k = 0; k < s.count; ++k) {
        const int number = s.mover + (s.dof ? s.dof[k] : k);
        count += place_[number] == 0;
        place_[number] = 1;
        lowest = std::min(lowest, number);
        highest = std::max(highest, number);
      }
  const bool fits = count <= lu_.maxSize();
  numbers_ = 0;
  for (int number = lowest; number <= highest; ++number) {
    if (place_[number] == 0) continue;
    if (fits) number_[numbers_] = number;
    place_[number] = fits ? ++numbers_ : 0;
  }
  return fits;
}

/// The columns of one side; those that an earlier side has already are added to it.
template <class T>
void PrimalNewton<T>::addSide(const Side<T>& side, Group& group) {
  int from = group.first;
  const int known = group.last;
  for (int k = 0; k < side.count; ++k) {
    const int index = place_[side.mover + (side.dof ? side.dof[k] : k)] - 1;
    while (from < known && index_[from] < index) ++from;
    if (from < known && index_[from] == index) {
      y_[from] = y_[from] + side.y[k];
      yd_[from] = yd_[from] + side.yd[k];
    } else {
      index_[group.last] = index;
      y_[group.last] = side.y[k];
      yd_[group.last++] = side.yd[k];
    }
  }
  // Ascending again: insertion, since both parts are.
  for (int k = known; k < group.last; ++k)
    for (int j = k; j > group.first && index_[j - 1] > index_[j]; --j) {
      std::swap(index_[j - 1], index_[j]);
      std::swap(y_[j - 1], y_[j]);
      std::swap(yd_[j - 1], yd_[j]);
    }
}

/// Whether the first two rows of a group have no numbers: limits, rows of joints.
template <class T>
bool PrimalNewton<T>::hasThirdRowAlone(const Problem<T>& problem, int i) {
  const Sym3<T>& g = problem.diagonal(i);
  return !any((g.xx > bc<T>(0.0)) | (g.yy > bc<T>(0.0)));
}

template <class T>
void PrimalNewton<T>::findRuns(Group& group) {
  group.run = runs_;
  for (int c = group.first; c < group.last; ++c) {
    if (c == group.first || index_[c] != index_[c - 1] + 1) run_[runs_++] = {c, index_[c], 0};
    ++run_[runs_ - 1].count;
  }
  group.lastRun = runs_;
}

template <class T>
void PrimalNewton<T>::findPattern() {
  lu_.clear(numbers_);
  blockOperations_ = 0;
  for (int k = 0; k < groups_; ++k) {
    const Group& g = group_[k];
    const long n = g.last - g.first;
    blockOperations_ += (g.isSingle ? 1 : 3) * n * (n + 3);
    lu_.addBlock({&index_[g.first], static_cast<std::size_t>(g.last - g.first)});
  }
  lu_.finishPattern();
}

/// weight = 1 / (D m), m the mean mass that the contacts feel.
template <class T>
void PrimalNewton<T>::findWeights(const Problem<T>& problem, Island island) {
  const T zero = bc<T>(0.0), smallest = bc<T>(std::numeric_limits<value_t<T>>::min());
  for (int n = 0; n < numbers_; ++n) step_[n] = f_[n] = zero;
  T mass = zero;
  for (int k = 0; k < groups_; ++k) {
    mass = mass + problem.inverseScale(island[k]);
    for (int c = group_[k].first; c < group_[k].last; ++c) {
      const Vec3<T> y = y_[c].vec3(), yd = yd_[c].vec3();
      const int n = index_[c];
      step_[n] = step_[n] + dot(y, y);
      f_[n] = f_[n] + dot(y, yd);
    }
  }
  for (int n = 0; n < numbers_; ++n)
    weight_[n] = step_[n] * bc<T>(value_t<T>(groups_)) / max(f_[n] * mass, smallest);
}

// ---- the equation

template <class T>
void PrimalNewton<T>::push(const Vec3<T>* lambda, T* a) const {
  for (int n = 0; n < numbers_; ++n) a[n] = bc<T>(0.0);
  for (int k = 0; k < groups_; ++k) {
    const Group& g = group_[k];
    const Vec3<T>& l = lambda[k];
    for (int c = g.first; c < g.last; ++c) {
      T& number = a[index_[c]];
      number = fma(yd_[c].z(), l.z, fma(yd_[c].y(), l.y, fma(yd_[c].x(), l.x, number)));
    }
  }
}

template <class T>
Vec3<T> PrimalNewton<T>::velocity(const Group& group, const Vec3<T>& b, const T* a) const {
  Triple<T> v = b;
  for (int c = group.first; c < group.last; ++c) v = madd(y_[c], a[index_[c]], v);
  return v.vec3();
}

template <class T>
T PrimalNewton<T>::evaluate(const Problem<T>& problem, Island island, const T* a) {
  apart_ = bc<T>(0.0);
  for (int k = 0; k < groups_; ++k) {
    const int i = island[k];
    const Vec3<T> v = velocity(group_[k], problem.freeVelocity(i), a);
    switch (problem.kind(i)) {
      case Kind::Coulomb: coulomb(problem, i, k, v); break;
      case Kind::Bounded: bounded(problem, i, k, v); break;
      case Kind::Torsion: torsion(problem, i, k, v); break;
    }
  }
  apart_ = apart_ / scale_;
  push(p_.data(), f_.data());
  T square = bc<T>(0.0);
  for (int n = 0; n < numbers_; ++n) {
    f_[n] = a[n] - f_[n];
    square = fma(weight_[n] * f_[n], f_[n], square);
  }
  return sqrt(square);
}

template <class T>
void PrimalNewton<T>::coulomb(const Problem<T>& problem, int i, int k, const Vec3<T>& v) {
  const T zero = bc<T>(0.0), tiny = bc<T>(value_t<T>(1e-12));
  const T mu = problem.mu(i), rho = scale_ * problem.inverseScale(i);
  const T slip = tangentNorm(v), inverse = select(slip > tiny, mu / max(slip, tiny), zero);
  Mat3<T> j;
  primal_detail::coneDerivative(nmadd(Vec3<T>{v.x, v.y, fma(mu, slip, v.z)}, rho, center_[k]), mu,
                                p_[k], j);
  const T ex = inverse * v.x, ey = inverse * v.y;
  const auto row = [&](const Vec3<T>& r) {
    return Vec3<T>{fma(r.z, ex, r.x), fma(r.z, ey, r.y), r.z} * rho;
  };
  k_[k] = {row(j.r0), row(j.r1), row(j.r2)};
  group_[k].isActive = any(j.r0.x + j.r1.y + j.r2.z > zero);
  const Vec3<T> moved = center_[k] - p_[k];
  apart_ = max(apart_, problem.scale(i) * norm(moved));
}

template <class T>
void PrimalNewton<T>::bounded(const Problem<T>& problem, int i, int k, const Vec3<T>& v) {
  const T zero = bc<T>(0.0), one = bc<T>(1.0);
  const Vec3<T> d = rowScale(problem.diagonal(i));
  const Vec3<T>&low = problem.lowerBound(i), &high = problem.upperBound(i), &c = center_[k];
  const Sym3<T>& own = problem.own(i);
  // v_r + own P_r is what the row feels: with it the clamp is solved for P in closed form.
  const auto row = [&](const T& center, const T& rate, const T& scale, const T& soft, const T& from,
                       const T& to, T& p, T& slope) {
    const T rho = scale_ / scale, share = one / fma(rho, soft, one);
    const T x = fnma(rho, rate, center) * share;
    p = max(min(x, to), from);
    slope = select((x > from) & (x < to), rho * share, zero);
    return scale * abs(center - p);
  };
  Vec3<T> slope;
  Vec3<T>& p = p_[k];
  const T x = row(c.x, v.x, d.x, own.xx, low.x, high.x, p.x, slope.x);
  const T y = row(c.y, v.y, d.y, own.yy, low.y, high.y, p.y, slope.y);
  const T z = row(c.z, v.z, d.z, own.zz, low.z, high.z, p.z, slope.z);
  k_[k] = {{slope.x, zero, zero}, {zero, slope.y, zero}, {zero, zero, slope.z}};
  group_[k].isActive = any(slope.x + slope.y + slope.z > zero);
  apart_ = max(apart_, max(x, max(y, z)));
}

template <class T>
void PrimalNewton<T>::torsion(const Problem<T>& problem, int i, int k, const Vec3<T>& v) {
  const T zero = bc<T>(0.0), one = bc<T>(1.0);
  const T smallest = bc<T>(std::numeric_limits<value_t<T>>::min());
  const Vec3<T>& s = problem.axes(i);
  const T rho = scale_ * problem.inverseScale(i), normal = p_[group_[k].normal].z;
  const T reach = problem.mu(i) * max(normal, zero);
  const Vec3<T> c = unscaled(center_[k], s), x = nmadd(scaled(v, s), rho, c);
  const Vec3<T> ball = projectOnBall(x, s, reach);
  const Vec3<T> own = {select(s.x > zero, x.x, zero), select(s.y > zero, x.y, zero),
                       select(s.z > zero, x.z, zero)};
  const T length = norm(own);
  const mask_t<T> slips = length > reach;
  const Vec3<T> e = own * (one / max(length, smallest));
  const T share = rho * select(slips, reach / max(length, smallest), one);
  const T along = select(slips, share, zero);
  const auto row = [&](const T& si, const T& ei, const Vec3<T>& unit) {
    return scaled(unit * share - e * (along * ei), s) * si;
  };
  p_[k] = scaled(ball, s);
  k_[k] = {row(s.x, e.x, {one, zero, zero}), row(s.y, e.y, {zero, one, zero}),
           row(s.z, e.z, {zero, zero, one})};
  pull_[k] = pick<T>(slips & (normal > zero), scaled(e, s) * problem.mu(i), zero3<T>());
  group_[k].isActive = true;
  apart_ = max(apart_, problem.scale(i) * norm(c - ball));
}

// ---- Newton's step

/// H += (Y D)' K Y', rows of one group and columns of another, or the same.
template <class T>
void PrimalNewton<T>::addBlock(const Group& rows, const Group& columns, const Mat3<T>& k) {
  const int n = columns.last - columns.first;
  T *x = x_.data(), *y = x + n, *z = y + n;
  const auto forRuns = [&](int r, auto&& add) {
    T* row = lu_.row(index_[r]);
    for (int i = columns.run; i < columns.lastRun; ++i) {
      const ColumnRun& run = run_[i];
      const int q = run.first - columns.first;
      add(row + run.index, x + q, y + q, z + q, run.count);
    }
  };
  if (rows.isSingle) {
    for (int q = 0; q < n; ++q) z[q] = k.r2.z * y_[columns.first + q].z();
    for (int r = rows.first; r < rows.last; ++r) {
      const T dz = yd_[r].z();
      forRuns(r, [&](T* __restrict to, const T*, const T*, const T* __restrict c, int count) {
        for (int q = 0; q < count; ++q) to[q] = fma(dz, c[q], to[q]);
      });
    }
    return;
  }
  for (int q = 0; q < n; ++q) {
    const Vec3<T> product = mul(k, y_[columns.first + q].vec3());
    x[q] = product.x;
    y[q] = product.y;
    z[q] = product.z;
  }
  for (int r = rows.first; r < rows.last; ++r) {
    const T dx = yd_[r].x(), dy = yd_[r].y(), dz = yd_[r].z();
    forRuns(r, [&](T* __restrict to, const T* __restrict a, const T* __restrict b,
                   const T* __restrict c, int count) {
      for (int q = 0; q < count; ++q) to[q] = fma(dz, c[q], fma(dy, b[q], fma(dx, a[q], to[q])));
    });
  }
}

template <class T>
void PrimalNewton<T>::findStep() {
  lu_.setIdentity();
  for (int k = 0; k < groups_; ++k) {
    const Group& group = group_[k];
    if (!group.isActive) continue;
    addBlock(group, group, k_[k]);
    if (group.normal < 0) continue;
    const Vec3<T>&pull = pull_[k], &onNormal = k_[group.normal].r2;
    addBlock(group, group_[group.normal],
             {onNormal * pull.x, onNormal * pull.y, onNormal * pull.z});
  }
  for (int n = 0; n < numbers_; ++n) step_[n] = -f_[n];
  lu_.solve(step_.data());
}

// ---- the method

template <class T>
T PrimalNewton<T>::trueResidual(const Problem<T>& problem, Island island, Vec3<T>* lambda) {
  for (int n = 0; n < numbers_; ++n) trial_[n] = a_[n] - f_[n];
  for (int k = 0; k < groups_; ++k) lambda[island[k]] = p_[k];
  T worst = bc<T>(0.0);
  for (int k = 0; k < groups_; ++k) {
    const int i = island[k];
    const Vec3<T> v = velocity(group_[k], problem.freeVelocity(i), trial_.data());
    const Sym3<T>& own = problem.own(i);
    worst = max(worst, problem.residualOf(i, lambda,
                                          {fma(own.xx, p_[k].x, v.x), fma(own.yy, p_[k].y, v.y),
                                           fma(own.zz, p_[k].z, v.z)}));
  }
  return worst;
}

template <class T>
PrimalReport<T> PrimalNewton<T>::solve(const Problem<T>& problem, Island island, Vec3<T>* lambda,
                                       const T& residual, value_t<T> tolerance, int maxSteps,
                                       mask_t<T> live) {
  using S = value_t<T>;
  using namespace primal_detail;
  const auto number = [](double x) { return bc<T>(S(x)); };
  const T zero = bc<T>(0.0), one = bc<T>(1.0), goal = bc<T>(tolerance);
  const T least = number(1), most = number(sizeof(S) == 8 ? 1e8 : 1e4);
  const mask_t<T> asked = live;
  PrimalReport<T> report{residual};
  for (int k = 0; k < groups_; ++k) best_[k] = center_[k] = byNumbers(lambda[island[k]]);
  scale_ = min(max(number(1e-3) / max(residual, goal), number(10)), number(1e6));
  push(center_.data(), a_.data());
  T size = evaluate(problem, island, a_.data()), last = size, inner = zero;
  for (; report.steps < maxSteps && any(live); ++report.steps) {
    findStep();
    // Line search on |F|.
    T length = one, bestLength = zero, bestSize = size;
    mask_t<T> found = !live;
    for (int tries = 0; tries < line_tries; ++tries) {
      for (int n = 0; n < numbers_; ++n) trial_[n] = fma(length, step_[n], a_[n]);
      const T trial = evaluate(problem, island, trial_.data());
      const mask_t<T> accepted = !found & (trial < fnma(number(0.1), length, one) * size);
      const mask_t<T> better = accepted | ((trial < bestSize) & !found);
      bestSize = select(better, trial, bestSize);
      bestLength = select(better, length, bestLength);
      found = found | accepted;
      if (all(found)) break;
      length = select(found, length, length * number(0.5));
    }
    const mask_t<T> stuck = live & !(bestLength > zero);
    const mask_t<T> slow = live & !stuck & (bestLength <= number(0.13));
    const bool evaluated = all(found) && !any(slow);
    for (int n = 0; n < numbers_; ++n)
      a_[n] = select(live & !stuck, fma(bestLength, step_[n], a_[n]), a_[n]);
    if (any(stuck)) {
      push(center_.data(), trial_.data());
      for (int n = 0; n < numbers_; ++n) a_[n] = select(stuck, trial_[n], a_[n]);
    }
    scale_ = select(stuck, max(scale_ * number(0.01), least), scale_);
    scale_ = select(slow, max(scale_ * number(1.0 / 3), least), scale_);
    size = evaluated ? bestSize : evaluate(problem, island, a_.data());
    last = select(stuck | slow, size, last);
    inner = select(stuck | slow, zero, inner + one);

    const mask_t<T> ends =
        live & !(stuck | slow) &
        ((size < max(number(0.1) * goal, number(0.02) * last)) | (inner >= number(most_inner)));
    const mask_t<T> hopeful = live & (apart_ <= number(100) * goal);
    if (any(ends | hopeful)) {
      const T r = trueResidual(problem, island, lambda);
      const mask_t<T> better = (ends | hopeful) & (r < report.residual);
      report.residual = select(better, r, report.residual);
      for (int k = 0; k < groups_; ++k) best_[k] = pick<T>(better, p_[k], best_[k]);
      live = live & !((ends | hopeful) & (r <= goal));
    }
    if (!any(ends & live)) continue;
    for (int k = 0; k < groups_; ++k) center_[k] = pick<T>(ends, p_[k], center_[k]);
    const T up = select(inner <= number(2), min(scale_ * number(5), most), scale_);
    const T down = max(scale_ * number(1.0 / 3), least);
    scale_ = select(ends, select(inner >= number(6), down, up), scale_);
    inner = select(ends, zero, inner);
    size = evaluate(problem, island, a_.data());
    last = select(ends, size, last);
  }
  if (report.steps > 0) polish(problem, island, lambda, asked, report);
  for (int k = 0; k < groups_; ++k) lambda[island[k]] = best_[k];
  return report;
}

/// One more step from the best impulses, with multipliers stiffer than at the start: where every
/// group keeps its status the equations are linear, and the residual falls far below the tolerance.
/// So a robot at rest comes to rest, and the next step has nothing to do. Much stiffer ones would
/// take the residual itself for a change of status.
template <class T>
void PrimalNewton<T>::polish(const Problem<T>& problem, Island island, Vec3<T>* lambda,
                             mask_t<T> asked, PrimalReport<T>& report) {
  for (int k = 0; k < groups_; ++k) center_[k] = best_[k];
  scale_ = bc<T>(value_t<T>(1e3));
  push(center_.data(), a_.data());
  evaluate(problem, island, a_.data());
  findStep();
  for (int n = 0; n < numbers_; ++n) a_[n] = a_[n] + step_[n];
  evaluate(problem, island, a_.data());
  const T r = trueResidual(problem, island, lambda);
  const mask_t<T> better = asked & (r < report.residual);
  report.residual = select(better, r, report.residual);
  for (int k = 0; k < groups_; ++k) best_[k] = pick<T>(better, p_[k], best_[k]);
  ++report.steps;
}

}  // namespace espalier::contact
