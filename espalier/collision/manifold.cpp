#include "espalier/collision/manifold.h"

#include <algorithm>

namespace espalier::collision {
namespace {

/// Index of the largest score; a later one must be larger by more than the tie.
template <class Score>
int best(const Manifold& m, double tie, Score score) {
  int winner = 0;
  double top = score(m.points[0]);
  for (int i = 1; i < m.count; ++i) {
    const double s = score(m.points[i]);
    if (s > top + tie) top = s, winner = i;
  }
  return winner;
}

}  // namespace

void reduce(Manifold& m) {
  for (int i = 1; i < m.count; ++i) {
    if (m.points[i].feature >= m.points[i - 1].feature) continue;
    const PairPoint p = m.points[i];
    int k = i;
    for (; k > 0 && m.points[k - 1].feature > p.feature; --k) m.points[k] = m.points[k - 1];
    m.points[k] = p;
  }
  for (int i = 1; i < m.count; ++i) {
    m.points[i].feature = std::max(m.points[i].feature, m.points[i - 1].feature + 1);
  }
  if (m.count <= kMaxPairPoints) return;

  double extent2 = 0;
  for (int i = 1; i < m.count; ++i) {
    const Vec3d d = m.points[i].position - m.points[0].position;
    extent2 = max(extent2, dot(d, d));
  }
  const double noise = 1e-9 * sqrt(extent2), noise2 = 1e-9 * extent2;

  const int i0 = best(m, noise, [](const PairPoint& p) { return p.depth; });
  const Vec3d p0 = m.points[i0].position, n = m.points[i0].normal;
  const int i1 =
      best(m, noise2, [&](const PairPoint& p) { return dot(p.position - p0, p.position - p0); });
  const Vec3d edge = m.points[i1].position - p0;
  const auto area = [&](const PairPoint& p) { return dot(cross(edge, p.position - p0), n); };
  const int i2 = best(m, noise2, area);
  const int i3 = best(m, noise2, [&](const PairPoint& p) { return -area(p); });

  int chosen[kMaxPairPoints] = {i0, i1, i2, i3};
  std::sort(chosen, chosen + kMaxPairPoints);
  const int* end = std::unique(chosen, chosen + kMaxPairPoints);
  m.count = 0;
  for (const int* i = chosen; i != end; ++i) m.points[m.count++] = m.points[*i];
}

}  // namespace espalier::collision
