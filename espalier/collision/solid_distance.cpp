#include "espalier/collision/solid_distance.h"

#include "espalier/geometry/hull.h"

namespace espalier::collision {
SolidDistance distanceFromHull(const Vec3d& p, const Hull& hull) {
  SolidDistance most{dot(hull.faces[0].normal, p) - hull.faces[0].offset, hull.faces[0].normal};
  for (const Hull::Face& f : hull.faces) {
    const double d = dot(f.normal, p) - f.offset;
    if (d > most.d) most = {d, f.normal};
  }
  return most;
}

SolidDistance solidDistance(const Vec3d& p, const Geom& g) {
  if (g.kind == Kind::Hull) return distanceFromHull(p, *g.hull);
  return withSolid(g.kind, [&]<class S>(S) { return S::distance(p, g.size); });
}

}  // namespace espalier::collision
