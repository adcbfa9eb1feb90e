#include "espalier/collision/pair_rules.h"

#include <algorithm>

namespace espalier::collision {

bool PairRules::allow(const std::vector<Geom>& geoms, int a, int b) const {
  const Geom &x = geoms[a], &y = geoms[b];
  if (!x.isAlive || !y.isAlive) return false;
  if ((x.kind == Kind::Hull && !x.hull) || (y.kind == Kind::Hull && !y.hull)) return false;
  if ((x.group & y.mask) == 0 || (y.group & x.mask) == 0) return false;
  if (x.isStatic && y.isStatic) return false;
  if (x.owner >= 0 && x.owner == y.owner) return false;
  return !has(owners_, x.owner, y.owner) && !has(geoms_, a, b);
}

void PairRules::insert(List& list, int a, int b) {
  const std::pair<int, int> pair = std::minmax(a, b);
  const auto at = std::lower_bound(list.begin(), list.end(), pair);
  if (at == list.end() || *at != pair) list.insert(at, pair);
}

void PairRules::erase(List& list, int a, int b) {
  const std::pair<int, int> pair = std::minmax(a, b);
  const auto at = std::lower_bound(list.begin(), list.end(), pair);
  if (at != list.end() && *at == pair) list.erase(at);
}

void PairRules::forget(List& list, int x) {
  std::erase_if(list, [x](const auto& pair) { return pair.first == x || pair.second == x; });
}

bool PairRules::has(const List& list, int a, int b) {
  return !list.empty() &&
         std::binary_search(list.begin(), list.end(), std::pair<int, int>(std::minmax(a, b)));
}

}  // namespace espalier::collision
