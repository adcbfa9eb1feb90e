#pragma once

// The rows of one island in its own numbers: those of its movers that it touches, numbered from 0
// in ascending order (contact/side.h). Columns are stored row by row in runs of neighbouring
// numbers, each filled up with zeros to a multiple of four, so that all loops go four at a time.
// Arrays over the numbers therefore have room for three more than there are.

#include <algorithm>
#include <limits>

#include "espalier/contact/problem.h"
#include "espalier/contact/sparse_lu.h"
#include "espalier/scalar/quad.h"

namespace espalier::contact {

/// Columns that a row on these numbers takes at most: runs of neighbours are filled up to a multiple of
/// four. Islands leave numbers out between runs, which then may join; the sum does not grow by that.
///   in  number  [count] ascending
inline int filledColumns(const int* number, int count) {
  int filled = 0, run = 0;
  for (int k = 0; k < count; ++k) {
    run = k > 0 && number[k] == number[k - 1] + 1 ? run + 1 : 1;
    if (run % 4 == 1) filled += 4;
  }
  return filled;
}

template <class T>
class IslandRows {
 public:
  using Island = typename Problem<T>::Island;
  /// One group of the island. A group whose third row alone has numbers (joint limits, dry friction,
  /// motors) keeps that row only.
  struct Group {
    int run, lastRun;  ///< its runs
    int at;            ///< where its columns begin in y and yd
    int columns;       ///< of each row, filled up
    int normal;        ///< of rolling friction: the group of its contact, else -1
    int sides;         ///< how many of them are added in its rows
    bool isSingle;
  };

  /// Room for so many groups and numbers; the only call that allocates.
  ///   in  numbers  of the whole problem
  ///   in  columns  of one row of each group, filled up; 0: 24 a group
  void reserve(int groups, int numbers, int mostNumbers, int columns = 0);
  int maxGroups() const { return maxGroups_; }

  /// Reads an island; false where it does not fit, is given by blocks, or has contacts that are soft
  /// in themselves. Where its groups have the numbers of the island before, only values are read: from step to
  /// step a robot's rows seldom change their places.
  bool load(const Problem<T>& problem, Island island);

  int groups() const { return groups_; }
  int numbers() const { return numbers_; }
  const Group& group(int k) const { return group_[k]; }
  /// Multiplications that adding all blocks takes, about.
  long operations() const { return operations_; }

  /// a = 0, also the three behind the last number: loops over four read them, and no earlier NaN may stay there.
  void zero(T* a) const { std::fill_n(a, numbers_ + wide - 1, bc<T>(0.0)); }
  /// b + Y' a, of a single group its third number alone.
  Vec3<T> velocity(int k, const Vec3<T>& b, const T* a) const;
  /// a += (Y' D)' lambda
  void push(int k, const Vec3<T>& lambda, T* a) const;
  /// The pattern of H = 1 + the blocks of all groups; nothing to do where it is that of the last call.
  void setPattern(SparseLu<T>& lu);
  /// H += (Y' D)' K Y', rows of one group and columns of another, or the same, none of them single.
  ///   io  h  [numbers][stride], three more behind the last row
  void addBlock(int rows, int columns, const Mat3<T>& k, T* h, int stride);
  /// The same of a single group.
  void addSingle(int group, const T& k, T* h, int stride);
  /// weight [numbers] = 1 / (D m), m the mean mass that the groups feel.
  ///   in  mass  kg, the sum over the groups
  ///   in  share(k)  1 of a group that is there, 0 in lanes that have none
  template <class Share>
  void findWeights(const T& mass, Share&& share, T* weight);

 private:
  static constexpr int wide = Quad<T>::size;
  /// Columns slot .. slot + filled - 1 of each row have the numbers from index on.
  struct Run {
    int slot, index, count, filled;
    bool operator==(const Run&) const = default;
  };
  /// The numbers of one side, as they were when the rows were laid out.
  struct Mark {
    int mover, count, column;  ///< its first in dof_ and slot_
    bool hasDofs;
  };
  bool isLaidOut(const Problem<T>& problem, Island island) const;
  bool layOut(const Problem<T>& problem, Island island);
  void mark(const Problem<T>& problem, int i, const Group& group);
  bool findNumbers(const Problem<T>& problem, Island island);
  int collect(const Problem<T>& problem, int i);
  bool open(int count, Group& group);
  void clear(const Group& group);
  template <class Places>
  void store(const Problem<T>& problem, int i, const Group& group, Places&& placesOf);
  auto placesInRuns(const Group& group) const;
  const T* row(const AlignedArray<T>& from, const Group& group, int r) const {
    return &from[group.at + r * group.columns];
  }

  int maxGroups_ = 0, mostNumbers_ = 0;
  int groups_ = 0, numbers_ = 0, runs_ = 0, stored_ = 0;
  long operations_ = 0;
  AlignedArray<int> place_;    // [problem's numbers] 1 + the number in the island
  AlignedArray<int> number_;   // [numbers] among the problem's, ascending
  AlignedArray<Group> group_;  // [groups]
  AlignedArray<Run> run_;      // of the groups, one after another
  AlignedArray<int> index_;    // [numbers] of the group that is read, ascending
  AlignedArray<T> y_, yd_;     // Y', Y' D
  AlignedArray<Mark> mark_;    // of the groups' sides, one after another
  AlignedArray<int> dof_;      // of the sides' columns: their dofs
  AlignedArray<int> slot_;     // and their places in a row
  int marks_ = 0, markedColumns_ = 0;
  bool isLaid_ = false;      // rows are there
  bool isMarked_ = false;    // and marks of all their sides
  AlignedArray<T> product_;  // [3][numbers, filled up] K Y' of one group
  AlignedArray<Run> known_;  // run_ at the last pattern
  int knownRuns_ = -1, knownNumbers_ = 0;
};

}  // namespace espalier::contact
