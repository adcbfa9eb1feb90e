// Rays against solids. A convex solid is an intersection of simple ones, so the stretch of the
// ray inside it is the intersection of stretches: the ray enters where it has entered the last.

#include "espalier/collision/ray.h"

#include <limits>

#include "espalier/geometry/hull.h"

namespace espalier::collision {
namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();

/// Where the ray is inside: from `in`, through the surface of normal n, to `out`.
struct Stretch {
  double in = -kFar, out = kFar;
  Vec3d n{0, 0, 0};

  /// The half space normal . x <= offset.
  void cut(const Ray& r, const Vec3d& normal, double offset) {
    const double height = dot(normal, r.origin) - offset, speed = dot(normal, r.direction);
    if (speed == 0) {
      if (height > 0) out = -kFar;
      return;
    }
    const double t = -height / speed;
    if (speed > 0) {
      out = min(out, t);
    } else if (t > in) {
      in = t;
      n = normal;
    }
  }
  /// A ball (axis zero) or an endless cylinder around a unit axis through c.
  void cutRound(const Ray& r, const Vec3d& c, const Vec3d& axis, double radius) {
    const Vec3d p = r.origin - c;
    const Vec3d o = nmadd(axis, dot(axis, p), p);
    const Vec3d d = nmadd(axis, dot(axis, r.direction), r.direction);
    const double a = dot(d, d), b = dot(o, d), k = fnma(radius, radius, dot(o, o));
    const double root = fnma(a, k, b * b);
    if (a < 1e-24 || root < 0) {
      if (k > 0) out = -kFar;
      return;
    }
    const double s = sqrt(root);
    // The root without cancellation first, the other from their product k / a.
    const double q = b > 0 ? -b - s : -b + s, t0 = q / a, t1 = q != 0 ? k / q : t0;
    out = min(out, max(t0, t1));
    if (min(t0, t1) <= in) return;
    in = min(t0, t1);
    n = madd(d, in, o) * (1 / radius);
  }
  bool contains0() const { return in <= 0 && out >= 0; }
  bool enters(double& distance, Vec3d& normal) const {
    if (in < 0 || in > out || in > distance) return false;
    distance = in;
    normal = n;
    return true;
  }
};

Stretch ball(const Ray& r, const Vec3d& c, double radius) {
  Stretch s;
  s.cutRound(r, c, {0, 0, 0}, radius);
  return s;
}

Stretch tube(const Ray& r, double radius, double half) {
  Stretch s;
  s.cutRound(r, {0, 0, 0}, {0, 0, 1}, radius);
  s.cut(r, {0, 0, 1}, half);
  s.cut(r, {0, 0, -1}, half);
  return s;
}

Stretch block(const Ray& r, const Vec3d& h) {
  Stretch s;
  s.cut(r, {1, 0, 0}, h.x);
  s.cut(r, {-1, 0, 0}, h.x);
  s.cut(r, {0, 1, 0}, h.y);
  s.cut(r, {0, -1, 0}, h.y);
  s.cut(r, {0, 0, 1}, h.z);
  s.cut(r, {0, 0, -1}, h.z);
  return s;
}

Stretch faces(const Ray& r, const Hull& hull) {
  Stretch s;
  for (const Hull::Face& f : hull.faces) s.cut(r, f.normal, f.offset);
  return s;
}

/// The union of a tube and two balls.
bool meetsCapsule(const Ray& r, const Vec3d& size, double& distance, Vec3d& normal) {
  const Stretch parts[3] = {tube(r, size.x, size.z), ball(r, {0, 0, size.z}, size.x),
                            ball(r, {0, 0, -size.z}, size.x)};
  for (const Stretch& s : parts) {
    if (s.contains0()) return false;
  }
  bool met = false;
  for (const Stretch& s : parts) met |= s.enters(distance, normal);
  return met;
}

}  // namespace

bool meets(const Ray& ray, const Geom& g, double& distance, Vec3d& normal) {
  const Vec3d toCentre = g.X_WG.p - ray.origin;
  const double along = dot(toCentre, ray.direction);
  if (along < -g.radius || along > distance + g.radius ||
      fnma(along, along, dot(toCentre, toCentre)) > g.radius * g.radius) {
    return false;
  }
  if (g.kind == Kind::Trimesh) return meetsMesh(ray, g, distance, normal);
  const Ray local{tmul(g.X_WG.R, ray.origin - g.X_WG.p), tmul(g.X_WG.R, ray.direction)};
  Vec3d n{};
  bool met = false;
  switch (g.kind) {
    case Kind::Sphere: met = ball(local, {0, 0, 0}, g.size.x).enters(distance, n); break;
    case Kind::Box: met = block(local, g.size).enters(distance, n); break;
    case Kind::Cylinder: met = tube(local, g.size.x, g.size.z).enters(distance, n); break;
    case Kind::Capsule: met = meetsCapsule(local, g.size, distance, n); break;
    case Kind::Plane: {
      Stretch s;
      s.cut(local, {0, 0, 1}, 0);
      met = s.enters(distance, n);
      break;
    }
    case Kind::Hull: met = g.hull && faces(local, *g.hull).enters(distance, n); break;
    case Kind::Heightfield: met = meetsHeightfield(local, *g.field, distance, n); break;
    case Kind::Trimesh: break;
  }
  if (met) normal = mul(g.X_WG.R, n);
  return met;
}

}  // namespace espalier::collision
