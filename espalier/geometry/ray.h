#pragma once

// A ray, and the stretch of it inside a convex solid. Such a solid is an intersection of simple ones,
// so the stretch inside it is the intersection of theirs: the ray enters where it has entered the
// last.

#include <limits>

#include "espalier/spatial/vec3.h"

namespace espalier {

struct Ray {
  Vec3d origin, direction;
};

/// Where the ray is inside, in lengths of its direction: from `in`, through the surface of unit
/// normal n, to `out`.
struct RayStretch {
  static constexpr double far = std::numeric_limits<double>::infinity();
  double in = -far, out = far;
  Vec3d n{0, 0, 0};

  /// The half space normal . x <= offset.
  void cut(const Ray& r, const Vec3d& normal, double offset) {
    const double height = dot(normal, r.origin) - offset, speed = dot(normal, r.direction);
    if (speed == 0) {
      if (height > 0) out = -far;
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
      if (k > 0) out = -far;
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

}  // namespace espalier
