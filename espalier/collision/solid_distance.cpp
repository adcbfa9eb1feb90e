#include "espalier/collision/solid_distance.h"

#include "espalier/geometry/hull.h"

namespace espalier::collision {
namespace {

double clamp(double x, double lo, double hi) { return max(lo, min(x, hi)); }

}  // namespace

/// Outside: the length of the excess over the half lengths.
SolidDistance distanceFromBox(const Vec3d& p, const Vec3d& half) {
  const Vec3d e{p.x - clamp(p.x, -half.x, half.x), p.y - clamp(p.y, -half.y, half.y),
                p.z - clamp(p.z, -half.z, half.z)};
  const double d2 = dot(e, e);
  if (d2 > 0) {
    const double d = sqrt(d2);
    return {d, e * (1 / d)};
  }
  const double x = abs(p.x) - half.x, y = abs(p.y) - half.y, z = abs(p.z) - half.z;
  if (x >= y && x >= z) return {x, {p.x < 0 ? -1.0 : 1.0, 0, 0}};
  if (y >= z) return {y, {0, p.y < 0 ? -1.0 : 1.0, 0}};
  return {z, {0, 0, p.z < 0 ? -1.0 : 1.0}};
}

SolidDistance distanceFromCylinder(const Vec3d& p, double radius, double half) {
  const double rho = sqrt(fma(p.x, p.x, p.y * p.y));
  const Vec3d out = rho > 0 ? Vec3d{p.x / rho, p.y / rho, 0} : Vec3d{1, 0, 0};
  const Vec3d up{0, 0, p.z < 0 ? -1.0 : 1.0};
  const double side = rho - radius, end = abs(p.z) - half;
  if (side > 0 && end > 0) {
    const double d = sqrt(fma(side, side, end * end));
    return {d, madd(out, side / d, up * (end / d))};
  }
  return side >= end ? SolidDistance{side, out} : SolidDistance{end, up};
}

SolidDistance distanceFromCapsule(const Vec3d& p, double radius, double half) {
  const Vec3d d{p.x, p.y, p.z - clamp(p.z, -half, half)};
  const double length = norm(d);
  return {length - radius, length > 0 ? d * (1 / length) : Vec3d{1, 0, 0}};
}

SolidDistance distanceFromHull(const Vec3d& p, const Hull& hull) {
  SolidDistance most{dot(hull.faces[0].normal, p) - hull.faces[0].offset, hull.faces[0].normal};
  for (const Hull::Face& f : hull.faces) {
    const double d = dot(f.normal, p) - f.offset;
    if (d > most.d) most = {d, f.normal};
  }
  return most;
}

SolidDistance solidDistance(const Vec3d& p, const Geom& g) {
  switch (g.kind) {
    case Kind::Box: return distanceFromBox(p, g.size);
    case Kind::Cylinder: return distanceFromCylinder(p, g.size.x, g.size.z);
    case Kind::Hull: return distanceFromHull(p, *g.hull);
    default: return distanceFromCapsule(p, g.size.x, g.kind == Kind::Capsule ? g.size.z : 0);
  }
}

}  // namespace espalier::collision
