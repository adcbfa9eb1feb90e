// Boxes, cylinders, capsules and hulls against a heightfield, in the field's frame, from above.

#include "espalier/collision/convex.h"
#include "espalier/collision/corners.h"
#include "espalier/collision/heightfield.h"
#include "espalier/collision/pairs.h"

namespace espalier::collision {
namespace {

constexpr int kFromTriangle = 64;  // more than there are corners and sides in a face

class SolidOnField {
 public:
  SolidOnField(const Geom& solid, const Geom& ground, double margin, Manifold& m)
      : field_(*ground.field),
        X_WF_(ground.X_WG),
        X_FW_(inverse(X_WF_)),
        a_(solid, X_FW_ * solid.X_WG),
        size_(solid.radius),
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
    setBottom();
    for (int j = j0; j <= j1; ++j) {
      for (int i = i0; i <= i1; ++i) {
        onTriangle(field_.lower(i, j));
        onTriangle(field_.upper(i, j));
      }
    }
    reduce(m_);
  }

 private:
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
      for (const Vec3d& p : {t.a, t.b, t.c}) {
        beyond += fma(sides_[i].x, p.x, fma(sides_[i].y, p.y, sides_[i].z)) > 0 ? 1 : 0;
      }
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
  const Convex a_;
  const double size_, margin_;
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
