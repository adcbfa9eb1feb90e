#include "espalier/contact/passive.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace espalier::contact {
namespace {

/// Sweeps for compliant contacts: all, and those after which they are given up where they are far worse.
constexpr int most_sweeps = 48, sweeps_that_tell = 8;
constexpr double far_worse = 3;
/// They are taken where the sum of the squares of their residuals is below this share of the one without them.
constexpr double clearly_better = 0.6;
/// Share of E that one step may add to a jam. A jam lasts for many steps, and each would else add
/// the whole of E again.
constexpr double share_in_jam = 0.02;

/// The part of a group's given velocity that pushes: normals only where they separate.
template <class T>
Vec3<T> pushOf(const Problem<T>& problem, int i) {
  Vec3<T> g = problem.given(i);
  if (problem.kind(i) == Kind::Coulomb) g.z = min(g.z, T(0));
  return g;
}

/// A contact, not a row of a joint, whose speeds may be angular.
template <class T>
bool isContact(const Problem<T>& problem, int i) {
  return problem.kind(i) == Kind::Coulomb && problem.diagonal(i).xx > T(0);
}

/// g^2 / G, of a row that moves something.
template <class T>
T squareOver(T given, T diagonal) {
  return diagonal > T(0) ? given * given / diagonal : T(0);
}

/// Whether two groups stand between the same bodies.
template <class T>
bool areParallel(const Problem<T>& problem, int i, int j) {
  const auto a = problem.sides(i), b = problem.sides(j);
  return problem.kind(i) == problem.kind(j) && !a.empty() &&
         std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Side<T>& x, const Side<T>& y) {
           return x.mover == y.mover && x.dof == y.dof && x.count == y.count;
         });
}

template <class T>
void put(typename Problem<T>::Island island, Vec3<T>* lambda, const Vec3<T>& x) {
  for (const int i : island) lambda[i] = x;
}

}  // namespace

template <class T>
void Passive<T>::reserve(int groups, int numbers) {
  a_ = AlignedArray<T>(static_cast<std::size_t>(numbers) + 6);
  isSeen_ = AlignedArray<bool>(static_cast<std::size_t>(numbers));
  other_ = AlignedArray<Vec3<T>>(static_cast<std::size_t>(groups));
  crowd_ = AlignedArray<T>(static_cast<std::size_t>(groups));
}

template <class T>
T Passive<T>::farFrom(const Problem<T>& problem, Island island) {
  T most = T(0);
  for (const int i : island) {
    Vec3<T> b = problem.freeVelocity(i);
    if (problem.kind(i) == Kind::Coulomb) b.z = min(b.z, T(0));
    most = max(most, norm(b));
  }
  return T(0.1) * most;
}

template <class T>
bool Passive<T>::isPushed(const Problem<T>& problem, Island island) {
  return std::any_of(island.begin(), island.end(),
                     [&](int i) { return isContact(problem, i) && pushes(problem.given(i)); });
}

template <class T>
PassiveReport<T> Passive<T>::limit(const Problem<T>& problem, Island island, Vec3<T>* lambda,
                                   T residual, bool isSolved) {
  PassiveReport<T> report{residual};
  // Where something moves infinitely fast no impulse is right: its step is refused, with its island.
  T sum = T(0);
  for (const int i : island) sum += norm(problem.freeVelocity(i));
  if (!std::isfinite(sum)) return report;
  findCrowds(problem, island);
  const T factor = scale(problem, island, lambda, isSolved);
  if (factor < T(1)) report.residual = residuals(problem, island, lambda).largest;
  report.isReduced = factor < T(1 - 1e-3);
  if ((isSolved && !report.isReduced) || !isFar(problem, island, report.residual)) return report;
  for (int k = 0; k < island.size(); ++k) other_[k] = lambda[island[k]];
  const T square = residuals(problem, island, lambda).square;
  put<T>(island, lambda, zero3<T>());
  comply(problem, island, lambda, sweeps_that_tell);
  if (residuals(problem, island, lambda).square < T(far_worse) * square) {
    comply(problem, island, lambda, most_sweeps - sweeps_that_tell);
    scale(problem, island, lambda, false);
    const Residuals compliant = residuals(problem, island, lambda);
    if (compliant.square < T(clearly_better) * square) return {compliant.largest, true};
  }
  for (int k = 0; k < island.size(); ++k) lambda[island[k]] = other_[k];
  return report;
}

/// Contacts of the same two bodies follow one another.
template <class T>
void Passive<T>::findCrowds(const Problem<T>& problem, Island island) {
  for (int first = 0, last; first < island.size(); first = last) {
    for (last = first + 1; last < island.size();) {
      if (!areParallel(problem, island[first], island[last])) break;
      ++last;
    }
    for (int k = first; k < last; ++k) crowd_[island[k]] = T(last - first);
  }
}

/// a_ where the island has no blocks.
template <class T>
void Passive<T>::push(const Problem<T>& problem, Island island, const Vec3<T>* lambda) {
  if (problem.hasBlocks(island)) return;
  for (const int i : island)
    for (const Side<T>& s : problem.sides(i))
      s.forColumns([&](int, int number) { a_[number] = T(0); });
  for (const int i : island)
    for (const Side<T>& s : problem.sides(i)) contact::push(s, lambda[i], a_.data());
}

/// E, J.
template <class T>
T Passive<T>::allowed(const Problem<T>& problem, Island island) {
  T energy = T(0), mass = T(0), square = T(0);
  for (const int i : island)
    for (const Side<T>& s : problem.sides(i)) isSeen_[s.mover] = false;
  for (const int i : island) {
    const Vec3<T> g = pushOf(problem, i);
    const Sym3<T>& G = problem.diagonal(i);
    energy += (squareOver(g.x, G.xx) + squareOver(g.y, G.yy) + squareOver(g.z, G.zz)) / crowd_[i];
    if (isContact(problem, i)) square = max(square, dot(g, g));
    for (const Side<T>& s : problem.sides(i)) {
      if (!isSeen_[s.mover]) mass += problem.mass(s.mover);
      isSeen_[s.mover] = true;
    }
  }
  return (energy + mass * square) / T(2);
}

/// The largest factor that makes the impulses passive; 0 where they are no numbers. Solutions may
/// miss the first property by their rounding.
template <class T>
T Passive<T>::share(const Problem<T>& problem, Island island, const Vec3<T>* lambda,
                    bool isSolved) {
  push(problem, island, lambda);
  T onB = T(0), onMovers = T(0), square = T(0), worst = T(0), size = T(0);
  for (const int i : island) {
    const Vec3<T>&l = lambda[i], &b = problem.freeVelocity(i), v = velocity(problem, i, lambda);
    onB += dot(l, b);
    onMovers += dot(l, b - problem.given(i));
    square += dot(l, v - b);
    worst = max(worst, problem.residualOf(i, lambda, v));
    size += problem.scale(i) * dot(l, l);
  }
  if (!std::isfinite(onB + onMovers + square)) return T(0);
  // Impulses that almost cancel: their sum is rounding.
  const T noise = T(100) * std::numeric_limits<T>::epsilon() * size;
  if (!isSolved && noise > T(1e-3) * (square + abs(onMovers))) return T(0);
  T s = T(1);
  if (!isSolved && onB + square > T(0)) s = onB < T(0) ? -onB / square : T(0);
  const bool isJam = !isSolved && isFar(problem, island, worst);
  const T most = allowed(problem, island) * (isJam ? T(share_in_jam) : T(1));
  if (onMovers * s + square * s * s / T(2) <= most) return s;
  const T root = sqrt(max(onMovers * onMovers + T(2) * square * most, T(0)));
  const T s2 = onMovers > T(0) ? T(2) * most / (onMovers + root) : (root - onMovers) / square;
  return s2 < s ? s2 : s;
}

template <class T>
T Passive<T>::scale(const Problem<T>& problem, Island island, Vec3<T>* lambda, bool isSolved) {
  const T s = share(problem, island, lambda, isSolved);
  if (!(s > T(0))) {
    put<T>(island, lambda, zero3<T>());
    return T(0);
  }
  if (s < T(1))
    for (const int i : island) lambda[i] = lambda[i] * s;
  return s;
}

template <class T>
auto Passive<T>::residuals(const Problem<T>& problem, Island island, const Vec3<T>* lambda)
    -> Residuals {
  push(problem, island, lambda);
  Residuals sum;
  for (const int i : island) {
    const T residual = problem.residualOf(i, lambda, velocity(problem, i, lambda));
    sum.largest = max(sum.largest, residual);
    sum.square += residual * residual;
  }
  return sum;
}

/// Moves the impulses towards those of compliant contacts.
///   pre  findCrowds()
template <class T>
void Passive<T>::comply(const Problem<T>& problem, Island island, Vec3<T>* lambda, int sweeps) {
  push(problem, island, lambda);
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (const int i : island) {
      const Vec3<T> old = lambda[i];
      const Sym3<T>& g = problem.diagonal(i);
      const Vec3<T> v = velocity(problem, i, lambda) +
                        Vec3<T>{g.xx * old.x, g.yy * old.y, g.zz * old.z} * crowd_[i];
      // The gradient's steepest rise is below 1 + n times the trace, which is 3 D.
      const T step = problem.inverseScale(i) / (T(3) * (T(1) + crowd_[i]));
      const bool isTorsion = problem.kind(i) == Kind::Torsion;
      const Vec3<T> way = isTorsion ? scaled(scaled(v, problem.axes(i)), problem.axes(i)) : v;
      lambda[i] = old - way * step;
      lambda[i] = problem.admissible(i, lambda);
      if (problem.hasBlocks(i)) continue;
      const Vec3<T> change = lambda[i] - old;
      for (const Side<T>& s : problem.sides(i)) contact::push(s, change, a_.data());
    }
  for (const int i : island) lambda[i] = problem.admissible(i, lambda);
}

template class Passive<double>;
template class Passive<float>;

}  // namespace espalier::contact
