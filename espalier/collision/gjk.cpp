// Distance of two convex solids: Gilbert, Johnson, Keerthi 1988. The simplex of points
// w = a - b of the difference set A - B closes in on the point v nearest to the origin; at the
// end v = |v| n and every further point w has v . w >= |v|^2.

#include "espalier/collision/convex.h"
#include "espalier/collision/nearest_feature.h"

namespace espalier::collision {
namespace {

struct Corner {
  Vec3d w, a;  // a point of A - B and its point of A
};

/// Up to four corners and the weights of the point nearest to the origin.
struct Simplex {
  Corner c[4];
  double k[4] = {1, 0, 0, 0};
  int n = 0;

  Vec3d nearest() const {
    Vec3d v = zero3<double>();
    for (int i = 0; i < n; ++i) v = madd(c[i].w, k[i], v);
    return v;
  }
  Vec3d onA() const {
    Vec3d v = zero3<double>();
    for (int i = 0; i < n; ++i) v = madd(c[i].a, k[i], v);
    return v;
  }
};

Simplex point(const Corner& a) { return {{a}, {1}, 1}; }

Simplex segment(const Corner& a, const Corner& b) {
  const Vec3d ab = b.w - a.w;
  const double t = -dot(a.w, ab), l = dot(ab, ab);
  if (t <= 0) return point(a);
  if (t >= l) return point(b);
  return {{a, b}, {1 - t / l, t / l}, 2};
}

/// Of the point nearest to the origin.
Simplex triangle(const Corner& a, const Corner& b, const Corner& c) {
  const NearestFeature n = nearestFeature(b.w - a.w, c.w - a.w, -a.w, -b.w, -c.w);
  switch (n.feature) {
    case Feature::A: return point(a);
    case Feature::B: return point(b);
    case Feature::C: return point(c);
    case Feature::AB: return segment(a, b);
    case Feature::AC: return segment(a, c);
    case Feature::BC: return segment(b, c);
    case Feature::INSIDE: break;
  }
  const double sum = n.va + n.vb + n.vc;
  return {{a, b, c}, {n.va / sum, n.vb / sum, n.vc / sum}, 3};
}

/// The nearest of the faces that the origin lies beyond; n = 4 where it lies within.
Simplex tetrahedron(const Corner (&c)[4]) {
  static constexpr int face[4][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}};
  Simplex best;
  best.n = 4;
  double least = 0;
  for (const auto& f : face) {
    const Vec3d p = c[f[0]].w, n = cross(c[f[1]].w - p, c[f[2]].w - p);
    const double origin = -dot(n, p), inside = dot(n, c[f[3]].w - p);
    if (origin * inside > 0) continue;
    const Simplex s = triangle(c[f[0]], c[f[1]], c[f[2]]);
    const Vec3d v = s.nearest();
    const double v2 = dot(v, v);
    if (best.n == 4 || v2 < least) best = s, least = v2;
  }
  return best;
}

Simplex reduced(const Simplex& s) {
  switch (s.n) {
    case 1: return point(s.c[0]);
    case 2: return segment(s.c[0], s.c[1]);
    case 3: return triangle(s.c[0], s.c[1], s.c[2]);
    default: return tetrahedron(s.c);
  }
}

}  // namespace

Distance distance(const Convex& a, const Convex& b, double limit, const Vec3d& guess) {
  constexpr int kMost = 64;
  constexpr double kRelative = 1e-11;
  const double size = a.size() + b.size(), zero = 1e-20 * size * size;
  Simplex s;
  Vec3d v = guess;
  for (int i = 0; i < kMost; ++i) {
    const Vec3d pa = a.farthest(-v), w = pa - b.farthest(v);
    const double v2 = dot(v, v), along = dot(v, w);
    if (along > 0 && along * along > limit * limit * v2) {
      return {Distance::Beyond, 0, v * (1 / sqrt(v2)), {}};
    }
    bool known = s.n > 0 && v2 - along <= kRelative * v2;
    for (int k = 0; k < s.n; ++k) {
      const Vec3d d = s.c[k].w - w;
      known = known || dot(d, d) == 0;
    }
    if (known) break;
    Simplex larger = s;
    larger.c[larger.n++] = {w, pa};
    Simplex next = reduced(larger);
    if (next.n == 4) return {Distance::Overlapping, 0, {}, {}};
    Vec3d u = next.nearest();
    if (s.n > 0 && dot(u, u) >= v2) {
      // A simplex of points close together on a curved rim is too flat for its own arithmetic:
      // go on from the nearest point itself, towards the new one (Frank, Wolfe 1956).
      next = segment({v, s.onA()}, {w, pa});
      u = next.nearest();
      if (dot(u, u) >= v2) break;
    }
    if (dot(u, u) <= zero) return {Distance::Overlapping, 0, {}, {}};
    s = next;
    v = u;
  }
  const double length = norm(v);
  const Vec3d pa = s.onA();
  return {Distance::Apart, length, v * (1 / length), {pa, pa - v}};
}

Vec3d nearestOn(const TriangleCorners& t, const Vec3d& p) {
  return p + triangle({t.p[0] - p, {}}, {t.p[1] - p, {}}, {t.p[2] - p, {}}).nearest();
}

}  // namespace espalier::collision
