// Boxes, cylinders, capsules and hulls against a heightfield, in the field's frame, from above.

#include "espalier/collision/convex.h"
#include "espalier/collision/heightfield.h"
#include "espalier/collision/pairs.h"

namespace espalier::collision {
/// Every triangle beneath the solid is a face on its own. A point inside the ground is pushed out
/// by another triangle than the one above it only where that is the shorter way; so a wall's
/// plane does not reach into the plateau behind it.
void convexHeightfield(const Geom& first, const Geom& ground, double margin, Manifold& m) {
  const Field field(*ground.field);
  const Transformd& X_WF = ground.X_WG;
  const Transformd X_FW = inverse(X_WF);
  const Convex a(first, X_FW * first.X_WG);
  const double xLo = -a.reach({-1, 0, 0}) - margin, xHi = a.reach({1, 0, 0}) + margin;
  const double yLo = -a.reach({0, -1, 0}) - margin, yHi = a.reach({0, 1, 0}) + margin;
  if (xLo > field.halfX() || xHi < -field.halfX()) return;
  if (yLo > field.halfY() || yHi < -field.halfY()) return;
  const double low = -a.reach({0, 0, -1}) - margin;
  const auto visit = [&](const FieldTriangle& t) {
    if (max(t.a.z, max(t.b.z, t.c.z)) < low) return;
    Patch face;
    face.add(t.a, 0);
    face.add(t.b, 1);
    face.add(t.c, 2);
    face.normal = t.normal();
    face.normal = face.normal * (1 / norm(face.normal));
    if (m.count > Manifold::capacity / 2) reduce(m);
    const int begin = m.count;
    addOnFace(a, face, t.id, {0, 0, 1}, X_WF, margin, m);
    int kept = begin;
    for (int i = begin; i < m.count; ++i) {
      const PairPoint& p = m.points[i];
      const Vec3d x = X_FW * p.position;
      if (p.depth > 0 && field.covers(x.x, x.y)) {
        const FieldTriangle above = field.at(x.x, x.y);
        const Vec3d n = above.normal();
        const double depth = -dot(n, x - above.a) / norm(n);
        if (above.id != t.id && p.depth > depth + 1e-6 * first.radius) continue;
      }
      m.points[kept++] = p;
    }
    m.count = kept;
  };
  for (int j = field.row(yLo), j1 = field.row(yHi); j <= j1; ++j) {
    for (int i = field.column(xLo), i1 = field.column(xHi); i <= i1; ++i) {
      visit(field.lower(i, j));
      visit(field.upper(i, j));
    }
  }
  reduce(m);
}

}  // namespace espalier::collision
