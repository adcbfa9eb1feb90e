#pragma once

// Which two geoms may meet at all.

#include <utility>
#include <vector>

#include "espalier/collision/geom.h"

namespace espalier::collision {

/// Pairs that someone has forbidden, by owner or by geom, and the filters that geoms carry.
class PairRules {
 public:
  void ignoreOwners(int a, int b) { insert(owners_, a, b); }
  void ignoreGeoms(int a, int b) { insert(geoms_, a, b); }
  void allowOwners(int a, int b) { erase(owners_, a, b); }
  void allowGeoms(int a, int b) { erase(geoms_, a, b); }
  void forgetOwner(int owner) { forget(owners_, owner); }
  void forgetGeom(int geom) { forget(geoms_, geom); }

  /// Both groups are in the other's mask, not both are static, their owners differ or are none,
  /// nobody has forbidden the pair, and both are there and have a volume.
  bool allow(const std::vector<Geom>& geoms, int a, int b) const;

 private:
  using List = std::vector<std::pair<int, int>>;  // the smaller first, sorted
  static void insert(List& list, int a, int b);
  static void erase(List& list, int a, int b);
  static void forget(List& list, int x);
  static bool has(const List& list, int a, int b);

  List owners_, geoms_;
};

}  // namespace espalier::collision
