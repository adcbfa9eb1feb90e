#pragma once

// The contact problem of one instant: assembled once, then const. It knows nothing of robots.
//
//   v = G lambda + b,   one group of three rows (t1, t2, n) for each contact
//
// G is the Delassus matrix, symmetric and block-sparse: two groups are coupled when they share a
// moving system. b is the velocity without contact impulses plus the bias that the law asks for,
// so that "v_N >= 0, friction against v_T" is all that remains to be said. A joint limit is a
// group with mu = 0 whose tangential rows and columns are zero.
//
// Lanes: a group is a slot that all lanes share. A lane without this contact gives it
// `inactive()` as b and no coupling; it then stays open.

#include <limits>

#include "espalier/contact/cone.h"
#include "espalier/core/aligned.h"
#include "espalier/core/check.h"

namespace espalier::contact {

/// One off-diagonal block seen from a row: the other group, and where the block is stored.
struct Coupling {
  int group, block;
};

template <class T>
class Problem {
 public:
  Problem() = default;
  Problem(int maxGroups, int maxCouplings) { reserve(maxGroups, maxCouplings); }

  /// Sets the capacities; the only call that allocates. Forgets what was assembled.
  void reserve(int maxGroups, int maxCouplings);
  void clear() {
    groups_ = couplings_ = 0;
    complete_ = true;
  }

  /// A new group; its index, or -1 (and `complete()` false) when there is no room.
  ///   in  diagonal  G_ii, 1/kg
  ///   in  b         free velocity and bias, m/s
  int addGroup(const Sym3<T>& diagonal, const Vec3<T>& b, const T& mu) {
    if (groups_ == maxGroups()) return noRoom();
    const T third = (diagonal.xx + diagonal.yy + diagonal.zz) * bc<T>(1.0 / 3.0);
    scale_[groups_] = max(third, bc<T>(std::numeric_limits<value_t<T>>::min()));
    inverseScale_[groups_] = bc<T>(1.0) / scale_[groups_];
    diagonal_[groups_] = diagonal;
    b_[groups_] = b;
    mu_[groups_] = mu;
    newest_[groups_] = -1;
    return groups_++;
  }
  /// G_ij += block for i != j, and with it G_ji += block'. False when there is no room.
  bool addCoupling(int i, int j, const Mat3<T>& block);
  /// Orders the couplings by rows and finds the islands. After it only b may change.
  void finish();

  /// Another b with the same G: a second solve of the same instant.
  void setFreeVelocity(int i, const Vec3<T>& b) { b_[i] = b; }

  int size() const { return groups_; }
  int maxGroups() const { return static_cast<int>(b_.size()); }
  int maxCouplings() const { return static_cast<int>(block_.size()); }
  /// False when a group or a coupling had to be left out.
  bool complete() const { return complete_; }

  const Sym3<T>& diagonal(int i) const { return diagonal_[i]; }
  const Vec3<T>& freeVelocity(int i) const { return b_[i]; }
  const T& mu(int i) const { return mu_[i]; }
  /// D_i = tr(G_ii) / 3, 1/kg, and its inverse.
  const T& scale(int i) const { return scale_[i]; }
  const T& inverseScale(int i) const { return inverseScale_[i]; }
  int couplings() const { return couplings_; }
  const Mat3<T>& block(int k) const { return block_[k]; }

  struct Row {
    const Coupling *first, *last;
    const Coupling* begin() const { return first; }
    const Coupling* end() const { return last; }
  };
  /// Groups j < i coupled to i, ascending; v_i += block lambda_j.
  Row lower(int i) const {
    return {lower_.data() + lowerBegin_[i], lower_.data() + lowerBegin_[i + 1]};
  }
  /// Groups j > i coupled to i, ascending; v_i += block' lambda_j.
  Row upper(int i) const {
    return {upper_.data() + upperBegin_[i], upper_.data() + upperBegin_[i + 1]};
  }

  /// Groups that couplings join, directly or not: each island is a problem of its own.
  int islands() const { return islands_; }
  struct Island {
    const int *first, *last;
    const int* begin() const { return first; }
    const int* end() const { return last; }
    int size() const { return static_cast<int>(last - first); }
    int operator[](int k) const { return first[k]; }
  };
  /// Its groups, ascending.
  Island island(int k) const {
    return {member_.data() + islandBegin_[k], member_.data() + islandBegin_[k + 1]};
  }
  /// The place of group i in its island.
  int place(int i) const { return place_[i]; }

  /// v_i = b_i + sum of G_ij lambda_j.
  ESPALIER_INLINE Vec3<T> velocity(int i, const Vec3<T>* lambda) const {
    Vec3<T> v = b_[i] + mul(diagonal_[i], lambda[i]);
    for (const Coupling& c : lower(i)) v += mul(block_[c.block], lambda[c.group]);
    for (const Coupling& c : upper(i)) v += tmul(block_[c.block], lambda[c.group]);
    return v;
  }

  /// The b of a slot that is not in contact, in the lane that has none.
  static constexpr value_t<T> inactive() { return value_t<T>(1e15); }

 private:
  int noRoom() {
    complete_ = false;
    return -1;
  }

  void sortRows();
  void findIslands();
  int rootOf(int i) {
    while (root_[i] != i) i = root_[i] = root_[root_[i]];
    return i;
  }

  int groups_ = 0, couplings_ = 0;
  bool complete_ = true;
  AlignedArray<Sym3<T>> diagonal_;             // groups
  AlignedArray<Vec3<T>> b_;                    // groups
  AlignedArray<T> mu_, scale_, inverseScale_;  // groups
  AlignedArray<Mat3<T>> block_;                // couplings, rows of the later group
  AlignedArray<int> row_, col_;                // couplings, row_ > col_
  AlignedArray<int> newest_, older_;           // groups, couplings: the couplings of a row, linked
  AlignedArray<int> lowerBegin_, upperBegin_;  // groups + 1
  AlignedArray<Coupling> lower_, upper_;       // couplings
  int islands_ = 0;
  AlignedArray<int> root_, islandOf_, place_, member_;  // groups; root_: a forest of groups
  AlignedArray<int> islandBegin_;                       // groups + 1
};

template <class T>
void Problem<T>::reserve(int maxGroups, int maxCouplings) {
  ESPALIER_REQUIRE(maxGroups >= 0 && maxCouplings >= 0, "capacities are counts");
  const auto groups = static_cast<std::size_t>(maxGroups);
  const auto couplings = static_cast<std::size_t>(maxCouplings);
  *this = Problem();
  diagonal_ = AlignedArray<Sym3<T>>(groups);
  b_ = AlignedArray<Vec3<T>>(groups);
  mu_ = AlignedArray<T>(groups);
  scale_ = AlignedArray<T>(groups);
  inverseScale_ = AlignedArray<T>(groups);
  block_ = AlignedArray<Mat3<T>>(couplings);
  row_ = AlignedArray<int>(couplings);
  col_ = AlignedArray<int>(couplings);
  newest_ = AlignedArray<int>(groups);
  older_ = AlignedArray<int>(couplings);
  lowerBegin_ = AlignedArray<int>(groups + 1);
  upperBegin_ = AlignedArray<int>(groups + 1);
  lower_ = AlignedArray<Coupling>(couplings);
  upper_ = AlignedArray<Coupling>(couplings);
  root_ = AlignedArray<int>(groups);
  islandOf_ = AlignedArray<int>(groups);
  member_ = AlignedArray<int>(groups);
  place_ = AlignedArray<int>(groups);
  islandBegin_ = AlignedArray<int>(groups + 1);
}

template <class T>
bool Problem<T>::addCoupling(int i, int j, const Mat3<T>& block) {
  ESPALIER_ASSERT(i != j && i >= 0 && j >= 0 && i < groups_ && j < groups_);
  const bool swap = i < j;
  const int row = swap ? j : i, col = swap ? i : j;
  int k = newest_[row];
  while (k >= 0 && col_[k] != col) k = older_[k];
  if (k < 0) {
    if (couplings_ == maxCouplings()) {
      complete_ = false;
      return false;
    }
    k = couplings_++;
    row_[k] = row;
    col_[k] = col;
    older_[k] = newest_[row];
    newest_[row] = k;
    block_[k] = swap ? transpose(block) : block;
  } else {
    block_[k] += swap ? transpose(block) : block;
  }
  return true;
}

template <class T>
void Problem<T>::finish() {
  islands_ = 0;
  if (groups_ == 0) return;
  sortRows();
  findIslands();
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
void Problem<T>::findIslands() {
  // The smallest group of an island is its root, so that islands come out in ascending order.
  for (int i = 0; i < groups_; ++i) root_[i] = i;
  for (int k = 0; k < couplings_; ++k) {
    const int a = rootOf(row_[k]), b = rootOf(col_[k]);
    root_[std::max(a, b)] = std::min(a, b);
  }
  for (int i = 0; i <= groups_; ++i) islandBegin_[i] = 0;
  for (int i = 0; i < groups_; ++i) {
    root_[i] = root_[root_[i]];  // parents are smaller, hence already point at their root
    const int island = root_[i] == i ? islands_++ : islandOf_[root_[i]];
    islandOf_[i] = island;
    place_[i] = islandBegin_[island + 1]++;
  }
  for (int k = 0; k < islands_; ++k) islandBegin_[k + 1] += islandBegin_[k];
  for (int i = 0; i < groups_; ++i) member_[islandBegin_[islandOf_[i]] + place_[i]] = i;
}

}  // namespace espalier::contact
