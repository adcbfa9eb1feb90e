// Solids against a heightfield, in the field's frame, seen from above.

#include "espalier/collision/convex.h"
#include "espalier/collision/heightfield.h"
#include "espalier/collision/pairs.h"

namespace espalier::collision {
namespace {

/// The point of a triangle nearest to p, as weights of its corners (Ericson 2005, 5.1.5).
struct Weights {
  double a, b, c;
};
Weights nearest(const FieldTriangle& t, const Vec3d& p) {
  const Vec3d ab = t.b - t.a, ac = t.c - t.a, ap = p - t.a;
  const double d1 = dot(ab, ap), d2 = dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) return {1, 0, 0};
  const Vec3d bp = p - t.b;
  const double d3 = dot(ab, bp), d4 = dot(ac, bp);
  if (d3 >= 0 && d4 <= d3) return {0, 1, 0};
  const double vc = fnma(d3, d2, d1 * d4);
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return {1 - d1 / (d1 - d3), d1 / (d1 - d3), 0};
  const Vec3d cp = p - t.c;
  const double d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d6 >= 0 && d5 <= d6) return {0, 0, 1};
  const double vb = fnma(d1, d6, d5 * d2);
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return {1 - d2 / (d2 - d6), 0, d2 / (d2 - d6)};
  const double va = fnma(d5, d4, d3 * d6);
  if (va <= 0 && d4 >= d3 && d5 >= d6) {
    const double w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
    return {0, 1 - w, w};
  }
  const double sum = va + vb + vc;
  return {va / sum, vb / sum, vc / sum};
}

/// A ball over the field: contacts are the local minima of the distance, once each.
class BallOnField {
 public:
  BallOnField(const Field& field, const Vec3d& centre, double radius, double margin,
              const Transformd& X_WF, Manifold& m)
      : field_(field), c_(centre), r_(radius), margin_(margin), X_WF_(X_WF), m_(m) {}

  /// Corners of the triangle by their samples (i, j), in its order.
  void visit(const FieldTriangle& t, const int (&corner)[3][2]) {
    const Vec3d normal = t.normal();
    const double reach = r_ + margin_, height = dot(normal, c_ - t.a);
    if (height * height >= reach * reach * dot(normal, normal)) return;
    const Weights w = nearest(t, c_);
    const Vec3d q = madd(t.a, w.a, madd(t.b, w.b, t.c * w.c)), d = c_ - q;
    const double distance2 = dot(d, d);
    if (distance2 >= reach * reach || dot(d, normal) <= 0) return;
    // What is an edge but for rounding is an edge, so that its name does not flicker.
    const double k[3] = {w.a, w.b, w.c};
    int used[3], n = 0;
    for (int i = 0; i < 3; ++i) {
      if (k[i] > 1e-9) used[n++] = i;
    }
    if (n < 3 && !isLocalMinimum(n, used, corner, q, d)) return;
    for (int i = 0; i < count_; ++i) {
      const Vec3d e = at_[i] - q;
      if (dot(e, e) <= 1e-18 * r_ * r_) return;  // met from the neighbour
    }
    if (count_ == kMost) return;
    at_[count_++] = q;
    const double distance = sqrt(distance2);
    add(d * (1 / distance), r_ - distance, feature(t, n, used, corner));
  }

  /// The centre has sunk below the surface: out through its nearest point.
  void sunk(int i0, int i1, int j0, int j1) {
    const FieldTriangle above = field_.at(c_.x, c_.y);
    Vec3d n = above.normal();
    n = n * (1 / norm(n));
    double least = -dot(n, c_ - above.a);
    for (int j = j0; j <= j1; ++j) {
      for (int i = i0; i <= i1; ++i) {
        for (const FieldTriangle& t : {field_.lower(i, j), field_.upper(i, j)}) {
          const Weights w = nearest(t, c_);
          const Vec3d d = madd(t.a, w.a, madd(t.b, w.b, t.c * w.c)) - c_;
          const double distance = norm(d);
          if (distance < least * (1 - 1e-9)) least = distance, n = d * (1 / distance);
        }
      }
    }
    add(n, r_ + least, 0);
  }

 private:
  void add(const Vec3d& n, double depth, int feature) {
    m_.add(X_WF_ * nmadd(n, r_, c_), mul(X_WF_.R, n), depth, feature);
  }

  /// No step from q along the neighbouring triangles comes nearer to the centre.
  bool isLocalMinimum(int n, const int (&used)[3], const int (&corner)[3][2], const Vec3d& q,
                      const Vec3d& d) const {
    const double tiny = 1e-8 * r_ * (field_.dx() + field_.dy());
    const auto nearer = [&](int i, int j) {
      return field_.hasSample(i, j) && dot(d, field_.sample(i, j) - q) > tiny;
    };
    const int i = corner[used[0]][0], j = corner[used[0]][1];
    if (n == 1) {
      static constexpr int star[6][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 0}, {-1, -1}, {0, -1}};
      for (const auto& s : star) {
        if (nearer(i + s[0], j + s[1])) return false;
      }
      return true;
    }
    // From the edge's lower left end (l, k), the far corners of the triangles on its two sides.
    const int di = corner[used[1]][0] - i, dj = corner[used[1]][1] - j;
    const int l = std::min(i, i + di), k = std::min(j, j + dj);
    if (dj == 0) return !nearer(l + 1, k + 1) && !nearer(l, k - 1);
    if (di == 0) return !nearer(l + 1, k + 1) && !nearer(l - 1, k);
    return !nearer(l + 1, k) && !nearer(l, k + 1);
  }

  /// The lower left sample and what there is met: it, one of three edges, one of two faces.
  int feature(const FieldTriangle& t, int n, const int (&used)[3],
              const int (&corner)[3][2]) const {
    int l = corner[used[0]][0], k = corner[used[0]][1], what = n == 1 ? 0 : 4 + (t.id & 1);
    if (n == 2) {
      const int di = corner[used[1]][0] - l, dj = corner[used[1]][1] - k;
      what = dj == 0 ? 1 : di == 0 ? 2 : 3;
    }
    for (int u = 1; u < n; ++u) {
      l = std::min(l, corner[used[u]][0]);
      k = std::min(k, corner[used[u]][1]);
    }
    return (k * (field_.columns() + 1) + l) * 8 + what;
  }

  static constexpr int kMost = Manifold::capacity;
  const Field& field_;
  Vec3d c_;
  double r_, margin_;
  const Transformd& X_WF_;
  Manifold& m_;
  Vec3d at_[kMost];
  int count_ = 0;
};

}  // namespace

void sphereHeightfield(const Geom& sphere, const Geom& ground, double margin, Manifold& m) {
  const Field field(*ground.field);
  const Transformd& X = ground.X_WG;
  const Vec3d c = tmul(X.R, sphere.X_WG.p - X.p);
  const double reach = sphere.size.x + margin;
  if (abs(c.x) > field.halfX() + reach || abs(c.y) > field.halfY() + reach) return;
  const int i0 = field.column(c.x - reach), i1 = field.column(c.x + reach);
  const int j0 = field.row(c.y - reach), j1 = field.row(c.y + reach);
  BallOnField ball(field, c, sphere.size.x, margin, X, m);
  if (field.covers(c.x, c.y)) {
    const FieldTriangle t = field.at(c.x, c.y);
    if (dot(t.normal(), c - t.a) <= 0) return ball.sunk(i0, i1, j0, j1);
  }
  for (int j = j0; j <= j1; ++j) {
    for (int i = i0; i <= i1; ++i) {
      ball.visit(field.lower(i, j), {{i, j}, {i + 1, j}, {i + 1, j + 1}});
      ball.visit(field.upper(i, j), {{i, j}, {i + 1, j + 1}, {i, j + 1}});
    }
  }
  reduce(m);
}

/// Every triangle beneath the solid is a face on its own. A point inside the ground is pushed out
/// by another triangle than the one above it only where that is the shorter way; so a wall's
/// plane does not reach into the plateau behind it.
void convexHeightfield(const Geom& first, const Geom& ground, double margin, Manifold& m) {
  const Field field(*ground.field);
  const Transformd& X_WF = ground.X_WG;
  const Transformd X_FW = inverse(X_WF);
  const Convex a(first, X_FW * first.X_WG);
  const double xLo = -a.reach({-1, 0, 0}) - margin, xHi = a.reach({1, 0, 0}) + margin;
  const double yLo = -a.reach({0, -1, 0}) - margin, yHi = a.reach({0, 1, 0}) + margin;
  if (xLo > field.halfX() || xHi < -field.halfX()) return;
  if (yLo > field.halfY() || yHi < -field.halfY()) return;
  const double low = -a.reach({0, 0, -1}) - margin;
  const auto visit = [&](const FieldTriangle& t) {
    if (max(t.a.z, max(t.b.z, t.c.z)) < low) return;
    Patch face;
    face.add(t.a, 0);
    face.add(t.b, 1);
    face.add(t.c, 2);
    face.normal = t.normal();
    face.normal = face.normal * (1 / norm(face.normal));
    if (m.count > Manifold::capacity / 2) reduce(m);
    const int begin = m.count;
    addOnFace(a, face, t.id, {0, 0, 1}, X_WF, margin, m);
    int kept = begin;
    for (int i = begin; i < m.count; ++i) {
      const PairPoint& p = m.points[i];
      const Vec3d x = X_FW * p.position;
      if (p.depth > 0 && field.covers(x.x, x.y)) {
        const FieldTriangle above = field.at(x.x, x.y);
        const Vec3d n = above.normal();
        const double depth = -dot(n, x - above.a) / norm(n);
        if (above.id != t.id && p.depth > depth + 1e-6 * first.radius) continue;
      }
      m.points[kept++] = p;
    }
    m.count = kept;
  };
  for (int j = field.row(yLo), j1 = field.row(yHi); j <= j1; ++j) {
    for (int i = field.column(xLo), i1 = field.column(xHi); i <= i1; ++i) {
      visit(field.lower(i, j));
      visit(field.upper(i, j));
    }
  }
  reduce(m);
}

}  // namespace espalier::collision
