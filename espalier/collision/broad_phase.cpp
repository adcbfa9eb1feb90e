#include "espalier/collision/broad_phase.h"

#include <algorithm>

#include "espalier/collision/bounds.h"

namespace espalier::collision {
namespace {

/// Pairs up to this many are compared box by box; more are found by a sweep.
constexpr std::size_t kMostListed = 1000;
/// A sweep over no more geoms than this is reconsidered whenever they change.
constexpr std::size_t kFew = 64;

/// Too wide for a sweep: its box overlaps everything along any axis.
bool isWide(const Geom& g) {
  return g.kind == Kind::Plane || g.kind == Kind::Heightfield || g.kind == Kind::Trimesh;
}

template <class Pair>
bool before(const Pair& x, const Pair& y) {
  return x.a < y.a || (x.a == y.a && x.b < y.b);
}

}  // namespace

BroadPhase::Pair BroadPhase::pairOf(const std::vector<Geom>& geoms, int a, int b) {
  const Geom &x = geoms[a], &y = geoms[b];
  const PairEntry entry = pairEntry(x.kind, y.kind);
  return {a,
          b,
          entry.function,
          entry.swapped,
          x.kind == Kind::Plane || y.kind == Kind::Plane,
          !isWide(x) && !isWide(y),
          {0, 0, 0}};
}

/// Lists the pair, if it is to be listed.
void BroadPhase::consider(const std::vector<Geom>& geoms, int a, int b) {
  if (a > b) std::swap(a, b);
  if (!rules.allow(geoms, a, b)) return;
  const Pair pair = pairOf(geoms, a, b);
  if (!pair.function) {
    refused_.emplace_back(a, b);
  } else if (!pair.sweepable) {
    pairs_.push_back(pair);
  } else if (!sweeps_) {
    pairs_.push_back(pair);
    sweeps_ = ++sweepableListed_ > kMostListed;
  }
}

/// The pairs of the touched geoms, each once.
void BroadPhase::relist(const std::vector<Geom>& geoms) {
  const auto touched = [&](int g) { return isTouched_[g] != 0; };
  std::erase_if(pairs_, [&](const Pair& p) {
    const bool goes = touched(p.a) || touched(p.b);
    if (goes && p.sweepable) --sweepableListed_;
    return goes;
  });
  std::erase_if(refused_, [&](const auto& p) { return touched(p.first) || touched(p.second); });
  const std::size_t kept = pairs_.size();
  for (const int g : touched_) {
    if (!geoms[g].isAlive) continue;
    const auto with = [&](const std::vector<int>& others) {
      for (const int o : others)
        if (o != g && (!touched(o) || o > g)) consider(geoms, g, o);
    };
    with(wide_);
    if (!sweeps_ || isWide(geoms[g])) with(sweepable_);
  }
  const auto middle = pairs_.begin() + static_cast<std::ptrdiff_t>(kept);
  std::sort(middle, pairs_.end(), before<Pair>);
  std::inplace_merge(pairs_.begin(), middle, pairs_.end(), before<Pair>);
}

void BroadPhase::update(const std::vector<Geom>& geoms) {
  if (isCurrent()) return;
  sortOut(geoms);
  if (sweeps_ && sweepable_.size() <= kFew) {  // perhaps no more
    sweeps_ = false;
    sweepableListed_ = 0;
    touched_.insert(touched_.end(), sweepable_.begin(), sweepable_.end());
  }
  std::sort(touched_.begin(), touched_.end());
  touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
  isTouched_.assign(geoms.size(), 0);
  for (const int g : touched_) isTouched_[g] = 1;
  relist(geoms);
  touched_.clear();
  if (sweeps_) {
    std::erase_if(pairs_, [](const Pair& p) { return p.sweepable; });
    sweepableListed_ = 0;
  }
  listBounded(geoms.size());
  boxes_.resize(geoms.size());
  corners_.resize(geoms.size());
  sweep_.setMembers(sweeps_ ? sweepable_ : std::vector<int>{}, static_cast<int>(geoms.size()));
}

/// Lists the geoms that are wide and those that can be swept.
void BroadPhase::sortOut(const std::vector<Geom>& geoms) {
  wide_.clear();
  sweepable_.clear();
  for (std::size_t i = 0; i < geoms.size(); ++i) {
    if (!geoms[i].isAlive) continue;
    (isWide(geoms[i]) ? wide_ : sweepable_).push_back(static_cast<int>(i));
  }
}

void BroadPhase::listBounded(std::size_t n) {
  std::vector<char> boxed(n, 0);
  for (const Pair& p : pairs_)
    if (!p.unbounded) boxed[p.a] = boxed[p.b] = 1;
  if (sweeps_)
    for (const int g : sweepable_) boxed[g] = 1;
  bounded_.clear();
  for (std::size_t i = 0; i < n; ++i)
    if (boxed[i]) bounded_.push_back(static_cast<int>(i));
}

void BroadPhase::setBoxes(const std::vector<Geom>& geoms, double margin) {
  for (const int i : bounded_) {
    const Geom& g = geoms[i];
    Corners& box = corners_[i];
    setBounds(g, margin / 2 + g.turn, box);
    box.way = Four(Four::Vector{g.way.x, g.way.y, g.way.z, 0});
    box.lo = box.lo - box.reach();
    box.hi = box.hi + box.reach();
    const auto byNumbers = [](const Four& x) { return Vec3d{x.v[0], x.v[1], x.v[2]}; };
    if (sweeps_) boxes_[i] = {byNumbers(box.lo), byNumbers(box.hi)};
  }
}

}  // namespace espalier::collision
