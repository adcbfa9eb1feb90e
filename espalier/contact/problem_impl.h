#pragma once

// The definitions of contact/problem.h, for the translation units that instantiate them.

#include <algorithm>

#include "espalier/contact/problem.h"

namespace espalier::contact {

template <class T>
void Problem<T>::reserve(const Capacity& capacity) {
  ESPALIER_REQUIRE(capacity.groups >= 0 && capacity.couplings >= 0 && capacity.sides >= 0 &&
                       capacity.numbers >= 0,
                   "capacities are counts");
  const auto groups = static_cast<std::size_t>(capacity.groups);
  const auto couplings = static_cast<std::size_t>(capacity.couplings);
  *this = Problem();
  diagonal_ = AlignedArray<Sym3<T>>(groups);
  own_ = AlignedArray<Sym3<T>>(groups);
  b_ = AlignedArray<Vec3<T>>(groups);
  given_ = AlignedArray<Vec3<T>>(groups);
  mu_ = AlignedArray<T>(groups);
  correction_ = AlignedArray<T>(groups);
  height_ = AlignedArray<value_t<T>>(groups);
  scale_ = AlignedArray<T>(groups);
  inverseScale_ = AlignedArray<T>(groups);
  kind_ = AlignedArray<Kind>(groups);
  low_ = AlignedArray<Vec3<T>>(groups);
  high_ = AlignedArray<Vec3<T>>(groups);
  normalOf_ = AlignedArray<int>(groups);
  self_ = AlignedArray<Block<T>>(groups);
  rows_ = AlignedArray<Block<T>>(couplings);
  columns_ = AlignedArray<Block<T>>(couplings);
  row_ = AlignedArray<int>(couplings);
  col_ = AlignedArray<int>(couplings);
  newest_ = AlignedArray<int>(groups);
  older_ = AlignedArray<int>(couplings);
  lowerBegin_ = AlignedArray<int>(groups + 1);
  upperBegin_ = AlignedArray<int>(groups + 1);
  lower_ = AlignedArray<Coupling>(couplings);
  upper_ = AlignedArray<Coupling>(couplings);
  side_ = AlignedArray<Side<T>>(static_cast<std::size_t>(capacity.sides));
  sideBegin_ = AlignedArray<int>(groups + 1);
  newestOf_ = AlignedArray<int>(static_cast<std::size_t>(capacity.numbers));
  massOf_ = AlignedArray<value_t<T>>(static_cast<std::size_t>(capacity.numbers));
  root_ = AlignedArray<int>(groups);
  islandOf_ = AlignedArray<int>(groups);
  member_ = AlignedArray<int>(groups);
  place_ = AlignedArray<int>(groups);
  islandBegin_ = AlignedArray<int>(groups + 1);
  hasBlocks_ = AlignedArray<bool>(groups);
}

template <class T>
int Problem<T>::open(std::span<const Side<T>> sides, const Vec3<T>& softness, const Vec3<T>& b,
                     Kind kind) {
  const int count = static_cast<int>(sides.size());
  if (sides_ + count > static_cast<int>(side_.size())) return noRoom();
  const T zero = bc<T>(0.0);
  const Sym3<T> soft = {softness.x, zero, zero, softness.y, zero, softness.z};
  int shared = count == 0 ? -1 : (groups_ == 0 ? sides[0].mover : sharedMover_);
  const int i = open(soft, b, kind);
  if (i < 0) return i;
  Block<T> g = self_[i];
  for (int s = 0; s < count; ++s) {
    ESPALIER_ASSERT(sides[s].mover >= 0 && sides[s].mover < numbers());
    if (sides[s].mover != shared) shared = -1;
    side_[sides_++] = sides[s];
    coupleSelf(sides[s], g);
    for (int other = 0; other < s; ++other) {  // two bodies of one mover
      if (sides[other].mover != sides[s].mover) continue;
      Block<T> x;
      couple(sides[other], sides[s], x);
      g = g + (x + transpose(x));
    }
  }
  // The halves may differ by rounding, y D being rounded before y D y': the upper one is taken.
  const Mat3<T> half = g.mat3();
  setDiagonal(i, {half.r0, {half.r0.y, half.r1.y, half.r1.z}, {half.r0.z, half.r1.z, half.r2.z}});
  sideBegin_[i + 1] = sides_;
  sharedMover_ = shared;
  return i;
}

template <class T>
void Problem<T>::closeTorsion(int i, int normalGroup, const T& rolling, const T& spinning,
                              const T& length) {
  ESPALIER_ASSERT(normalGroup >= 0 && normalGroup < i && kind_[normalGroup] == Kind::Coulomb);
  const T largest = max(rolling, spinning);
  const T unit = length / max(largest, bc<T>(std::numeric_limits<value_t<T>>::min()));
  low_[i] = {unit * rolling, unit * rolling, unit * spinning};
  mu_[i] = largest / length;
  normalOf_[i] = normalGroup;
  setScale(i, scaled(diagonal_[i], low_[i]));
}

template <class T>
bool Problem<T>::addCoupling(int i, int j, const Mat3<T>& block) {
  ESPALIER_ASSERT(i != j && i >= 0 && j >= 0 && i < groups_ && j < groups_);
  isBySides_ = false;
  return i > j ? put(i, j, block) : put(j, i, transpose(block));
}

template <class T>
bool Problem<T>::put(int row, int col, const Mat3<T>& block) {
  int k = newest_[row];
  while (k >= 0 && col_[k] != col) k = older_[k];
  if (k >= 0) {
    setBlock(k, rows_[k] + Block<T>(block));
    return true;
  }
  if (couplings_ == maxCouplings()) {
    complete_ = false;
    return false;
  }
  setBlock(append(row, col), block);
  return true;
}

/// A new block of a row.
template <class T>
int Problem<T>::append(int row, int col) {
  const int k = couplings_++;
  row_[k] = row;
  col_[k] = col;
  older_[k] = newest_[row];
  newest_[row] = k;
  return k;
}

template <class T>
void Problem<T>::finish(int few) {
  islands_ = 0;
  if (groups_ == 0) return;
  findIslands();
  hasOnlySides_ &= couplings_ == 0;
  if (sides_ > 0) writeBlocks(few);
  sortRows();
}

template <class T>
void Problem<T>::finishBySides() {
  islands_ = 0;
  if (groups_ == 0) return;
  findIslands();
  for (int k = 0; k < islands_; ++k) hasBlocks_[k] = false;
  hasAllNumbers_ = true;
  sortRows();
}

template <class T>
void Problem<T>::sortRows() {
  // Rows in ascending order, each walked once: the upper parts come out sorted.
  for (int i = 0; i <= groups_; ++i) upperBegin_[i] = 0;
  int filled = 0;
  for (int i = 0; i < groups_; ++i) {
    const int begin = filled;
    lowerBegin_[i] = begin;
    for (int k = newest_[i]; k >= 0; k = older_[k]) {
      int place = filled++;
      for (; place > begin && lower_[place - 1].group > col_[k]; --place)
        lower_[place] = lower_[place - 1];
      lower_[place] = {col_[k], k};
      ++upperBegin_[col_[k] + 1];
    }
  }
  lowerBegin_[groups_] = filled;
  for (int i = 0; i < groups_; ++i) upperBegin_[i + 1] += upperBegin_[i];
  // upperBegin_ serves as the cursor of each column, then is set back by one place.
  for (int i = 0; i < groups_; ++i)
    for (int e = lowerBegin_[i]; e < lowerBegin_[i + 1]; ++e)
      upper_[upperBegin_[lower_[e].group]++] = {i, lower_[e].block};
  for (int i = groups_; i > 0; --i) upperBegin_[i] = upperBegin_[i - 1];
  upperBegin_[0] = 0;
}

template <class T>
void Problem<T>::putOneIsland() {
  islands_ = 1;
  islandBegin_[0] = 0;
  islandBegin_[1] = groups_;
  for (int i = 0; i < groups_; ++i) {
    islandOf_[i] = 0;
    place_[i] = member_[i] = i;
  }
  hasBlocks_[0] = true;
}

template <class T>
void Problem<T>::joinCoupled() {
  for (int i = 0; i < groups_; ++i) root_[i] = i;
  for (int k = 0; k < couplings_; ++k) join(row_[k], col_[k]);
  for (int s = 0; s < sides_; ++s) newestOf_[side_[s].mover] = -1;
  for (int i = 0; i < groups_; ++i) {
    for (const Side<T>& s : sides(i)) {
      int& newest = newestOf_[s.mover];
      if (newest >= 0 && newest != i) join(newest, i);
      newest = i;
    }
    if (kind_[i] == Kind::Torsion) join(normalOf_[i], i);
  }
}

/// The smallest group of an island is its root, so that islands come out in ascending order.
template <class T>
void Problem<T>::findIslands() {
  if (sharedMover_ >= 0) return putOneIsland();  // one robot on the ground
  joinCoupled();
  for (int i = 0; i <= groups_; ++i) islandBegin_[i] = 0;
  for (int i = 0; i < groups_; ++i) {
    root_[i] = root_[root_[i]];  // parents are smaller, hence already point at their root
    const int island = root_[i] == i ? islands_++ : islandOf_[root_[i]];
    islandOf_[i] = island;
    place_[i] = islandBegin_[island + 1]++;
  }
  for (int k = 0; k < islands_; ++k) islandBegin_[k + 1] += islandBegin_[k];
  for (int i = 0; i < groups_; ++i) member_[islandBegin_[islandOf_[i]] + place_[i]] = i;
  for (int k = 0; k < islands_; ++k) hasBlocks_[k] = true;
}

template <class T>
bool Problem<T>::actsOnOneMover(Island island) const {
  if (sharedMover_ >= 0) return true;
  int mover = -1;
  for (const int i : island)
    for (const Side<T>& s : sides(i)) {
      if (mover >= 0 && mover != s.mover) return false;
      mover = s.mover;
    }
  return mover >= 0;
}

template <class T>
bool Problem<T>::hangsOnARobot(Island island) const {
  if (actsOnOneMover(island)) return true;
  for (const int i : island)
    for (const Side<T>& s : sides(i))
      if (s.dof != nullptr) return true;
  return false;
}

/// Of an island on one mover, by the dofs that its groups act on, which newestOf_ serves to count.
template <class T>
int Problem<T>::mostWithBlocks(Island island, int few) {
  if (island.size() <= few || island.size() > small_island) return few;
  const auto forDofs = [&](auto&& visit) {
    for (const int i : island)
      for (const Side<T>& s : sides(i))
        s.forColumns([&](int, int number) { visit(newestOf_[number]); });
  };
  forDofs([](int& number) { number = -1; });
  int dofs = 0;
  forDofs([&](int& number) { dofs += number++ < 0; });
  return std::min(std::max(few, 2 * dofs / 5), small_island);
}

template <class T>
void Problem<T>::writeBlocks(int few) {
  for (int k = 0; k < islands_; ++k) {
    const Island all = island(k);
    const int n = all.size();
    bool bySides = false;
    for (const int i : all) bySides |= sideBegin_[i] != sideBegin_[i + 1];
    if (!bySides) continue;
    if (n > (actsOnOneMover(all) ? mostWithBlocks(all, few) : small_island) ||
        couplings_ + n * (n - 1) / 2 > maxCouplings()) {
      hasBlocks_[k] = false;
      continue;
    }
    // Columns descending: the newest block of a row is its first, and rows come out sorted.
    for (int p = 1; p < n; ++p) {
      for (int q = p - 1; q >= 0; --q) {
        Block<T> block;
        bool shared = false;
        for (const Side<T>& a : sides(all[p]))
          for (const Side<T>& b : sides(all[q]))
            if (a.mover == b.mover) {
              couple(a, b, block);
              shared = true;
            }
        if (!shared) continue;
        if (hasOnlySides_)
          setBlock(append(all[p], all[q]), block);
        else
          put(all[p], all[q], block.mat3());
      }
    }
  }
}

}  // namespace espalier::contact
