// Primitives against static triangle meshes by ODE, with separation.
//
// ODE reports no separated pairs, so the primitive is inflated by the margin e and the depth
// corrected afterwards. Growing every length by e moves a shape's supporting plane in direction
// n by s(n) e, with s = 1 for what is round, |n_x| + |n_y| + |n_z| for a box and
// |n_z| + sqrt(n_x^2 + n_y^2) for a cylinder (n in the shape's axes): towards its corners an
// inflated box reaches up to sqrt(3) e. With depth = depth' - s(n) e the corrected depth is the
// overlap of the two shapes along n, and points beyond the margin are dropped.

#include <ode/ode.h>

#include <algorithm>

#include "espalier/collision/ode_geom.h"
#include "espalier/collision/ode_library.h"
#include "espalier/collision/pairs.h"

namespace espalier::collision {
namespace {

/// How far the support in world direction n moves when the shape grows by 1.
double supportGrowth(const Geom& g, const Vec3d& n) {
  const Vec3d l = tmul(g.X_WG.R, n);
  if (g.kind == Kind::Box) return abs(l.x) + abs(l.y) + abs(l.z);
  if (g.kind == Kind::Cylinder) return abs(l.z) + sqrt(fma(l.x, l.x, l.y * l.y));
  return 1;
}

/// Neighbouring triangles report the corner they share once each.
bool known(const Manifold& m, const Vec3d& position, const Vec3d& normal, double size) {
  for (int i = 0; i < m.count; ++i) {
    const Vec3d d = m.points[i].position - position;
    if (dot(d, d) <= 1e-12 * size * size && dot(m.points[i].normal, normal) > 0.999) return true;
  }
  return false;
}

}  // namespace

void odeMesh(const Geom& first, const Geom& mesh, double margin, Manifold& m) {
  dContactGeom found[Manifold::capacity];
  int n = 0;
  {
    const std::lock_guard lock(odeMutex());
    n = dCollide(first.ode->synced(first, margin), mesh.ode->synced(mesh, 0), Manifold::capacity,
                 found, sizeof(dContactGeom));
  }
  for (int i = 0; i < n; ++i) {
    const dContactGeom& c = found[i];
    const Vec3d normal{c.normal[0], c.normal[1], c.normal[2]};
    const double depth = fnma(supportGrowth(first, normal), margin, c.depth);
    if (-depth >= margin) continue;
    Vec3d position{c.pos[0], c.pos[1], c.pos[2]};
    if (first.kind == Kind::Sphere) position = nmadd(normal, first.size.x, first.X_WG.p);
    if (known(m, position, normal, first.radius)) continue;
    m.add(position, normal, depth, std::max(c.side1, c.side2) * 8);
  }
  reduce(m);
}

}  // namespace espalier::collision
