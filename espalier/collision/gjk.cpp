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

/// The point v of the hull of up to three corners that is nearest to the origin: their indices and
/// weights. n = 4 where the origin lies within a tetrahedron.
struct Nearest {
  int n;
  int i[3];
  double k[3];
  Vec3d v;
};

Nearest point(const Corner* c, int i) { return {1, {i}, {1}, c[i].w}; }

Nearest segment(const Corner* c, int i, int j) {
  const Vec3d &a = c[i].w, &b = c[j].w, ab = b - a;
  const double t = -dot(a, ab), l = dot(ab, ab);
  if (t <= 0) return point(c, i);
  if (t >= l) return point(c, j);
  const double ka = 1 - t / l, kb = t / l;
  return {2, {i, j}, {ka, kb}, madd(b, kb, a * ka)};
}

Nearest triangle(const Corner* corners, int i, int j, int k) {
  const Vec3d &a = corners[i].w, &b = corners[j].w, &c = corners[k].w;
  const NearestFeature n = nearestFeature(b - a, c - a, -a, -b, -c);
  switch (n.feature) {
    case Feature::A: return point(corners, i);
    case Feature::B: return point(corners, j);
    case Feature::C: return point(corners, k);
    case Feature::AB: return segment(corners, i, j);
    case Feature::AC: return segment(corners, i, k);
    case Feature::BC: return segment(corners, j, k);
    case Feature::INSIDE: break;
  }
  const double sum = n.va + n.vb + n.vc, ka = n.va / sum, kb = n.vb / sum, kc = n.vc / sum;
  return {3, {i, j, k}, {ka, kb, kc}, madd(c, kc, madd(b, kb, a * ka))};
}

/// Of the nearest of the faces that the origin lies beyond.
Nearest tetrahedron(const Corner* c) {
  static constexpr int face[4][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}};
  Nearest best;
  best.n = 4;
  double least = 0;
  for (const auto& f : face) {
    const Vec3d p = c[f[0]].w, n = cross(c[f[1]].w - p, c[f[2]].w - p);
    const double origin = -dot(n, p), inside = dot(n, c[f[3]].w - p);
    if (origin * inside > 0) continue;
    const Nearest s = triangle(c, f[0], f[1], f[2]);
    const double v2 = dot(s.v, s.v);
    if (best.n == 4 || v2 < least) best = s, least = v2;
  }
  return best;
}

/// At most three corners that bear the nearest point so far, and room for one more.
struct Simplex {
  Corner c[4];
  double k[3] = {1, 0, 0};
  int n = 0;

  /// With the corner that has been put behind the others.
  Nearest nearest() const {
    switch (n) {
      case 0: return point(c, 0);
      case 1: return segment(c, 0, 1);
      case 2: return triangle(c, 0, 1, 2);
      default: return tetrahedron(c);
    }
  }
  void keep(const Nearest& x) {
    const Corner kept[3] = {c[x.i[0]], c[x.n > 1 ? x.i[1] : 0], c[x.n > 2 ? x.i[2] : 0]};
    n = x.n;
    for (int i = 0; i < n; ++i) c[i] = kept[i], k[i] = x.k[i];
  }
  bool contains(const Vec3d& w) const {
    for (int i = 0; i < n; ++i) {
      const Vec3d d = c[i].w - w;
      if (dot(d, d) == 0) return true;
    }
    return false;
  }
  Vec3d onA() const {
    Vec3d v = zero3<double>();
    for (int i = 0; i < n; ++i) v = madd(c[i].a, k[i], v);
    return v;
  }
};

/// The corners of an earlier distance; v is their nearest point.
void begin(const Distance& start, double zero, Simplex& s, Vec3d& v) {
  for (int i = 0; i < start.corners; ++i) s.c[i] = {start.w[i], start.onA[i]};
  s.n = start.corners - 1;
  const Nearest x = s.nearest();
  s.n = 0;
  if (dot(x.v, x.v) <= zero) return;
  s.keep(x);
  v = x.v;
}

Distance apart(const Simplex& s, const Vec3d& v) {
  const double length = norm(v);
  const Vec3d pa = s.onA();
  Distance d{Distance::Apart, length, v * (1 / length), {pa, pa - v}, s.n, {}, {}};
  for (int i = 0; i < s.n; ++i) d.w[i] = s.c[i].w, d.onA[i] = s.c[i].a;
  return d;
}

}  // namespace

Distance distance(const Convex& a, const Convex& b, double limit, const Vec3d& guess, double near,
                  const Distance* start) {
  constexpr int kMost = 64;
  constexpr double kRelative = 1e-11;
  const double size = a.size() + b.size(), zero = max(1e-20 * size * size, near * near);
  Simplex s;
  Vec3d v = guess;
  if (start != nullptr) begin(*start, zero, s, v);
  for (int i = 0; i < kMost; ++i) {
    const Vec3d pa = a.farthest(-v), w = pa - b.farthest(v);
    const double v2 = dot(v, v), along = dot(v, w);
    if (along > 0 && along * along > limit * limit * v2)
      return {Distance::Beyond, 0, v * (1 / sqrt(v2)), {}, 0, {}, {}};
    if ((s.n > 0 && v2 - along <= kRelative * v2) || s.contains(w)) break;
    s.c[s.n] = {w, pa};
    Nearest next = s.nearest();
    if (next.n == 4) return {Distance::Overlapping, 0, {}, {}, 0, {}, {}};
    if (s.n > 0 && dot(next.v, next.v) >= v2) {
      // A simplex of points close together on a curved rim is too flat for its own arithmetic:
      // go on from the nearest point itself, towards the new one (Frank, Wolfe 1956).
      const Corner line[2] = {{v, s.onA()}, {w, pa}};
      next = segment(line, 0, 1);
      if (dot(next.v, next.v) >= v2) break;
      s.c[0] = line[0], s.c[1] = line[1];
    }
    if (dot(next.v, next.v) <= zero) return {Distance::Overlapping, 0, {}, {}, 0, {}, {}};
    s.keep(next);
    v = next.v;
  }
  return apart(s, v);
}

Vec3d nearestOn(const TriangleCorners& t, const Vec3d& p) {
  const Corner c[3] = {{t.p[0] - p, {}}, {t.p[1] - p, {}}, {t.p[2] - p, {}}};
  return p + triangle(c, 0, 1, 2).v;
}

}  // namespace espalier::collision
