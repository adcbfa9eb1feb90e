#pragma once

// The definitions of contact/island_rows.h, for the translation units that instantiate them.

#include <algorithm>

#include "espalier/contact/island_rows.h"
#include "espalier/contact/sparse_lu_impl.h"

namespace espalier::contact {

namespace rows_detail {

/// Columns that a group has on the average, at most.
inline constexpr int columns_each = 24;

inline int filledUp(int count, int wide) { return (count + wide - 1) / wide * wide; }

/// Whether the first two rows of a group have no numbers: limits, rows of joints.
template <class T>
bool hasThirdRowAlone(const Problem<T>& problem, int i) {
  const Sym3<T>& g = problem.diagonal(i);
  if (problem.kind(i) == Kind::Torsion || any(problem.mu(i) > bc<T>(0.0))) return false;
  return !any((g.xx > bc<T>(0.0)) | (g.yy > bc<T>(0.0)));
}

template <class T>
bool hasSoftContacts(const Problem<T>& problem, typename Problem<T>::Island island) {
  for (const int i : island) {
    const Sym3<T>& own = problem.own(i);
    const bool isSoft = any(own.xx + own.yy + own.zz > bc<T>(0.0));
    if (isSoft && problem.kind(i) != Kind::Bounded) return true;
  }
  return false;
}

/// Of rolling friction: the place of its contact in the island, else -1.
template <class T>
int normalPlace(const Problem<T>& problem, int i) {
  return problem.kind(i) == Kind::Torsion ? problem.place(problem.normalGroup(i)) : -1;
}

}  // namespace rows_detail

template <class T>
void IslandRows<T>::reserve(int groups, int numbers, int mostNumbers, int allColumns) {
  maxGroups_ = groups;
  mostNumbers_ = std::min(numbers, mostNumbers);
  const auto g = static_cast<std::size_t>(groups), n = static_cast<std::size_t>(mostNumbers_);
  const std::size_t usual =
      g * std::min(n + wide, static_cast<std::size_t>(rows_detail::columns_each));
  const std::size_t columns = allColumns > 0 ? allColumns : usual;
  const std::size_t runs = allColumns > 0 ? (allColumns + wide - 1) / wide : usual;
  place_ = AlignedArray<int>(static_cast<std::size_t>(numbers) + 6);
  number_ = AlignedArray<int>(n);
  group_ = AlignedArray<Group>(g);
  run_ = AlignedArray<Run>(runs);
  known_ = AlignedArray<Run>(runs);
  mark_ = AlignedArray<Mark>(2 * g);
  dof_ = AlignedArray<int>(2 * columns);
  slot_ = AlignedArray<int>(2 * columns);
  isMarked_ = false;
  knownRuns_ = -1;
  index_ = AlignedArray<int>(n);
  y_ = AlignedArray<T>(3 * columns);
  yd_ = AlignedArray<T>(3 * columns);
  product_ = AlignedArray<T>(3 * (wide * n + wide));
}

template <class T>
bool IslandRows<T>::load(const Problem<T>& problem, Island island) {
  const bool isAllowed = problem.isBySides() && island.size() <= maxGroups_ &&
                         !rows_detail::hasSoftContacts(problem, island);
  if (isAllowed && isLaidOut(problem, island)) {
    const Mark* mark = mark_.data();
    for (int k = 0; k < groups_; ++k) {
      if (group_[k].sides != 1) clear(group_[k]);
      store(problem, island[k], group_[k], [&](const Side<T>&) {
        return [slot = &slot_[mark++->column]](int column, int) { return slot[column]; };
      });
    }
    return true;
  }
  groups_ = island.size();
  isMarked_ = isAllowed && layOut(problem, island) && isMarked_;
  return isAllowed && isLaid_;
}

/// Whether the island's groups and sides have the places of those that were read last.
template <class T>
bool IslandRows<T>::isLaidOut(const Problem<T>& problem, Island island) const {
  if (!isMarked_ || island.size() != groups_) return false;
  if (problem.hasAllNumbers() && problem.numbers() != numbers_) return false;
  const Mark* mark = mark_.data();
  for (int k = 0; k < groups_; ++k) {
    const int i = island[k];
    const Group& group = group_[k];
    const auto sides = problem.sides(i);
    if (static_cast<int>(sides.size()) != group.sides ||
        rows_detail::normalPlace(problem, i) != group.normal ||
        rows_detail::hasThirdRowAlone(problem, i) != group.isSingle)
      return false;
    for (const Side<T>& s : sides) {
      if (s.mover != mark->mover || s.count != mark->count || (s.dof != nullptr) != mark->hasDofs ||
          (s.dof != nullptr && !std::equal(s.dof, s.dof + s.count, &dof_[mark->column])))
        return false;
      ++mark;
    }
  }
  return true;
}

/// Of a group whose runs are known, in the island whose numbers are known.
template <class T>
auto IslandRows<T>::placesInRuns(const Group& group) const {
  return [this, &group](const Side<T>&) {
    return [this, run = &run_[group.run]](int, int number) mutable {
      const int index = place_[number] - 1;
      while (index >= run->index + run->count) ++run;
      return run->slot + index - run->index;
    };
  };
}

template <class T>
bool IslandRows<T>::layOut(const Problem<T>& problem, Island island) {
  runs_ = stored_ = marks_ = markedColumns_ = 0;
  operations_ = 0;
  isMarked_ = true;
  isLaid_ = findNumbers(problem, island);
  if (!isLaid_) return false;
  for (int k = 0; k < groups_ && isLaid_; ++k) {
    const int i = island[k];
    Group& group = group_[k];
    group.normal = rows_detail::normalPlace(problem, i);
    group.isSingle = rows_detail::hasThirdRowAlone(problem, i);
    group.sides = static_cast<int>(problem.sides(i).size());
    isLaid_ = open(collect(problem, i), group);
    if (!isLaid_) break;
    store(problem, i, group, placesInRuns(group));
    mark(problem, i, group);
  }
  for (int k = 0; k < numbers_; ++k) place_[number_[k]] = 0;
  return isLaid_;
}

/// Notes the places of its sides.
template <class T>
void IslandRows<T>::mark(const Problem<T>& problem, int i, const Group& group) {
  for (const Side<T>& s : problem.sides(i)) {
    isMarked_ =
        isMarked_ && marks_ < std::ssize(mark_) && markedColumns_ + s.count <= std::ssize(dof_);
    if (!isMarked_) return;
    mark_[marks_++] = {s.mover, s.count, markedColumns_, s.dof != nullptr};
    if (s.dof != nullptr) std::copy_n(s.dof, s.count, &dof_[markedColumns_]);
    auto placeOf = placesInRuns(group)(s);
    s.forColumns([&](int k, int number) { slot_[markedColumns_ + k] = placeOf(k, number); });
    markedColumns_ += s.count;
  }
}

template <class T>
void IslandRows<T>::clear(const Group& group) {
  const int numbers = (group.isSingle ? 1 : 3) * group.columns;
  std::fill_n(&y_[group.at], numbers, bc<T>(0.0));
  std::fill_n(&yd_[group.at], numbers, bc<T>(0.0));
}

/// The numbers of its movers, ascending; false where there is no room.
template <class T>
bool IslandRows<T>::findNumbers(const Problem<T>& problem, Island island) {
  const int all = problem.hasAllNumbers() ? problem.numbers() : 0;
  int lowest = all > 0 ? 0 : std::numeric_limits<int>::max(), highest = all - 1, count = all;
  for (int number = 0; number < all; ++number) place_[number] = 1;
  for (const int i : island)
    for (const Side<T>& s : problem.sides(i))
      s.forColumns([&](int, int number) {
        int& place = place_[number];
        count += place == 0;
        place = 1;
        lowest = std::min(lowest, number);
        highest = std::max(highest, number);
      });
  const bool fits = count <= mostNumbers_;
  numbers_ = 0;
  for (int number = lowest; number <= highest; ++number) {
    int& place = place_[number];
    if (place == 0) continue;
    if (fits) number_[numbers_] = number;
    place = fits ? ++numbers_ : 0;
  }
  return fits;
}

/// The numbers of group i, ascending, those of two sides once. How many.
template <class T>
int IslandRows<T>::collect(const Problem<T>& problem, int i) {
  int count = 0;
  for (const Side<T>& s : problem.sides(i)) {
    const int known = count;
    int from = 0;
    s.forColumns([&](int, int number) {
      const int index = place_[number] - 1;
      while (from < known && index_[from] < index) ++from;
      if (from == known || index_[from] != index) index_[count++] = index;
    });
    // Ascending again: insertion, since both parts are.
    for (int k = known; k < count; ++k)
      for (auto j = static_cast<std::size_t>(k); j > 0 && index_[j - 1] > index_[j]; --j)
        std::swap(index_[j - 1], index_[j]);
  }
  return count;
}

/// The runs of a group from its numbers, and its rows with zeros; false where there is no room.
template <class T>
bool IslandRows<T>::open(int count, Group& group) {
  group.run = runs_;
  group.at = stored_;
  group.columns = 0;
  for (int c = 0; c < count; ++c) {
    const int index = index_[c];
    if (c == 0 || index != index_[c - 1] + 1) {
      if (static_cast<std::size_t>(runs_) == run_.size()) return false;
      run_[runs_++] = {group.columns, index, 0, 0};
    }
    Run& run = run_[runs_ - 1];
    ++run.count;
    run.filled = rows_detail::filledUp(run.count, wide);
    group.columns = run.slot + run.filled;
  }
  group.lastRun = runs_;
  const int rows = group.isSingle ? 1 : 3, n = group.columns;
  stored_ += rows * n;
  if (static_cast<std::size_t>(stored_) > y_.size()) return false;
  operations_ += static_cast<long>(rows) * n * (n + 3) / 2;
  clear(group);
  return true;
}

/// The columns of its sides; those that two sides have are added.
///   in  placesOf(s)  of side s: the place in a row of column k, which belongs to a number
///   pre  the rows are zero where the group has several sides
template <class T>
template <class Places>
void IslandRows<T>::store(const Problem<T>& problem, int i, const Group& group, Places&& placesOf) {
  const int n = group.columns;
  T *y = &y_[group.at], *yd = &yd_[group.at];
  const bool isOneSided = group.sides == 1;
  const auto put = [&](T& to, const T& x) { to = isOneSided ? x : to + x; };
  for (const Side<T>& s : problem.sides(i)) {
    auto placeOf = placesOf(s);
    s.forColumns([&](int k, int number) {
      const int q = placeOf(k, number);
      if (group.isSingle) {
        put(y[q], s.y[k].z());
        put(yd[q], s.yd[k].z());
        return;
      }
      const Column3<T>&a = s.y[k], &b = s.yd[k];
      put(y[q], a.x()), put(y[n + q], a.y()), put(y[2 * n + q], a.z());
      put(yd[q], b.x()), put(yd[n + q], b.y()), put(yd[2 * n + q], b.z());
    });
  }
}

template <class T>
Vec3<T> IslandRows<T>::velocity(int k, const Vec3<T>& b, const T* a) const {
  using Q = Quad<T>;
  const Group& g = group(k);
  Q x, y, z;
  if (g.isSingle) {
    const T* rows = row(y_, g, 0);
    for (int r = g.run; r < g.lastRun; ++r) {
      const Run& run = run_[r];
      for (int q = 0; q < run.filled; q += wide)
        z = fma(Q::load(rows + run.slot + q), Q::load(a + run.index + q), z);
    }
    return {b.x, b.y, b.z + sum(z)};
  }
  const T *rx = row(y_, g, 0), *ry = row(y_, g, 1), *rz = row(y_, g, 2);
  for (int r = g.run; r < g.lastRun; ++r) {
    const Run& run = run_[r];
    for (int q = 0; q < run.filled; q += wide) {
      const Q at = Q::load(a + run.index + q);
      x = fma(Q::load(rx + run.slot + q), at, x);
      y = fma(Q::load(ry + run.slot + q), at, y);
      z = fma(Q::load(rz + run.slot + q), at, z);
    }
  }
  return {b.x + sum(x), b.y + sum(y), b.z + sum(z)};
}

template <class T>
void IslandRows<T>::push(int k, const Vec3<T>& lambda, T* a) const {
  using Q = Quad<T>;
  const Group& g = group(k);
  const Q lz(lambda.z);
  if (g.isSingle) {
    const T* rows = row(yd_, g, 0);
    for (int r = g.run; r < g.lastRun; ++r) {
      const Run& run = run_[r];
      for (int q = 0; q < run.filled; q += wide) {
        T* to = a + run.index + q;
        fma(Q::load(rows + run.slot + q), lz, Q::load(to)).store(to);
      }
    }
    return;
  }
  const Q lx(lambda.x), ly(lambda.y);
  const T *rx = row(yd_, g, 0), *ry = row(yd_, g, 1), *rz = row(yd_, g, 2);
  for (int r = g.run; r < g.lastRun; ++r) {
    const Run& run = run_[r];
    for (int q = 0; q < run.filled; q += wide) {
      T* to = a + run.index + q;
      const int at = run.slot + q;
      const Q first = fma(Q::load(rx + at), lx, Q::load(to));
      fma(Q::load(rz + at), lz, fma(Q::load(ry + at), ly, first)).store(to);
    }
  }
}

template <class T>
void IslandRows<T>::setPattern(SparseLu<T>& lu) {
  // The first run of a group has slot 0, so that runs tell the groups apart.
  if (runs_ == knownRuns_ && numbers_ == knownNumbers_ &&
      std::equal(run_.begin(), run_.begin() + runs_, known_.begin()))
    return;
  std::copy_n(run_.begin(), runs_, known_.begin());
  knownRuns_ = runs_;
  knownNumbers_ = numbers_;
  lu.clear(numbers_);
  for (int k = 0; k < groups_; ++k) {
    const Group& g = group(k);
    lu.beginBlock();
    for (int r = g.run; r < g.lastRun; ++r) {
      const Run& run = run_[r];
      lu.addToBlock(run.index, run.index + run.count);
    }
  }
  lu.finishPattern();
}

template <class T>
void IslandRows<T>::addSingle(int group, const T& k, T* h, int stride) {
  using Q = Quad<T>;
  const Group& g = group_[group];
  const T *y = row(y_, g, 0), *yd = row(yd_, g, 0);
  for (int i = g.run; i < g.lastRun; ++i) {
    const Run& own = run_[i];
    for (int j = 0; j < own.count; ++j) {
      T* to = h + static_cast<std::ptrdiff_t>(own.index + j) * stride;
      const Q factor(yd[own.slot + j] * k);
      for (int r = g.run; r < g.lastRun; ++r) {
        const Run& run = run_[r];
        for (int q = 0; q < run.filled; q += wide) {
          T* entry = to + run.index + q;
          fma(factor, Q::load(y + run.slot + q), Q::load(entry)).store(entry);
        }
      }
    }
  }
}

template <class T>
void IslandRows<T>::addBlock(int rows, int columns, const Mat3<T>& k, T* h, int stride) {
  using Q = Quad<T>;
  const Group &from = group(rows), &to = group(columns);
  const int n = to.columns, m = from.columns;
  const T *yx = row(y_, to, 0), *yy = yx + n, *yz = yy + n;
  T *px = product_.data(), *py = px + n, *pz = py + n;
  const auto product = [&](const Vec3<T>& r, T* p) {
    const Q x(r.x), y(r.y), z(r.z);
    for (int q = 0; q < n; q += wide)
      fma(z, Q::load(yz + q), fma(y, Q::load(yy + q), x * Q::load(yx + q))).store(p + q);
  };
  product(k.r0, px);
  product(k.r1, py);
  product(k.r2, pz);
  const T *dx = row(yd_, from, 0), *dy = dx + m, *dz = dy + m;
  for (int i = from.run; i < from.lastRun; ++i) {
    const Run& own = run_[i];
    for (int j = 0; j < own.count; ++j) {
      T* line = h + static_cast<std::ptrdiff_t>(own.index + j) * stride;
      const int at = own.slot + j;
      const Q x(dx[at]), y(dy[at]), z(dz[at]);
      for (int r = to.run; r < to.lastRun; ++r) {
        const Run& run = run_[r];
        for (int q = 0; q < run.filled; q += wide) {
          T* entry = line + run.index + q;
          const int slot = run.slot + q;
          const Q first = fma(x, Q::load(px + slot), Q::load(entry));
          fma(z, Q::load(pz + slot), fma(y, Q::load(py + slot), first)).store(entry);
        }
      }
    }
  }
}

template <class T>
template <class Share>
void IslandRows<T>::findWeights(const T& mass, Share&& share, T* weight) {
  const T zero = bc<T>(0.0), smallest = bc<T>(std::numeric_limits<value_t<T>>::min());
  T* felt = product_.data();
  for (int n = 0; n < numbers_; ++n) weight[n] = felt[n] = zero;
  T groups = zero;
  for (int k = 0; k < groups_; ++k) {
    const Group& g = group(k);
    const T own = share(k);
    groups = groups + own;
    for (int i = g.run; i < g.lastRun; ++i) {
      const Run& run = run_[i];
      for (int r = 0; r < (g.isSingle ? 1 : 3); ++r) {
        const T *y = row(y_, g, r) + run.slot, *yd = row(yd_, g, r) + run.slot;
        for (int q = 0; q < run.count; ++q) {
          const T part = own * y[q];
          weight[run.index + q] = fma(part, y[q], weight[run.index + q]);
          felt[run.index + q] = fma(part, yd[q], felt[run.index + q]);
        }
      }
    }
  }
  for (int n = 0; n < numbers_; ++n) weight[n] = weight[n] * groups / max(felt[n] * mass, smallest);
}

}  // namespace espalier::contact
