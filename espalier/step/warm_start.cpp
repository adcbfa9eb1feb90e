#include "espalier/step/warm_start.h"

#include <algorithm>

namespace espalier {

void WarmStart::match(int first) {
  const Contact& c = now(first);
  begin_ = end_ = first;
  while (end_ < world_.contactCount && now(end_).geomA == c.geomA && now(end_).geomB == c.geomB)
    ++end_;
  const auto isBefore = [&](const WarmImpulse& w) {
    return w.a != c.geomA ? w.a < c.geomA : w.b < c.geomB;
  };
  while (next_ < world_.warmCount && isBefore(old(next_))) ++next_;
  const int firstOld = next_;
  while (next_ < world_.warmCount && old(next_).a == c.geomA && old(next_).b == c.geomB) ++next_;

  Pair pair{firstOld, std::min(end_ - begin_, most), std::min(next_ - firstOld, most)};
  matchFeatures(pair);
  matchPlaces(pair);
}

void WarmStart::matchFeatures(Pair& pair) {
  for (int i = 0; i < pair.points; ++i) {
    known_[i] = nullptr;
    for (int k = 0; k < pair.olds && !known_[i]; ++k) {
      if (old(pair.firstOld + k).feature != now(begin_ + i).feature) continue;
      known_[i] = &old(pair.firstOld + k);
      pair.isTaken[k] = true;
    }
  }
}

void WarmStart::matchPlaces(Pair& pair) {
  for (int i = 0; i < pair.points; ++i) {
    if (known_[i]) continue;
    int nearest = -1;
    double least = 0;
    for (int k = 0; k < pair.olds; ++k) {
      const Vec3d d = old(pair.firstOld + k).position - now(begin_ + i).position;
      const double square = dot(d, d);
      if (pair.isTaken[k] || (nearest >= 0 && square >= least)) continue;
      nearest = k;
      least = square;
    }
    if (nearest < 0) continue;
    known_[i] = &old(pair.firstOld + nearest);
    pair.isTaken[nearest] = true;
  }
}

}  // namespace espalier
