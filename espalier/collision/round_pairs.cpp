// Spheres and capsules against each other: points and segments with a radius.

#include "espalier/collision/pairs.h"

namespace espalier::collision {
namespace {

/// Unit vector and length of d; e_z where the length is 0 (concentric: any direction is right).
struct Direction {
  Vec3d n;
  double length;
  explicit Direction(const Vec3d& d) : length(norm(d)) {
    n = length > 0 ? d * (1 / length) : Vec3d{0, 0, 1};
  }
};

}  // namespace

void sphereSphere(const Geom& a, const Geom& b, double margin, Manifold& m) {
  const Vec3d d = a.X_WG.p - b.X_WG.p;
  const double reach = a.size.x + b.size.x + margin;
  if (dot(d, d) >= reach * reach) return;
  const Direction u(d);
  const double gap = u.length - a.size.x - b.size.x;
  m.add(madd(u.n, b.size.x + gap / 2, b.X_WG.p), u.n, -gap, 0);
}

}  // namespace espalier::collision
