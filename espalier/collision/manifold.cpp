#include "espalier/collision/manifold.h"

#include <algorithm>

namespace espalier::collision {
namespace {

/// Ties, as parts of the manifold's extent and of its square. Where all lie flat to the first, the
/// depth has no say.
constexpr double kFlat = 1e-7, kSameDepth = 1e-9, kSameArea = 1e-5;
constexpr double kSameNormal = 1e-6;  // by 1 - cos
/// A point that is higher by h than the deepest counts as nearer by so many h: what is about to touch
/// comes before what is a little farther out and stays clear, such as the rim of a bevelled sole.
constexpr double kOutreach = 10;

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

void reduce(Manifold& m, int most) {
  for (int i = 1; i < m.count; ++i) {
    if (m.points[i].feature >= m.points[i - 1].feature) continue;
    const PairPoint p = m.points[i];
    int k = i;
    for (; k > 0 && m.points[k - 1].feature > p.feature; --k) m.points[k] = m.points[k - 1];
    m.points[k] = p;
  }
  for (int i = 1; i < m.count; ++i)
    m.points[i].feature = std::max(m.points[i].feature, m.points[i - 1].feature + 1);
  if (m.count <= most) return;

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
  const auto handicap = [&](const PairPoint& p) { return kOutreach * (deepest - p.depth); };
  const int i1 = best(m, kSameArea * extent,
                      [&](const PairPoint& p) { return norm(p.position - p0) - handicap(p); });
  const Vec3d edge = m.points[i1].position - p0;
  const double length = norm(edge);
  const auto area = [&](const PairPoint& p) { return dot(cross(edge, p.position - p0), n); };
  const auto reach = [&](double side) {
    return best(m, noise2,
                [&](const PairPoint& p) { return side * area(p) - length * handicap(p); });
  };
  int i2 = reach(1), i3 = reach(-1);
  if (area(m.points[i2]) <= noise2 && area(m.points[i3]) >= -noise2) {
    // All on a line, such as a ridge: the points that push most another way.
    const auto turned = [&](const PairPoint& p) { return 1 - dot(p.normal, n); };
    i2 = best(m, kSameNormal, turned);
    const Vec3d p2 = m.points[i2].position;
    i3 = best(m, kSameNormal * extent2, [&](const PairPoint& p) {
      return turned(p) * dot(p.position - p2, p.position - p2);
    });
  }

  int chosen[Manifold::capacity] = {i0, i1, i2, i3};
  int* end = chosen + 4;
  std::sort(chosen, end);
  end = std::unique(chosen, end);
  // Then whatever is farthest from all of these.
  while (end - chosen < most) {
    const auto apart = [&](const PairPoint& p) {
      double nearest = extent;
      for (const int* i = chosen; i != end; ++i)
        nearest = min(nearest, norm(p.position - m.points[*i].position));
      return nearest - handicap(p);
    };
    const int next = best(m, kSameArea * extent, apart);
    if (!(apart(m.points[next]) > kSameArea * extent)) break;
    *end++ = next;
  }
  std::sort(chosen, end);
  m.count = 0;
  for (const int* i = chosen; i != end; ++i) m.points[m.count++] = m.points[*i];
}

}  // namespace espalier::collision
