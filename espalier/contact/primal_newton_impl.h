#pragma once

// The definitions of contact/primal_newton.h, for the translation units that instantiate them.

#include "espalier/contact/island_rows_impl.h"
#include "espalier/contact/primal_newton.h"

namespace espalier::contact {

namespace primal_detail {

/// The largest island, in groups and in numbers.
inline constexpr int most_groups = 448, most_numbers = 640;
inline constexpr int line_tries = 6, most_inner = 20;
/// Of s.
template <class S>
inline constexpr double most_scale = sizeof(S) == 8 ? 1e8 : 1e4;
/// Updates along a dual ray after which a solve is given up.
inline constexpr int rays_that_tell = 2;

/// In lanes a group may be there in some of them alone; the others must not see it.
template <class T>
ESPALIER_INLINE mask_t<T> isThere(const Problem<T>& problem, int i) {
  return problem.freeVelocity(i).z < bc<T>(value_t<T>(0.5) * Problem<T>::inactive());
}

/// The nearest point of the cone, and its derivative.
template <class T>
ESPALIER_INLINE void coneDerivative(const Vec3<T>& x, const T& mu, Vec3<T>& p, Mat3<T>& j) {
  const T zero = bc<T>(0.0), one = bc<T>(1.0);
  const T smallest = bc<T>(std::numeric_limits<value_t<T>>::min());
  const T t = tangentNorm(x);
  const mask_t<T> polar = mu * t <= -x.z, inside = (t <= mu * x.z) & !polar;
  const T share = one / fma(mu, mu, one), n = fma(mu, t, x.z) * share;
  // Elsewhere than on the cone's surface t may be zero, and 1 / t so large that turn is not finite.
  const T inverse = select(polar | inside, zero, one / max(t, smallest));
  const T turn = mu * n * inverse;  // |P_T| / |x_T|
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

/// The three rows of a bounded group.
template <class T>
struct BoundedRows {
  BoundedRow<T> x, y, z;

  BoundedRows(const Problem<T>& problem, int i) {
    const T one = bc<T>(1.0);
    const Vec3<T> d = rowScale(problem.diagonal(i));
    const Vec3<T>&low = problem.lowerBound(i), &high = problem.upperBound(i);
    const Sym3<T>& own = problem.own(i);
    x = {one / d.x, own.xx, low.x, high.x};
    y = {one / d.y, own.yy, low.y, high.y};
    z = {one / d.z, own.zz, low.z, high.z};
  }
};

/// Whether the change d = p - c of the multipliers is a dual ray of normal impulses, but for a hundredth of it:
/// d >= 0, Y D d = 0 and d . b < 0. Then no motion obeys the law, since d . v = d . b whatever the motion
/// (Farkas), and every update adds the same d again. Two limits that exclude one another, of joints that a loop ties together, have one.
/// To the accuracy that a motion of a million times the energy that is asked for could still.
///   uses a  [numbers]
template <class T>
bool isDualRay(const Problem<T>& problem, typename Problem<T>::Island island,
               const IslandRows<T>& rows, const Vec3<T>* c, const Vec3<T>* p, T* a) {
  constexpr double most_others = 0.01, most_energy = 1e6;
  double normals = 0, others = 0, missing = 0, asked = 0, moved = 0;
  rows.zero(a);
  for (int k = 0; k < rows.groups(); ++k) {
    const int i = island[k];
    const Vec3<T> d = p[k] - c[k];
    const T b = problem.freeVelocity(i).z;
    const bool isNormal = problem.kind(i) == Kind::Coulomb && d.z > 0;
    (isNormal ? normals : others) += std::abs(d.z);
    others += std::abs(d.x) + std::abs(d.y);
    missing -= d.z * b;
    if (isNormal) asked += b * b * problem.inverseScale(i);
    rows.push(k, d, a);
  }
  if (!(others <= most_others * normals) || !(missing > 0)) return false;
  for (int k = 0; k < rows.groups(); ++k)
    moved += dot(p[k] - c[k], rows.velocity(k, zero3<T>(), a));
  return missing * missing > most_energy * moved * asked;
}

/// P and K / s of a row by its multiplier c. It feels v + soft P: so the clamp is solved for P in
/// closed form.   returns  |c - P| D
template <class T>
ESPALIER_INLINE T clampRow(const BoundedRow<T>& row, const T& c, const T& rate, const T& scale,
                           T& p, T& weight) {
  const T zero = bc<T>(0.0), one = bc<T>(1.0);
  const T rho = scale * row.inverse, share = one / fma(rho, row.soft, one);
  const T x = fnma(rho, rate, c) * share;
  p = max(min(x, row.high), row.low);
  weight = select((x > row.low) & (x < row.high), row.inverse * share, zero);
  return abs(c - p) / row.inverse;
}

/// B R and e K of a row at an impulse (PrimalNewton::trySteps).
template <class T>
ESPALIER_INLINE void lineariseRow(const BoundedRow<T>& row, const T& lambda, const T& rate,
                                  const T& e, const T& scale, T& answer, T& weight) {
  const T zero = bc<T>(0.0), one = bc<T>(1.0);
  const T x = fnma(row.inverse, fma(row.soft, lambda, rate), lambda);
  const T p = max(min(x, row.high), row.low), softness = row.soft * row.inverse;
  const mask_t<T> isFree = (x > row.low) & (x < row.high);
  answer = (p - lambda) * select(isFree, one / (softness + e), one);
  // Exactly 1 / D without softness, whatever e: such a row stays in the sum.
  weight = select(isFree, row.inverse / fma(softness, scale, one), zero);
}

}  // namespace primal_detail

template <class T>
void PrimalNewton<T>::reserve(int groups, int numbers, int columns) {
  using namespace primal_detail;
  const int most = std::min(numbers, most_numbers), count = std::min(groups, most_groups);
  const auto g = static_cast<std::size_t>(count), n = static_cast<std::size_t>(most) + 3;
  lu_.reserve(most);
  rows_.reserve(count, numbers, most_numbers,
                std::min(columns, most_groups * rows_detail::columns_each));
  for (auto* array : {&center_, &p_, &v_, &best_, &pull_, &before_})
    *array = AlignedArray<Vec3<T>>(g);
  k_ = AlignedArray<Mat3<T>>(g);
  isActive_ = AlignedArray<bool>(g);
  row_ = AlignedArray<Row>(g);
  g_ = AlignedArray<T>(n * n + 4);
  for (auto* array : {&weight_, &a_, &trial_, &f_, &step_}) *array = AlignedArray<T>(n);
  forget();
}

template <class T>
bool PrimalNewton<T>::load(const Problem<T>& problem, Island island) {
  if (island_ == island.index) return isLoaded_;
  island_ = island.index;
  isLoaded_ = rows_.load(problem, island);
  if (!isLoaded_) return false;
  rows_.setPattern(lu_);
  for (int k = 0; k < rows_.groups(); ++k)
    if (rows_.group(k).isSingle) readRow(problem, island[k], k);
  return true;
}

// ---- the equation

template <class T>
void PrimalNewton<T>::push(const Vec3<T>* lambda, T* a) const {
  rows_.zero(a);
  for (int k = 0; k < rows_.groups(); ++k) rows_.push(k, lambda[k], a);
}

template <class T>
T PrimalNewton<T>::residual(const Problem<T>& problem, Island island, Vec3<T>* lambda) {
  for (int k = 0; k < rows_.groups(); ++k) p_[k] = byNumbers(lambda[island[k]]);
  push(p_.data(), trial_.data());
  return residualAt(problem, island, lambda);
}

template <class T>
T PrimalNewton<T>::evaluate(const Problem<T>& problem, Island island, const T* a) {
  apart_ = bc<T>(0.0);
  T* pushed = f_.data();
  rows_.zero(pushed);
  for (int k = 0; k < rows_.groups(); ++k) {
    const int i = island[k];
    const Vec3<T> v = rows_.velocity(k, problem.freeVelocity(i), a);
    if (rows_.group(k).isSingle)
      single(k, v.z);
    else
      switch (problem.kind(i)) {
        case Kind::Coulomb: coulomb(problem, i, k, v); break;
        case Kind::Bounded: bounded(problem, i, k, v); break;
        case Kind::Torsion: torsion(problem, i, k, v); break;
      }
    rows_.push(k, p_[k], pushed);
  }
  apart_ = apart_ / scale_;
  T square = bc<T>(0.0);
  for (int n = 0; n < rows_.numbers(); ++n) {
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
  isActive_[k] = any(j.r0.x + j.r1.y + j.r2.z > zero);
  const Vec3<T> moved = center_[k] - p_[k];
  apart_ = max(apart_, problem.scale(i) * norm(moved));
}

template <class T>
void PrimalNewton<T>::readRow(const Problem<T>& problem, int i, int k) {
  Row& row = row_[k];
  static_cast<BoundedRow<T>&>(row) = primal_detail::BoundedRows<T>(problem, i).z;
  row.weight = row.isInSum = bc<T>(0.0);
  if (problem.kind(i) != Kind::Coulomb) return;
  row.low = bc<T>(0.0);
  row.high = bc<T>(std::numeric_limits<value_t<T>>::max());
}

template <class T>
ESPALIER_INLINE void PrimalNewton<T>::single(int k, const T& rate) {
  Row& row = row_[k];
  p_[k] = zero3<T>();
  apart_ =
      max(apart_, primal_detail::clampRow(row, center_[k].z, rate, scale_, p_[k].z, row.weight));
}

template <class T>
void PrimalNewton<T>::bounded(const Problem<T>& problem, int i, int k, const Vec3<T>& v) {
  const primal_detail::BoundedRows<T> rows(problem, i);
  const Vec3<T>& c = center_[k];
  Vec3<T>& p = p_[k];
  Vec3<T> weight;
  const T x = primal_detail::clampRow(rows.x, c.x, v.x, scale_, p.x, weight.x);
  const T y = primal_detail::clampRow(rows.y, c.y, v.y, scale_, p.y, weight.y);
  const T z = primal_detail::clampRow(rows.z, c.z, v.z, scale_, p.z, weight.z);
  apart_ = max(apart_, max(x, max(y, z)));
  setDiagonal(k, weight * scale_);
}

template <class T>
void PrimalNewton<T>::setDiagonal(int k, const Vec3<T>& stiffness) {
  const T zero = bc<T>(0.0);
  k_[k] = {{stiffness.x, zero, zero}, {zero, stiffness.y, zero}, {zero, zero, stiffness.z}};
  isActive_[k] = any(stiffness.x + stiffness.y + stiffness.z > zero);
}

template <class T>
void PrimalNewton<T>::torsion(const Problem<T>& problem, int i, int k, const Vec3<T>& v) {
  const T zero = bc<T>(0.0), one = bc<T>(1.0);
  const T smallest = bc<T>(std::numeric_limits<value_t<T>>::min());
  const Vec3<T>& s = problem.axes(i);
  const T rho = scale_ * problem.inverseScale(i), normal = p_[rows_.group(k).normal].z;
  const T frictionRadius = problem.mu(i) * max(normal, zero);
  const Vec3<T> c = unscaled(center_[k], s), x = nmadd(scaled(v, s), rho, c);
  const Vec3<T> ball = projectOnBall(x, s, frictionRadius);
  const Vec3<T> own = {select(s.x > zero, x.x, zero), select(s.y > zero, x.y, zero),
                       select(s.z > zero, x.z, zero)};
  const T length = norm(own);
  const mask_t<T> slips = length > frictionRadius;
  const Vec3<T> e = own * (one / max(length, smallest));
  const T share = rho * select(slips, frictionRadius / max(length, smallest), one);
  const T along = select(slips, share, zero);
  const auto row = [&](const T& si, const T& ei, const Vec3<T>& unit) {
    return scaled(unit * share - e * (along * ei), s) * si;
  };
  p_[k] = scaled(ball, s);
  k_[k] = {row(s.x, e.x, {one, zero, zero}), row(s.y, e.y, {zero, one, zero}),
           row(s.z, e.z, {zero, zero, one})};
  pull_[k] = pick<T>(slips & (normal > zero), scaled(e, s) * problem.mu(i), zero3<T>());
  isActive_[k] = true;
  apart_ = max(apart_, problem.scale(i) * norm(c - ball));
}

// ---- Newton's step

/// Starts G anew, so that no solve depends on an earlier one.
template <class T>
void PrimalNewton<T>::forgetSum() {
  const T zero = bc<T>(0.0);
  for (int k = 0; k < lu_.entries(); ++k) g_[k] = zero;
  for (int k = 0; k < rows_.groups(); ++k) row_[k].isInSum = zero;
}

template <class T>
void PrimalNewton<T>::findStep() {
  const T zero = bc<T>(0.0);
  for (int k = 0; k < rows_.groups(); ++k) {
    if (!rows_.group(k).isSingle) continue;
    Row& row = row_[k];
    const T change = row.weight - row.isInSum;
    if (!any((change < zero) | (change > zero))) continue;
    rows_.addSingle(k, change, g_.data(), lu_.stride());
    row.isInSum = row.weight;
  }
  lu_.setTo(g_.data(), scale_);
  for (int k = 0; k < rows_.groups(); ++k) {
    if (rows_.group(k).isSingle || !isActive_[k]) continue;
    rows_.addBlock(k, k, k_[k], lu_.row(0), lu_.stride());
    const int normal = rows_.group(k).normal;
    if (normal < 0) continue;
    const Vec3<T>&pull = pull_[k], &onNormal = k_[normal].r2;
    rows_.addBlock(k, normal, {onNormal * pull.x, onNormal * pull.y, onNormal * pull.z}, lu_.row(0),
                   lu_.stride());
  }
  for (int n = 0; n < rows_.numbers(); ++n) step_[n] = -f_[n];
  lu_.solve(step_.data());
}

template <class T>
T PrimalNewton<T>::lineSearch(const Problem<T>& problem, Island island, mask_t<T> live,
                              const T& enough, T& size, bool& isLast) {
  using S = value_t<T>;
  const T one = bc<T>(1.0);
  T length = one, bestLength = bc<T>(0.0), bestSize = size;
  mask_t<T> found = !live;
  for (int tries = 0; tries < primal_detail::line_tries; ++tries) {
    for (int n = 0; n < rows_.numbers(); ++n) trial_[n] = fma(length, step_[n], a_[n]);
    const T trial = evaluate(problem, island, trial_.data());
    const mask_t<T> accepted =
        ((trial < fnma(bc<T>(S(0.1)), length, one) * size) | (trial < enough)) & !found;
    const mask_t<T> better = accepted | ((trial < bestSize) & !found);
    bestSize = select(better, trial, bestSize);
    bestLength = select(better, length, bestLength);
    found = found | accepted;
    if (all(found)) break;
    length = select(found, length, length * bc<T>(S(0.5)));
  }
  isLast = all(found);
  size = bestSize;
  return bestLength;
}

// ---- the method

/// At impulses P and their a, in trial_; v_ is there.
template <class T>
T PrimalNewton<T>::residualAt(const Problem<T>& problem, Island island, Vec3<T>* lambda) {
  for (int k = 0; k < rows_.groups(); ++k) lambda[island[k]] = byNumbers(p_[k]);
  T worst = bc<T>(0.0);
  for (int k = 0; k < rows_.groups(); ++k) {
    const int i = island[k];
    const Vec3<T> v = rows_.velocity(k, problem.freeVelocity(i), trial_.data());
    v_[k] = byNumbers(v);
    const Sym3<T>& own = problem.own(i);
    worst = max(worst, problem.residualOf(i, lambda,
                                          {fma(own.xx, p_[k].x, v.x), fma(own.yy, p_[k].y, v.y),
                                           fma(own.zz, p_[k].z, v.z)}));
  }
  return worst;
}

template <class T>
T PrimalNewton<T>::judge(const Problem<T>& problem, Island island, Vec3<T>* lambda, mask_t<T> asked,
                         PrimalReport<T>& report) {
  for (int n = 0; n < rows_.numbers(); ++n) trial_[n] = a_[n] - f_[n];
  const T worst = residualAt(problem, island, lambda);
  const mask_t<T> better = asked & (worst < report.residual);
  report.residual = select(better, worst, report.residual);
  for (int k = 0; k < rows_.groups(); ++k) best_[k] = pick<T>(better, p_[k], best_[k]);
  return worst;
}

template <class T>
T PrimalNewton<T>::begin(const Problem<T>& problem, Island island, const Vec3<T>* lambda,
                         const T& residual, const T& goal) {
  using S = value_t<T>;
  const auto number = [](double x) { return bc<T>(S(x)); };
  const int groups = rows_.groups();
  const auto share = [&](int k) {
    if constexpr (lanes_v<T> == 1) return number(1);
    return select(primal_detail::isThere(problem, island[k]), number(1), number(0));
  };
  T mass = number(0);
  for (int k = 0; k < groups; ++k) mass = mass + share(k) * problem.inverseScale(island[k]);
  rows_.findWeights(mass, share, weight_.data());
  forgetSum();
  for (int k = 0; k < groups; ++k) best_[k] = center_[k] = byNumbers(lambda[island[k]]);
  scale_ = min(max(number(1e-3) / max(residual, goal), number(10)), number(1e6));
  push(center_.data(), a_.data());
  return evaluate(problem, island, a_.data());
}

template <class T>
void PrimalNewton<T>::move(const T& length, mask_t<T> moves, mask_t<T> stuck) {
  const int numbers = rows_.numbers();
  for (int n = 0; n < numbers; ++n) a_[n] = select(moves, fma(length, step_[n], a_[n]), a_[n]);
  if (!any(stuck)) return;
  push(center_.data(), trial_.data());
  for (int n = 0; n < numbers; ++n) a_[n] = select(stuck, trial_[n], a_[n]);
}

template <class T>
PrimalReport<T> PrimalNewton<T>::solve(const Problem<T>& problem, Island island, Vec3<T>* lambda,
                                       const T& residual, value_t<T> tolerance,
                                       const PrimalBudget<T>& budget, mask_t<T> live) {
  using S = value_t<T>;
  using namespace primal_detail;
  const auto number = [](double x) { return bc<T>(S(x)); };
  const T zero = bc<T>(0.0), one = bc<T>(1.0), goal = bc<T>(tolerance);
  const T least = number(1), most = number(most_scale<S>);
  // Of |F|: a trial below it is taken, so that multipliers move on where F is zero already. At a tenth of the
  // tolerance some solves to 1e-10 m/s did not converge.
  const T enough = number(0.01) * goal;
  const int groups = rows_.groups();
  const mask_t<T> asked = live;
  mask_t<T> wasStuck = live & !live;
  PrimalReport<T> report{residual};
  T size = begin(problem, island, lambda, residual, goal), last = size, inner = zero;
  T nearest = apart_, apartBefore = zero;
  int rays = 0;  // updates in a row
  for (; report.steps < budget.steps && any(live); ++report.steps) {
    nearest = min(nearest, apart_);
    if (report.steps >= budget.firstSteps) live = live & (nearest <= budget.wanted(report.steps));
    findStep();
    bool isLast = false;
    const T length = lineSearch(problem, island, live, enough, size, isLast);
    const mask_t<T> stuck = live & !(length > zero);
    const mask_t<T> slow = live & !stuck & (length <= number(0.13));
    live = live & !(stuck & wasStuck & (scale_ <= least));  // the next step would be the same
    wasStuck = stuck;
    move(length, live & !stuck, stuck);
    scale_ = select(stuck, max(scale_ * number(0.01), least), scale_);
    scale_ = select(slow, max(scale_ * number(1.0 / 3), least), scale_);
    if (!isLast || any(slow)) size = evaluate(problem, island, a_.data());
    last = select(stuck | slow, size, last);
    inner = select(stuck | slow, zero, inner + one);

    // Where the multipliers are good enough, only F is left to vanish.
    const T share = select(apart_ <= number(0.3) * goal, zero, number(0.02));
    const mask_t<T> ends =
        live & !(stuck | slow) &
        ((size < max(number(0.1) * goal, share * last)) | (inner >= number(most_inner)));
    const mask_t<T> hopeful = live & (max(size, apart_) <= number(3) * goal);
    if (any(hopeful)) {
      const T r = judge(problem, island, lambda, hopeful, report);
      live = live & !(hopeful & (r <= goal));
    }
    if (!any(ends & live)) continue;
    if constexpr (lanes_v<T> == 1) {
      const bool isRay =
          apart_ > goal && apart_ > number(0.9) * apartBefore &&
          isDualRay(problem, island, rows_, center_.data(), p_.data(), trial_.data());
      rays = isRay ? rays + 1 : 0;
      apartBefore = apart_;
      if (rays == rays_that_tell) break;
    }
    for (int k = 0; k < groups; ++k) center_[k] = pick<T>(ends, p_[k], center_[k]);
    const T up = select(inner <= number(2), min(scale_ * number(5), most), scale_);
    const T down = max(scale_ * number(1.0 / 3), least);
    scale_ = select(ends, select(inner >= number(6), down, up), scale_);
    inner = select(ends, zero, inner);
    size = evaluate(problem, island, a_.data());
    last = select(ends, size, last);
  }
  if (any(live)) judge(problem, island, lambda, live, report);
  const mask_t<T> rough = asked & (report.residual > number(0.1) * goal);
  if (report.steps > 0 && any(rough)) polish(problem, island, lambda, rough, report);
  for (int k = 0; k < groups; ++k) lambda[island[k]] = best_[k];
  return report;
}

/// One more step from the best impulses, with multipliers stiffer than at the start: where every
/// group keeps its status the equations are linear, and the residual falls far below the tolerance.
/// So a robot at rest comes to rest, and the next step has nothing to do. Much stiffer ones would
/// take the residual itself for a change of status.
template <class T>
void PrimalNewton<T>::polish(const Problem<T>& problem, Island island, Vec3<T>* lambda,
                             mask_t<T> asked, PrimalReport<T>& report) {
  for (int k = 0; k < rows_.groups(); ++k) center_[k] = best_[k];
  scale_ = bc<T>(value_t<T>(1e3));
  push(center_.data(), a_.data());
  evaluate(problem, island, a_.data());
  findStep();
  for (int n = 0; n < rows_.numbers(); ++n) a_[n] = a_[n] + step_[n];
  evaluate(problem, island, a_.data());
  judge(problem, island, lambda, asked, report);
  ++report.steps;
}

}  // namespace espalier::contact
