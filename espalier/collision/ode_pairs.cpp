// Pairs that ODE answers, with separation.
//
// ODE reports no separated pairs, so the first shape is inflated by the margin e and the depth
// corrected afterwards. Growing every length by e moves a shape's supporting plane in direction
// n by s(n) e, with s = 1 for what is round, |n_x| + |n_y| + |n_z| for a box and
// |n_z| + sqrt(n_x^2 + n_y^2) for a cylinder (n in the shape's axes): towards its corners an
// inflated box reaches up to sqrt(3) e. With depth = depth' - s(n) e the corrected depth is
// exactly the overlap of the two shapes along n, and points beyond the margin are dropped.

#include <ode/ode.h>

#include "espalier/collision/ode_geom.h"
#include "espalier/collision/pairs.h"

namespace espalier::collision {
namespace {

/// How far the support in world direction n moves when the shape grows by 1.
double supportGrowth(const Geom& g, const Vec3d& n) {
  if (g.kind == Kind::Box) {
    const Vec3d l = tmul(g.X_WG.R, n);
    return abs(l.x) + abs(l.y) + abs(l.z);
  }
  if (g.kind == Kind::Cylinder) {
    const Vec3d l = tmul(g.X_WG.R, n);
    return abs(l.z) + sqrt(fma(l.x, l.x, l.y * l.y));
  }
  return 1;
}

}  // namespace

void odePair(const Geom& first, const Geom& second, double margin, Manifold& m) {
  dContactGeom found[Manifold::capacity];
  const int n = dCollide(first.ode->synced(first, margin), second.ode->synced(second, 0),
                         Manifold::capacity, found, sizeof(dContactGeom));
  for (int i = 0; i < n; ++i) {
    const dContactGeom& c = found[i];
    const Vec3d normal{c.normal[0], c.normal[1], c.normal[2]};
    const double depth = fnma(supportGrowth(first, normal), margin, c.depth);
    if (-depth < margin) m.add({c.pos[0], c.pos[1], c.pos[2]}, normal, depth, i);
  }
  reduce(m);
}

}  // namespace espalier::collision
