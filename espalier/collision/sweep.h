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

  /// The geoms that take part, ascending, of `geomCount` in all.
  void reset(const std::vector<int>& geoms, int geomCount);

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
    const std::size_t n = entries_.size();
    for (std::size_t i = 0; i < n; ++i) {
      const Entry& e = entries_[i];
      const Aabb& box = boxes[e.geom];
      for (std::size_t j = i + 1; j < n && entries_[j].lo <= e.hi; ++j) {
        const int other = entries_[j].geom;
        if (!overlap(box, boxes[other])) continue;
        const int a = e.geom < other ? e.geom : other, b = e.geom < other ? other : e.geom;
        if (!allowed(a, b)) continue;
        if (found_.size() == found_.capacity()) {
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
    double lo, hi;
    int geom;
  };
  int widestAxis(const std::vector<Aabb>& boxes) const;
  void sortAlongAxis(const std::vector<Aabb>& boxes);
  const std::vector<Candidate>& sorted();

  std::vector<Entry> entries_;
  std::vector<Candidate> found_, sorted_;
  std::vector<int> begin_;
  int axis_ = -1;
};

}  // namespace espalier::collision
