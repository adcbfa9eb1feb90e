// Boxes, cylinders, capsules, spheres and hulls of meshes against each other, with separation.
//
// gap(n) = -reach_A(-n) - reach_B(n) is how far the two are apart along n; their signed distance
// is its maximum over unit n. Apart, that is the direction of the nearest points. Overlapping, or
// so near that this direction is rounding noise, a first n is improved: move A out along n until
// it is just free, take the direction m of the nearest points there, then gap(m) >= gap(n):
//   by d = -gap(n) + e moved, the distance is  max_m gap(m) + d m . n  >=  gap(n) + d  =  e,
//   hence gap(m) >= gap(n) + d (1 - m . n).
// The first n comes from cores small enough to be apart, or else is the best of the face normals,
// cross products of edges and lines of centres.

#include "espalier/collision/convex.h"
#include "espalier/collision/pairs.h"

namespace espalier::collision {
namespace {

/// The way out of deep overlap: the unit n of the largest gap(n) = -reach_A(-n) - reach_B(n).
struct WayOut {
  const Convex &a, &b;
  Vec3d n{0, 0, 1};
  double gap;

  WayOut(const Convex& first, const Convex& second) : a(first), b(second), gap(gapAlong(n)) {
    for (int i = 0; i < a.normalCount(); ++i) tryBoth(a.normal(i));
    for (int i = 0; i < b.normalCount(); ++i) tryBoth(b.normal(i));
    const Vec3d centres = a.centre() - b.centre();
    for (int i = 0; i < a.edgeCount(); ++i) {
      for (int j = 0; j < b.edgeCount(); ++j) tryBoth(cross(a.edge(i), b.edge(j)));
      tryBoth(nmadd(a.edge(i), dot(a.edge(i), centres), centres));
    }
    for (int j = 0; j < b.edgeCount(); ++j) {
      tryBoth(nmadd(b.edge(j), dot(b.edge(j), centres), centres));
    }
    tryBoth(centres);
  }

  double gapAlong(const Vec3d& d) const { return -a.reach(-d) - b.reach(d); }
  void tryBoth(const Vec3d& d) {
    const double length = norm(d);
    if (length < 1e-6) return;
    for (const double way : {1 / length, -1 / length}) {
      const Vec3d u = d * way;
      const double g = gapAlong(u);
      if (g > gap + 1e-9 * (a.size() + b.size())) n = u, gap = g;
    }
  }
};

constexpr double kCore = 0.1;
/// Nearest points closer than this part of the solids' size are moved apart for their direction.
constexpr double kNear = 1e-3;
constexpr int kMostSteps = 8;

/// Improves n from a first value as said above.
void climb(const Convex& a, const Convex& b, Vec3d& n, NearestPoints& nearest) {
  const double size = a.size() + b.size();
  double gap = -a.reach(-n) - b.reach(n);
  for (int i = 0; i < kMostSteps; ++i) {
    Convex moved = a;
    const Vec3d out = n * (a.skin() + b.skin() + kNear * size - gap);
    moved.shift(out);
    const Distance d = distance(moved, b, 2 * size + norm(out));
    if (d.state != Distance::Apart) return;
    const double better = -a.reach(-d.n) - b.reach(d.n);
    if (i > 0 && better <= gap + 1e-10 * size) return;
    nearest = {d.nearest.a - out, d.nearest.b};
    n = d.n;
    gap = better;
  }
}

}  // namespace

void convexPair(const Geom& first, const Geom& second, double margin, Manifold& m) {
  const Transformd& X_WA = first.X_WG;
  const Convex a(first, identityTransform<double>());
  const Convex b(second, inverse(X_WA) * second.X_WG);
  Distance d = distance(a, b, margin + a.skin() + b.skin());
  if (d.state == Distance::Beyond) return;
  if (d.state == Distance::Overlapping || d.length < kNear * (a.size() + b.size())) {
    if (d.state == Distance::Overlapping) {
      const Distance cores = distance(a.core(kCore), b.core(kCore), a.size() + b.size());
      d.n = cores.state == Distance::Apart ? cores.n : WayOut(a, b).n;
      d.nearest = {a.farthest(-d.n), b.farthest(d.n)};
    }
    climb(a, b, d.n, d.nearest);
  }
  addPatches(a, b, d.n, &d.nearest, X_WA, margin, m);
}

}  // namespace espalier::collision
