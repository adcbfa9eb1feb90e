// Rays against heightfields, cell by cell (Amanatides, Woo 1987), and static meshes, by ODE.

#include <ode/ode.h>

#include <cmath>
#include <limits>

#include "espalier/collision/heightfield.h"
#include "espalier/collision/ode_geom.h"
#include "espalier/collision/ode_library.h"
#include "espalier/collision/ray.h"

namespace espalier::collision {
namespace {

/// From above only. The borders belong to the triangle, so that no ray slips between two.
/// (Moeller, Trumbore 1997)
bool meetsTriangle(const Ray& r, const FieldTriangle& t, double& distance, Vec3d& normal) {
  const Vec3d ab = t.b - t.a, ac = t.c - t.a, n = cross(ab, ac);
  const double speed = dot(n, r.direction);
  if (speed >= 0) return false;
  const Vec3d o = r.origin - t.a;
  const double s = -dot(n, o) / speed;
  if (s < 0 || s > distance) return false;
  const Vec3d q = cross(r.direction, o);
  const double u = dot(ac, q) / speed, v = -dot(ab, q) / speed, tiny = -1e-12;
  if (u < tiny || v < tiny || u + v > 1 - tiny) return false;
  distance = s;
  normal = n * (1 / norm(n));
  return true;
}

/// When the ray, moving from x at speed v, crosses the grid's lines.
struct Crossing {
  double next, step;
  int way;
  Crossing(double x, double v, double half, double width, int cell) {
    constexpr double never = std::numeric_limits<double>::infinity();
    way = v > 0 ? 1 : -1;
    step = v == 0 ? never : width / abs(v);
    next = v == 0 ? never : ((cell + (v > 0 ? 1 : 0)) * width - half - x) / v;
  }
};

}  // namespace

bool meetsHeightfield(const Ray& r, const Field& field, double& distance, Vec3d& normal) {
  double t = 0, end = distance;
  const auto slab = [&](double x, double v, double half) {
    if (v == 0) {
      if (abs(x) > half) end = -1;
      return;
    }
    t = max(t, min((-half - x) / v, (half - x) / v));
    end = min(end, max((-half - x) / v, (half - x) / v));
  };
  slab(r.origin.x, r.direction.x, field.halfX());
  slab(r.origin.y, r.direction.y, field.halfY());
  if (t > end) return false;
  const Vec3d start = madd(r.direction, t, r.origin);
  int i = field.column(start.x), j = field.row(start.y);
  Crossing x(r.origin.x, r.direction.x, field.halfX(), field.dx(), i);
  Crossing y(r.origin.y, r.direction.y, field.halfY(), field.dy(), j);
  const double limit = end + 1e-9 * (1 + end);
  while (i >= 0 && j >= 0 && i < field.columns() && j < field.rows() && t <= limit) {
    bool met = meetsTriangle(r, field.lower(i, j), distance, normal);
    met |= meetsTriangle(r, field.upper(i, j), distance, normal);
    if (met) return true;
    Crossing& c = x.next < y.next ? x : y;
    (x.next < y.next ? i : j) += c.way;
    t = c.next;
    c.next += c.step;
  }
  return false;
}

bool meetsMesh(const Ray& r, const Geom& mesh, double& distance, Vec3d& normal) {
  const std::lock_guard lock(odeMutex());
  const dGeomID ray = rayGeom();
  dGeomRaySetLength(ray, distance);
  dGeomRaySet(ray, r.origin.x, r.origin.y, r.origin.z, r.direction.x, r.direction.y, r.direction.z);
  dContactGeom hit;
  if (dCollide(ray, mesh.ode->synced(mesh), 1, &hit, sizeof hit) == 0) return false;
  distance = hit.depth;
  normal = {hit.normal[0], hit.normal[1], hit.normal[2]};
  if (dot(normal, r.direction) > 0) normal = -normal;
  return true;
}

}  // namespace espalier::collision
