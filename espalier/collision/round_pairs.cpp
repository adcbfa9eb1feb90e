// Spheres and capsules against each other: points and segments with a radius.

#include "espalier/collision/pairs.h"

namespace espalier::collision {
namespace {

Vec3d axis(const Geom& g) { return {g.X_WG.R.r0.z, g.X_WG.R.r1.z, g.X_WG.R.r2.z}; }

double clamp(double x, double lo, double hi) { return max(lo, min(x, hi)); }

struct Ball {
  Vec3d p;
  double r;
};

/// Adds the point of two balls whose gap is below the margin.
///   in  aside    the normal where the centres coincide
///   in  share    where on the way from a's surface to b's the point lies
void addBalls(const Ball& a, const Ball& b, const Vec3d& aside, double share, double margin,
              int feature, Manifold& m) {
  const Vec3d d = a.p - b.p;
  const double reach = a.r + b.r + margin, length2 = dot(d, d);
  if (length2 >= reach * reach) return;
  const double length = sqrt(length2);
  const Vec3d n = length > 0 ? d * (1 / length) : aside;
  const double gap = length - a.r - b.r;
  m.add(nmadd(n, a.r + share * gap, a.p), n, -gap, feature);
}

/// Parameters of the closest points of the lines p + s u and q + t v, |s| <= a, |t| <= b, u and v
/// unit (Ericson 2005, 5.1.9).
struct Closest {
  double s, t;
  Closest(const Vec3d& p, const Vec3d& u, double a, const Vec3d& q, const Vec3d& v, double b) {
    const Vec3d d = q - p;
    const double uv = dot(u, v), du = dot(d, u), dv = dot(d, v), sin2 = fnma(uv, uv, 1.0);
    s = sin2 > 1e-14 ? clamp(fnma(uv, dv, du) / sin2, -a, a) : 0;
    t = fma(uv, s, -dv);
    if (abs(t) > b) {
      t = clamp(t, -b, b);
      s = clamp(fma(uv, t, du), -a, a);
    }
  }
};

}  // namespace

void sphereSphere(const Geom& a, const Geom& b, double margin, Manifold& m) {
  addBalls({a.X_WG.p, a.size.x}, {b.X_WG.p, b.size.x}, {0, 0, 1}, 0.5, margin, 0, m);
}

void sphereCapsule(const Geom& sphere, const Geom& capsule, double margin, Manifold& m) {
  const Vec3d u = axis(capsule);
  const double l = capsule.size.z;
  const double t = clamp(dot(sphere.X_WG.p - capsule.X_WG.p, u), -l, l);
  const Mat3d& R = capsule.X_WG.R;
  addBalls({sphere.X_WG.p, sphere.size.x}, {madd(u, t, capsule.X_WG.p), capsule.size.x},
           {R.r0.x, R.r1.x, R.r2.x}, 0, margin, 0, m);
}

/// The closest points of the two axes (feature 2). Where the axes are within 6 degrees of
/// parallel, the ends of their common stretch (0 and 1) come first, and the closest points join
/// only where they are nearer by more than a nanometre: so capsules side by side have two
/// contacts, crossing ones one, and noise changes neither.
void capsuleCapsule(const Geom& a, const Geom& b, double margin, Manifold& m) {
  const Vec3d p = a.X_WG.p, q = b.X_WG.p, u = axis(a), v = axis(b);
  const double l = a.size.z, k = b.size.z;
  const double uv = dot(u, v);
  const Mat3d& R = a.X_WG.R;
  const Vec3d aside{R.r0.x, R.r1.x, R.r2.x};
  double least = -margin;
  if (fnma(uv, uv, 1.0) < 0.01) {
    const double middle = dot(q - p, u), half = k * abs(uv);
    const double lo = max(-l, middle - half), hi = min(l, middle + half);
    if (lo < hi) {
      for (const double s : {lo, hi}) {
        const Vec3d x = madd(u, s, p);
        const double t = clamp(dot(x - q, v), -k, k);
        addBalls({x, a.size.x}, {madd(v, t, q), b.size.x}, aside, 0.5, margin, s == lo ? 0 : 1, m);
      }
      for (int i = 0; i < m.count; ++i) least = max(least, m.points[i].depth + 1e-9);
    }
  }
  const Closest c(p, u, l, q, v, k);
  addBalls({madd(u, c.s, p), a.size.x}, {madd(v, c.t, q), b.size.x}, aside, 0.5, -least, 2, m);
}

}  // namespace espalier::collision
