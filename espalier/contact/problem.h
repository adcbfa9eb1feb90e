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

#include "espalier/core/aligned.h"
#include "espalier/core/check.h"
#include "espalier/spatial/vec3.h"

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
    diagonal_[groups_] = diagonal;
    b_[groups_] = b;
    mu_[groups_] = mu;
    newest_[groups_] = -1;
    return groups_++;
  }
  /// G_ij += block for i != j, and with it G_ji += block'. False when there is no room.
  bool addCoupling(int i, int j, const Mat3<T>& block);
  /// Orders the couplings by rows. After it only b may change.
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
  int couplings() const { return couplings_; }
  const Mat3<T>& block(int k) const { return block_[k]; }

  struct Row {
    const Coupling *first, *last;
    const Coupling* begin() const { return first; }
    const Coupling* end() const { return last; }
  };
  /// Groups j < i coupled to i, ascending; v_i += block lambda_j.
  Row lower(int i) const { return {&lower_[lowerBegin_[i]], &lower_[lowerBegin_[i + 1]]}; }
  /// Groups j > i coupled to i, ascending; v_i += block' lambda_j.
  Row upper(int i) const { return {&upper_[upperBegin_[i]], &upper_[upperBegin_[i + 1]]}; }

  /// b_i + sum over j != i of G_ij lambda_j.
  Vec3<T> velocityWithout(int i, const Vec3<T>* lambda) const {
    Vec3<T> v = b_[i];
    for (const Coupling& c : lower(i)) v += mul(block_[c.block], lambda[c.group]);
    for (const Coupling& c : upper(i)) v += tmul(block_[c.block], lambda[c.group]);
    return v;
  }
  /// v_i = b_i + sum of G_ij lambda_j.
  Vec3<T> velocity(int i, const Vec3<T>* lambda) const {
    return velocityWithout(i, lambda) + mul(diagonal_[i], lambda[i]);
  }

  /// The b of a slot that is not in contact, in the lane that has none.
  static constexpr value_t<T> inactive() { return value_t<T>(1e15); }

 private:
  int noRoom() {
    complete_ = false;
    return -1;
  }

  int groups_ = 0, couplings_ = 0;
  bool complete_ = true;
  AlignedArray<Sym3<T>> diagonal_;      // groups
  AlignedArray<Vec3<T>> b_;             // groups
  AlignedArray<T> mu_;                  // groups
  AlignedArray<Mat3<T>> block_;         // couplings, rows of the later group
  AlignedArray<int> row_, col_;         // couplings, row_ > col_
  AlignedArray<int> newest_, older_;    // groups, couplings: the couplings of a row, linked
  AlignedArray<int> lowerBegin_, upperBegin_;  // groups + 1
  AlignedArray<Coupling> lower_, upper_;       // couplings
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
  block_ = AlignedArray<Mat3<T>>(couplings);
  row_ = AlignedArray<int>(couplings);
  col_ = AlignedArray<int>(couplings);
  newest_ = AlignedArray<int>(groups);
  older_ = AlignedArray<int>(couplings);
  lowerBegin_ = AlignedArray<int>(groups + 1);
  upperBegin_ = AlignedArray<int>(groups + 1);
  lower_ = AlignedArray<Coupling>(couplings);
  upper_ = AlignedArray<Coupling>(couplings);
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
  if (groups_ > 0) lowerBegin_[groups_] = filled;
  for (int i = 0; i < groups_; ++i) upperBegin_[i + 1] += upperBegin_[i];
  // upperBegin_ serves as the cursor of each column, then is set back by one place.
  for (int i = 0; i < groups_; ++i)
    for (int e = lowerBegin_[i]; e < lowerBegin_[i + 1]; ++e)
      upper_[upperBegin_[lower_[e].group]++] = {i, lower_[e].block};
  for (int i = groups_; i > 0; --i) upperBegin_[i] = upperBegin_[i - 1];
  if (groups_ > 0) upperBegin_[0] = 0;
}

}  // namespace espalier::contact
