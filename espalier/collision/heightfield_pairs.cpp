// Boxes, cylinders, capsules and hulls against a heightfield, in the field's frame, from above.
//
// Where all cells beneath lie in one plane, they are one face. Elsewhere contacts are
//   face of the ground    the solid's patch that looks at a triangle, clipped by the prism over it
//   sample of the ground  where it points into a face or a round side of the solid
//   edge of the ground    where it crosses a round side or a rim
// the last two by the signed distance from the solid, whose gradient is the normal.

#include "espalier/collision/convex.h"
#include "espalier/collision/corners.h"
#include "espalier/collision/heightfield.h"
#include "espalier/collision/pairs.h"
#include "espalier/collision/solid_distance.h"

namespace espalier::collision {
namespace {

constexpr int kFromTriangle = 64, kFromSample = 68;  // beyond the corners and sides of a face
constexpr int kFromEnd = Manifold::capacity;

class SolidOnField {
 public:
  SolidOnField(const Geom& solid, const Geom& ground, double margin, Manifold& m)
      : field_(*ground.field),
        X_WF_(ground.X_WG),
        X_FW_(inverse(X_WF_)),
        solid_(solid),
        X_FS_(X_FW_ * solid.X_WG),
        a_(solid, X_FS_),
        size_(solid.radius),
        isRound_(solid.kind < Kind::Plane &&
                 withSolid(solid.kind, []<class S>(S) { return S::isRound; })),
        margin_(margin),
        m_(m) {}

  void meet() {
    const double xLo = -a_.reach({-1, 0, 0}) - margin_, xHi = a_.reach({1, 0, 0}) + margin_;
    const double yLo = -a_.reach({0, -1, 0}) - margin_, yHi = a_.reach({0, 1, 0}) + margin_;
    if (xLo > field_.halfX() || xHi < -field_.halfX()) return;
    if (yLo > field_.halfY() || yHi < -field_.halfY()) return;
    const int i0 = field_.column(xLo), i1 = field_.column(xHi);
    const int j0 = field_.row(yLo), j1 = field_.row(yHi);
    low_ = -a_.reach({0, 0, -1}) - margin_;
    if (field_.top(i0, i1, j0, j1) < low_) return;
    if (field_.isFlat(i0, i1, j0, j1)) return onPlane(i0, i1, j0, j1);
    if (solid_.kind == Kind::Capsule) {
      ends();
    } else {
      setBottom();
      for (int j = j0; j <= j1; ++j) {
        for (int i = i0; i <= i1; ++i) {
          onTriangle(field_.lower(i, j));
          onTriangle(field_.upper(i, j));
        }
      }
    }
    for (int j = j0; j <= j1 + 1; ++j)
      for (int i = i0; i <= i1 + 1; ++i) onPeak(i, j);
    if (isRound_) onRidges(i0, i1, j0, j1);
    reduce(m_);
  }

 private:
  /// A capsule touches triangles with its ends, and with what is between them where both do.
  void ends() {
    for (const int end : {-1, 1}) {
      const Vec3d c = X_FS_ * Vec3d{0, 0, end * solid_.size.z};
      addBallOnFaces(field_, c, solid_.size.x, margin_, X_WF_, end < 0 ? 0 : kFromEnd, m_);
    }
  }

  /// A sample that points into the solid where that is flat or round: pushed out of the solid
  /// against the solid's own normal, where that leans over none of the edges that meet there.
  void onPeak(int i, int j) {
    const Vec3d v = field_.sample(i, j);
    if (v.z < low_) return;
    const SolidDistance at = solidDistance(tmul(X_FS_.R, v - X_FS_.p), solid_);
    if (at.d >= margin_ || at.d < -size_) return;
    const Vec3d out = mul(X_FS_.R, at.n), n = -out;
    if (n.z <= 0) return;
    // A ridge under a flat face is its triangles' matter.
    const double most = (isRound_ ? 1e-12 : -1e-9) * (field_.dx() + field_.dy());
    static constexpr int star[6][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}};
    for (const auto& s : star) {
      if (!field_.hasSample(i + s[0], j + s[1])) continue;
      if (dot(n, field_.sample(i + s[0], j + s[1]) - v) > most) return;
    }
    if (m_.count == Manifold::capacity) reduce(m_);
    m_.add(X_WF_ * nmadd(out, at.d, v), mul(X_WF_.R, n), -at.d,
           mixed(j * field_.data().xSamples + i, kFromSample));
  }

  /// Edges across something round: from each sample those along x, y and the diagonal.
  void onRidges(int i0, int i1, int j0, int j1) {
    for (int j = j0; j <= j1 + 1; ++j) {
      for (int i = i0; i <= i1 + 1; ++i) {
        onRidge(i, j, 1, 0, 1, 1, 0, -1);
        onRidge(i, j, 0, 1, 1, 1, -1, 0);
        onRidge(i, j, 1, 1, 1, 0, 0, 1);
      }
    }
  }

  /// The distance from the solid on the way along an edge.
  struct Look {
    double t, d, slope;
    Vec3d n;
  };

  /// The two sides of the point of the edge v + t e that is nearest to the solid; false where that is
  /// an end, or beyond the margin. The distance from a convex solid is convex along a line, and its
  /// slope is e . n: zero at the nearest point.
  bool nearestOnEdge(const Vec3d& v, const Vec3d& e, Look& before, Look& after) const {
    const Vec3d a = tmul(X_FS_.R, v - X_FS_.p), d = tmul(X_FS_.R, e);
    const auto look = [&](double t) {
      const SolidDistance there = solidDistance(madd(d, t, a), solid_);
      return Look{t, there.d, dot(there.n, d), there.n};
    };
    before = look(0), after = look(1);
    if (before.slope >= 0 || after.slope <= 0) return false;
    // Where the tangents at both ends meet, the distance is at least that of the tangents.
    for (int k = 0; k < 3; ++k) {
      const double span = after.t - before.t;
      const double s = (before.d - after.d + after.slope * span) / (after.slope - before.slope);
      if (fma(s, before.slope, before.d) >= margin_) return false;
      const Look there = look(before.t + s);
      (there.slope < 0 ? before : after) = there;
    }
    for (int k = 0; k < 30; ++k) {
      const Look there = look(0.5 * (before.t + after.t));
      (there.slope < 0 ? before : after) = there;
    }
    return true;
  }

  /// The edge from sample (i, j) to that (ei, ej) further on, where it stands above the far corners
  /// p and q of its triangles.
  void onRidge(int i, int j, int ei, int ej, int pi, int pj, int qi, int qj) {
    if (!field_.hasSample(i + ei, j + ej)) return;
    const Vec3d v = field_.sample(i, j), e = field_.sample(i + ei, j + ej) - v;
    if (max(v.z, v.z + e.z) < low_) return;
    const bool hasP = field_.hasSample(i + pi, j + pj), hasQ = field_.hasSample(i + qi, j + qj);
    const Vec3d p = hasP ? field_.sample(i + pi, j + pj) - v : Vec3d{0, 0, 0};
    const Vec3d q = hasQ ? field_.sample(i + qi, j + qj) - v : Vec3d{0, 0, 0};
    // The far corners lie opposite each other: p + q = e, or level with it.
    if (hasP && hasQ && p.z + q.z >= e.z) return;
    Look before, after;
    if (!nearestOnEdge(v, e, before, after)) return;
    // Under a rim the distance has a kink: of the normals between those of its two sides, the one
    // across the edge counts, and along it the two planes are farther off.
    const double part = 1 / (after.slope - before.slope);
    const Vec3d across = nmadd(after.n, before.slope * part, before.n * (after.slope * part));
    const double stretch = 1 / norm(across), gap = before.d * stretch;
    if (gap >= margin_ || gap < -size_) return;
    const Vec3d out = mul(X_FS_.R, across) * stretch, n = -out;
    const double most = 1e-12 * (field_.dx() + field_.dy());
    if (n.z <= 0 || dot(n, p) > most || dot(n, q) > most) return;
    if (m_.count == Manifold::capacity) reduce(m_);
    m_.add(X_WF_ * nmadd(out, gap, madd(e, before.t, v)), mul(X_WF_.R, n), -gap,
           mixed(j * field_.data().xSamples + i, kFromSample + ei + 2 * ej));
  }

  /// All cells within reach as one face.
  void onPlane(int i0, int i1, int j0, int j1) {
    Patch face;
    face.add(field_.sample(i0, j0), 0);
    face.add(field_.sample(i1 + 1, j0), 1);
    face.add(field_.sample(i1 + 1, j1 + 1), 2);
    face.add(field_.sample(i0, j1 + 1), 3);
    const Vec3d n = field_.lower(i0, j0).normal();
    face.normal = n * (1 / norm(n));
    addOnFace(a_, face, 0, {0, 0, 1}, X_WF_, margin_, m_);
    reduce(m_);
  }

  void setBottom() {
    bottom_ = a_.patch({0, 0, -1});
    if (bottom_.count < 3) return;
    for (int i = 0; i < bottom_.count; ++i) {
      const Vec3d &p = bottom_.corners[i], &q = bottom_.corners[i + 1 == bottom_.count ? 0 : i + 1];
      sides_[i] = cross(q - p, {0, 0, -1});
      sides_[i].z = -dot(sides_[i], p);
    }
  }

  enum class Under { Wholly, Partly, NotAtAll };
  Under underBottom(const FieldTriangle& t) const {
    bool wholly = true;
    for (int i = 0; i < bottom_.count; ++i) {
      int beyond = 0;
      for (const Vec3d& p : {t.a, t.b, t.c})
        beyond += fma(sides_[i].x, p.x, fma(sides_[i].y, p.y, sides_[i].z)) > 0 ? 1 : 0;
      if (beyond == 3) return Under::NotAtAll;
      wholly = wholly && beyond == 0;
    }
    return wholly ? Under::Wholly : Under::Partly;
  }

  /// A triangle wholly or not at all under the lowest face, where that is the part of the solid
  /// that counts: only the triangle's corners can be contacts. The general way finds the same with
  /// more work.
  bool onBottom(const FieldTriangle& t, const Vec3d& n) {
    if (bottom_.count < 3 || bottom_.normal.z > -0.5) return false;
    const Under under = underBottom(t);
    if (under == Under::Partly) return false;
    const Vec3d face = a_.patch(-n).normal, &b = bottom_.normal;
    if (face.x != b.x || face.y != b.y || face.z != b.z) return false;
    if (under == Under::NotAtAll) return true;
    const double perZ = 1 / b.z;
    int corner = kFromTriangle;
    for (const Vec3d& p : {t.a, t.b, t.c}) {
      const double up = dot(b, bottom_.corners[0] - p) * perZ;
      add({p.x, p.y, p.z + up}, n, n.z * up, mixed(t.id, corner++), t.id);
    }
    return true;
  }

  void add(const Vec3d& x, const Vec3d& n, double gap, int feature, int triangle) {
    if (gap >= margin_ || (gap < 0 && isBehindAnother(x, -gap, triangle))) return;
    if (m_.count == Manifold::capacity) reduce(m_);
    m_.add(X_WF_ * x, mul(X_WF_.R, n), -gap, feature);
  }

  /// The plane of the solid's lowest face keeps them apart.
  bool isBelowBottom(const FieldTriangle& t) const {
    if (bottom_.count < 3) return false;
    const double offset = dot(bottom_.normal, bottom_.corners[0]) + margin_;
    return dot(bottom_.normal, t.a) > offset && dot(bottom_.normal, t.b) > offset &&
           dot(bottom_.normal, t.c) > offset;
  }

  /// Every triangle is a face on its own. A point inside the ground is pushed out by another
  /// triangle than the one above it only where that is the shorter way; so a wall's plane does
  /// not reach into the plateau behind it.
  void onTriangle(const FieldTriangle& t) {
    if (max(t.a.z, max(t.b.z, t.c.z)) < low_ || isBelowBottom(t)) return;
    const Vec3d normal = t.normal(), n = normal * (1 / norm(normal));
    if (-a_.reach(-n) - dot(n, t.a) >= margin_ || onBottom(t, n)) return;
    Patch face;
    face.add(t.a, 0);
    face.add(t.b, 1);
    face.add(t.c, 2);
    face.normal = n;
    if (m_.count > Manifold::capacity - Patch::capacity) reduce(m_);
    const int begin = m_.count;
    addOnFace(a_, face, t.id, {0, 0, 1}, X_WF_, margin_, m_);
    int kept = begin;
    for (int i = begin; i < m_.count; ++i) {
      const PairPoint& p = m_.points[i];
      if (p.depth > 0 && isBehindAnother(X_FW_ * p.position, p.depth, t.id)) continue;
      if (kept != i) m_.points[kept] = p;
      ++kept;
    }
    m_.count = kept;
  }

  bool isBehindAnother(const Vec3d& x, double depth, int id) const {
    if (!field_.covers(x.x, x.y)) return false;
    const FieldTriangle above = field_.at(x.x, x.y);
    if (above.id == id) return false;
    const Vec3d n = above.normal();
    return depth > -dot(n, x - above.a) / norm(n) + 1e-6 * size_;
  }

  const Field& field_;
  const Transformd& X_WF_;
  const Transformd X_FW_;
  const Geom& solid_;
  const Transformd X_FS_;  // of the solid
  const Convex a_;
  const double size_;
  const bool isRound_;
  const double margin_;
  Manifold& m_;
  double low_ = 0;
  Patch bottom_;                  // the solid's lowest face, if it has one
  Vec3d sides_[Patch::capacity];  // of the prism over it: (x, y) . side <= -z inside
};

}  // namespace

void convexHeightfield(const Geom& first, const Geom& ground, double margin, Manifold& m) {
  SolidOnField(first, ground, margin, m).meet();
}

}  // namespace espalier::collision
