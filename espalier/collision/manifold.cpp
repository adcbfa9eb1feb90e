#include "espalier/collision/manifold.h"

#include <algorithm>

namespace espalier::collision {
namespace {

/// Ties, as parts of the manifold's extent and of its square. Where all lie flat to the first, the
/// depth has no say.
constexpr double kFlat = 1e-7, kSameDepth = 1e-9, kSameArea = 1e-5;
constexpr double kSameNormal = 1e-6;  // by 1 - cos

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

  double extent2 = 0, shallowest = m.points[0].depth, deepest = shallowest;
  for (int i = 1; i < m.count; ++i) {
    const Vec3d d = m.points[i].position - m.points[0].position;
    extent2 = max(extent2, dot(d, d));
    shallowest = min(shallowest, m.points[i].depth);
    deepest = max(deepest, m.points[i].depth);
  }
  const double extent = sqrt(extent2), noise2 = kSameArea * extent2;
  const double noise = (deepest - shallowest <= kFlat * extent ? kFlat : kSameDepth) * extent;

  const int i0 = best(m, noise, [](const PairPoint& p) { return p.depth; });
  const Vec3d p0 = m.points[i0].position, n = m.points[i0].normal;
  const int i1 =
      best(m, noise2, [&](const PairPoint& p) { return dot(p.position - p0, p.position - p0); });
  const Vec3d edge = m.points[i1].position - p0;
  const auto area = [&](const PairPoint& p) { return dot(cross(edge, p.position - p0), n); };
  int i2 = best(m, noise2, area);
  int i3 = best(m, noise2, [&](const PairPoint& p) { return -area(p); });
  if (area(m.points[i2]) <= noise2 && area(m.points[i3]) >= -noise2) {
    // All on a line, such as a ridge: the points that push most another way.
    const auto turned = [&](const PairPoint& p) { return 1 - dot(p.normal, n); };
    i2 = best(m, kSameNormal, turned);
    const Vec3d p2 = m.points[i2].position;
    i3 = best(m, kSameNormal * extent2, [&](const PairPoint& p) {
      return turned(p) * dot(p.position - p2, p.position - p2);
    });
  }

  int chosen[kMaxPairPoints] = {i0, i1, i2, i3};
  std::sort(chosen, chosen + kMaxPairPoints);
  const int* end = std::unique(chosen, chosen + kMaxPairPoints);
  m.count = 0;
  for (const int* i = chosen; i != end; ++i) m.points[m.count++] = m.points[*i];
}

}  // namespace espalier::collision
