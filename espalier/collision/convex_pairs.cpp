// Boxes, cylinders, capsules, spheres and hulls of meshes against each other, with separation.
//
// The normal is the direction between the nearest points of the two cores (GJK). Where even the
// cores overlap it is the shallowest of the directions that bound such a difference of solids:
// face normals, cross products of edges, and the line of the centres. The gap is always that of
// the true solids along the normal: exact where faces meet, never more than the distance.

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

}  // namespace

void convexPair(const Geom& first, const Geom& second, double margin, Manifold& m) {
  const Transformd& X_WA = first.X_WG;
  const Convex a(first, identityTransform<double>());
  const Convex b(second, inverse(X_WA) * second.X_WG);
  const CoreDistance d = distance(a, b, margin + a.rim() + b.rim());
  if (d.state == CoreDistance::Apart) addPatches(a, b, d.n, &d.nearest, X_WA, margin, m);
  if (d.state == CoreDistance::Overlapping) {
    const WayOut out(a, b);
    const NearestPoints nearest{a.lowest(-out.n), b.lowest(out.n)};
    addPatches(a, b, out.n, &nearest, X_WA, margin, m);
  }
}

}  // namespace espalier::collision
