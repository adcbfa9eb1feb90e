#include "espalier/collision/ray.h"

#include "espalier/geometry/hull.h"

namespace espalier::collision {

bool meets(const Ray& ray, const Geom& g, double& distance, Vec3d& normal) {
  const Vec3d toCentre = g.X_WG.p - ray.origin;
  const double along = dot(toCentre, ray.direction);
  if (along < -g.radius || along > distance + g.radius ||
      fnma(along, along, dot(toCentre, toCentre)) > g.radius * g.radius)
    return false;
  if (g.kind == Kind::Trimesh) return meetsMesh(ray, g, distance, normal);
  const Ray local{tmul(g.X_WG.R, ray.origin - g.X_WG.p), tmul(g.X_WG.R, ray.direction)};
  Vec3d n{};
  const bool met = [&] {
    if (g.kind < Kind::Plane)
      return withSolid(g.kind, [&]<class S>(S) { return S::meets(local, g.size, distance, n); });
    if (g.kind == Kind::Heightfield) return meetsHeightfield(local, *g.field, distance, n);
    RayStretch s;
    if (g.kind == Kind::Plane) s.cut(local, {0, 0, 1}, 0);
    if (g.kind == Kind::Hull) {
      if (!g.hull) return false;
      for (const Hull::Face& f : g.hull->faces) s.cut(local, f.normal, f.offset);
    }
    return s.enters(distance, n);
  }();
  if (met) normal = mul(g.X_WG.R, n);
  return met;
}

}  // namespace espalier::collision
