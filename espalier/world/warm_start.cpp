#include "espalier/world/warm_start.h"

#include <algorithm>

namespace espalier {

void WarmStart::match(int first) {
  const Contact& c = now(first);
  const auto isBefore = [&](const WarmImpulse& w) {
    return w.a != c.geomA ? w.a < c.geomA : w.b < c.geomB;
  };
  begin_ = first;
  for (end_ = first;
       end_ < world_.contactCount && now(end_).geomA == c.geomA && now(end_).geomB == c.geomB;)
    ++end_;
  while (next_ < world_.warmCount && isBefore(old(next_))) ++next_;
  const int firstOld = next_;
  while (next_ < world_.warmCount && old(next_).a == c.geomA && old(next_).b == c.geomB) ++next_;

  const int points = std::min(end_ - begin_, most), olds = std::min(next_ - firstOld, most);
  bool isTaken[most] = {};
  for (int i = 0; i < points; ++i) {
    known_[i] = nullptr;
    for (int k = 0; k < olds && !known_[i]; ++k) {
      if (old(firstOld + k).feature != now(begin_ + i).feature) continue;
      known_[i] = &old(firstOld + k);
      isTaken[k] = true;
    }
  }
  for (int i = 0; i < points; ++i) {
    if (known_[i]) continue;
    int nearest = -1;
    double least = 0;
    for (int k = 0; k < olds; ++k) {
      const Vec3d d = old(firstOld + k).position - now(begin_ + i).position;
      const double square = dot(d, d);
      if (isTaken[k] || (nearest >= 0 && square >= least)) continue;
      nearest = k;
      least = square;
    }
    if (nearest < 0) continue;
    known_[i] = &old(firstOld + nearest);
    isTaken[nearest] = true;
  }
}

}  // namespace espalier
