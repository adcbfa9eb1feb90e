#pragma once

// Which of many boxes overlap? Sweep and prune: sorted by their lower ends along one axis, a box
// is compared only with those that begin before it ends. The order is kept from call to call, so
// that sorting costs little while things move little; the answer does not depend on it.

#include <cstdint>
#include <vector>

#include "espalier/collision/geom.h"

namespace espalier::collision {

class Sweep {
 public:
  struct Candidate {
    int a, b;  // a < b
  };

  /// The geoms that take part, ascending, of `geomCount` in all. Those that did before keep their
  /// place in the order.
  void setMembers(const std::vector<int>& geoms, int geomCount);

  /// All overlapping pairs that `allowed` admits, sorted by (a, b).
  ///   in   boxes    by geom
  ///   in   allowed  bool(int a, int b)
  ///   out  overflow true where there was no room for all of them
  ///   uses no heap
  template <class Allowed>
  const std::vector<Candidate>& find(const std::vector<Aabb>& boxes, Allowed allowed,
                                     bool& overflow) {
    sortAlongAxis(boxes);
    found_.clear();
    const int n = static_cast<int>(order_.size());
    for (int i = 0; i < n; ++i) {
      const int end = markOverlaps(i);
      for (int j = i + 1; j < end; ++j) {
        if (marks_[j] == 0) continue;
        const int x = order_[i].geom, y = order_[j].geom, a = x < y ? x : y, b = x < y ? y : x;
        if (!allowed(a, b)) continue;
        if (found_.size() == room_) {
          overflow = true;
          return sorted();
        }
        found_.push_back({a, b});
      }
    }
    return sorted();
  }

 private:
  struct Entry {
    double lo;
    int geom;
  };
  int widestAxis(const std::vector<Aabb>& boxes) const;
  void sortAlongAxis(const std::vector<Aabb>& boxes);
  /// Sets marks_[j] where the i-th box overlaps the j-th in all axes, i < j < the end returned.
  int markOverlaps(int i);
  const std::vector<Candidate>& sorted();

  std::vector<Entry> order_;
  // Ends of the boxes in that order, one array each, so that many are compared at once.
  std::vector<double> lo0_, hi0_, lo1_, hi1_, lo2_, hi2_;
  std::vector<unsigned char> marks_;
  std::vector<Candidate> found_, sorted_;
  std::vector<int> begin_;
  std::size_t room_ = 0;  // for candidates
  int axis_ = -1;
};

}  // namespace espalier::collision
