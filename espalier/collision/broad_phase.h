#pragma once

// Which pairs of geoms may be touching? Pairs with a plane, a heightfield or a static mesh are
// listed and looked at one by one; so are all others while they are few. More are found by a
// sweep. When geoms come, go or change their rules, only their own pairs are listed anew. Which
// way a pair is found does not show in the answer.

#include <vector>

#include "espalier/collision/pair_rules.h"
#include "espalier/collision/pairs.h"
#include "espalier/collision/sweep.h"

namespace espalier::collision {

class BroadPhase {
 public:
  struct Pair {
    int a, b;  // a < b
    PairFunction function;
    bool swapped;                  // the function wants (b, a)
    bool unbounded;                // no boxes to compare: a plane
    bool sweepable;                // neither is wide
    Vec3d separation = {0, 0, 0};  // Manifold::separation
  };

  PairRules rules;

  /// The geom came, went, or may meet others than before.
  void touch(int geom) { touched_.push_back(geom); }
  bool isCurrent() const { return touched_.empty(); }
  /// Brings the lists up to date.
  ///   cost O(geoms + listed pairs + touched geoms times those they are listed with)
  void update(const std::vector<Geom>& geoms);

  /// The listed pairs, sorted by (a, b), and those that should meet but have no function.
  const std::vector<Pair>& listed() const { return pairs_; }
  const std::vector<std::pair<int, int>>& refused() const { return refused_; }

  /// Calls visit(pair) for every pair whose boxes, grown by the margins, overlap, in order of
  /// (a, b).
  ///   out  return  false where there was no room for all candidates
  ///   pre  isCurrent()
  ///   uses no heap
  template <class Visit>
  bool visit(const std::vector<Geom>& geoms, double margin, Visit visit) {
    setBoxes(geoms, margin);
    const auto visitListed = [&](Pair& p) {
      if (p.unbounded || corners_[p.a].meets(corners_[p.b])) visit(p);
    };
    auto next = pairs_.begin();
    bool overflow = false;
    if (sweeps_) {
      const auto allowed = [&](int a, int b) { return rules.allow(geoms, a, b); };
      // The two lists have no pair in common.
      for (const auto& c : sweep_.find(boxes_, allowed, overflow)) {
        for (; next != pairs_.end() && (next->a < c.a || (next->a == c.a && next->b < c.b)); ++next)
          visitListed(*next);
        if (!corners_[c.a].meets(corners_[c.b])) continue;
        Pair found = pairOf(geoms, c.a, c.b);
        visit(found);
      }
    }
    for (; next != pairs_.end(); ++next) visitListed(*next);
    return !overflow;
  }

 private:
  static Pair pairOf(const std::vector<Geom>& geoms, int a, int b);
  void consider(const std::vector<Geom>& geoms, int a, int b);
  void sortOut(const std::vector<Geom>& geoms);
  void relist(const std::vector<Geom>& geoms);
  void listBounded(std::size_t geoms);
  void setBoxes(const std::vector<Geom>& geoms, double margin);

  std::vector<Pair> pairs_;
  std::vector<std::pair<int, int>> refused_;
  std::vector<int> touched_;
  std::vector<char> isTouched_;        // by geom
  std::vector<int> wide_, sweepable_;  // ascending
  std::vector<int> bounded_;           // geoms that need a box
  std::vector<Aabb> boxes_;            // by geom; for the sweep
  std::vector<Corners> corners_;       // by geom
  Sweep sweep_;
  bool sweeps_ = false;
  std::size_t sweepableListed_ = 0;
};

}  // namespace espalier::collision
