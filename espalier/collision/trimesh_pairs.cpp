// Convex solids against the triangles of a static mesh, in the solid's frame.
//
// Each triangle is a convex solid without thickness, met as solids meet each other: along the
// direction n between the nearest points of the solid's core and the triangle. What n may be follows from the mesh
// around it: over a side whose edge is flat or hollow it is the triangle's own normal, over a convex
// edge it lies between the normals of both triangles; what leans farther is the other one's matter.
// So nothing catches at the edges inside a flat or hollow surface.
//
// A closed mesh has an inside and pushes outward only. An open one is a sheet, met from both sides.

#include "espalier/collision/bounds.h"
#include "espalier/collision/convex.h"
#include "espalier/collision/corners.h"
#include "espalier/collision/pairs.h"
#include "espalier/collision/triangle_tree.h"

namespace espalier::collision {
namespace {

/// Sine of an angle: edges that bend by less are flat, directions that lean by less are straight.
constexpr double kFlatEdge = 1e-3;

/// Cosine of the angle that a direction may turn by as it is made exact.
constexpr double kSameWay = 0.7;

/// Region of a triangle that a direction belongs to: its normal's, a convex edge's, or another's.
enum class Region { Face, Edge, Other };

class SolidOnTriangles {
 public:
  SolidOnTriangles(const Geom& solid, const Geom& mesh, double margin, Manifold& m)
      : solid_(solid),
        tree_(*mesh.tree),
        X_WS_(solid.X_WG),
        X_SM_(inverse(X_WS_) * mesh.X_WG),
        a_(solid, identityTransform<double>()),
        core_(a_.core(kCore)),
        size_(solid.radius),
        margin_(margin),
        own_(boxOfSolid()),
        box_(boxInMesh()),
        m_(m) {}

  void meet() {
    tree_.visit(box_, [&](const MeshTriangle& t) { onTriangle(t, true); });
    // Where the core itself is met there is no nearest point: the triangles that push it out by the
    // shortest way, and those nearly as short.
    if (isDeep_) tree_.visit(box_, [&](const MeshTriangle& t) { onTriangle(t, false); });
    reduce(m_);
  }

 private:
  /// The box about the solid, grown by the margin, in its own frame.
  Aabb boxOfSolid() const {
    const SolidBox box(solid_);
    const Vec3d half = box.half + Vec3d{margin_, margin_, margin_};
    return {box.middle - half, box.middle + half};
  }
  /// The box about that box, in the mesh's frame.
  Aabb boxInMesh() const {
    const Mat3d R = transpose(X_SM_.R);
    const Vec3d half = (own_.hi - own_.lo) * 0.5, middle = (own_.lo + own_.hi) * 0.5;
    const Vec3d p = mul(R, middle - X_SM_.p);
    const auto along = [&](const Vec3d& row) {
      return fma(abs(row.x), half.x, fma(abs(row.y), half.y, abs(row.z) * half.z));
    };
    const Vec3d reach{along(R.r0), along(R.r1), along(R.r2)};
    return {p - reach, p + reach};
  }

  /// The triangle in the solid's frame.
  struct Placed {
    TriangleCorners corners;
    Vec3d outs[3];
  };
  Placed placed(const MeshTriangle& t) const {
    Placed p;
    for (int k = 0; k < 3; ++k) {
      p.corners.p[k] = X_SM_ * t.corners[k];
      p.outs[k] = mul(X_SM_.R, t.sides[k].out);
    }
    p.corners.normal = mul(X_SM_.R, t.normal);
    return p;
  }

  /// Whether the box about the solid reaches the triangle's plane, in the mesh's frame.
  bool reaches(const MeshTriangle& t) const {
    const Vec3d &n = t.normal, half = (box_.hi - box_.lo) * 0.5, middle = (box_.lo + box_.hi) * 0.5;
    const double reach = fma(abs(n.x), half.x, fma(abs(n.y), half.y, abs(n.z) * half.z));
    return abs(dot(n, middle - t.corners[0])) <= reach;
  }

  /// Whether a side of the box about the solid shows that the triangle is beyond the margin.
  bool isBeyond(const Placed& t) const {
    const Vec3d &a = t.corners.p[0], &b = t.corners.p[1], &c = t.corners.p[2];
    return min(a.x, min(b.x, c.x)) > own_.hi.x || max(a.x, max(b.x, c.x)) < own_.lo.x ||
           min(a.y, min(b.y, c.y)) > own_.hi.y || max(a.y, max(b.y, c.y)) < own_.lo.y ||
           min(a.z, min(b.z, c.z)) > own_.hi.z || max(a.z, max(b.z, c.z)) < own_.lo.z;
  }

  /// out: from the nearest point of the triangle to the sphere's centre.
  void onBall(const MeshTriangle& t, const Placed& p, const Vec3d& out) {
    const double r = solid_.size.x, length = norm(out);
    if (length >= margin_ + r) return;
    const Vec3d& N = p.corners.normal;
    Vec3d n = length > 0 ? out * (1 / length) : N;
    double gap = length - r;
    const Region region = regionOf(t, p, n);
    if (region == Region::Other) return;
    if (region == Region::Face) {
      if (!isOver(p, zero3<double>())) return;
      n = dot(n, N) > 0 ? N : -N;
      gap = -dot(n, p.corners.p[0]) - r;
    }
    if (m_.count == Manifold::capacity) reduce(m_);
    const Vec3d n_W = mul(X_WS_.R, n);
    const PairPoint point{nmadd(n_W, r, X_WS_.p), n_W, -gap, mixed(t.id, 0)};
    if (!isKnown(point)) m_.add(point.position, point.normal, point.depth, point.feature);
  }

  void onTriangle(const MeshTriangle& t, bool isFirstPass) {
    if (!reaches(t)) return;
    const Placed p = placed(t);
    if (isBeyond(p)) return;
    const Vec3d& N = p.corners.normal;
    const double plane = dot(N, p.corners.p[0]);
    const double low = -a_.reach(-N) - plane, high = a_.reach(N) - plane;
    if (low >= margin_) return;
    if (tree_.isClosed() ? high < 0 : -high >= margin_) return;
    const Vec3d out = a_.centre() - nearestOn(p.corners, a_.centre());
    if (solid_.kind == Kind::Sphere) return onBall(t, p, out);
    const bool isAbove = tree_.isClosed() || dot(N, a_.centre()) >= plane;
    onConvex(t, p, out, isAbove ? N : -N, isAbove ? low : -high, isFirstPass);
  }

  /// up: the normal on the solid's side; height: the lowest point's over the plane.
  void onConvex(const MeshTriangle& t, const Placed& p, const Vec3d& out, const Vec3d& up,
                double height, bool isFirstPass) {
    const Convex b(p.corners);
    const double length = norm(out);
    if (length > 0 && -a_.reach(-out * (1 / length)) - b.reach(out * (1 / length)) >= margin_)
      return;
    // A lowest point over the triangle that is not behind it is the nearest one.
    if (height > -kNear * size_ && isOver(p, lowest(up))) {
      if (isFirstPass) onFace(t, p, b, up);
      return;
    }
    const Distance d =
        distance(core_, b, margin_ + a_.skin() + kCore * size_, length > 0 ? out : up);
    if (d.state == Distance::Overlapping) {
      if (isFirstPass)
        noteDeep(height);
      else if (height >= 1.5 * best_)
        onFace(t, p, b, up);
    } else if (d.state == Distance::Apart && isFirstPass) {
      onNearest(t, p, b, d.n);
    }
  }
  void noteDeep(double height) {
    best_ = isDeep_ ? max(best_, height) : height;
    isDeep_ = true;
  }

  /// n: between the nearest points of core and triangle. Where the solid itself is apart from the
  /// triangle, it may look at another part of it than its core does.
  void onNearest(const MeshTriangle& t, const Placed& p, const Convex& b, const Vec3d& n) {
    const Vec3d up = dot(n, p.corners.normal) > 0 ? p.corners.normal : -p.corners.normal;
    Region region = regionOf(t, p, n);
    if (region == Region::Face && isOver(p, lowest(up))) return onFace(t, p, b, up);
    const double gap = -a_.reach(-n) - b.reach(n);
    if (gap >= margin_) return;
    NearestPoints nearest{lowest(n), b.farthest(n)};
    Vec3d turned = n;
    if (gap > kNear * size_) {
      const Distance d = distance(a_, b, margin_ + a_.skin(), n);
      if (d.state != Distance::Apart) return;
      turned = d.n, nearest = d.nearest;
      region = regionOf(t, p, turned);
    } else if (region == Region::Edge) {
      // A triangle is thin: the way out may lead to its other side.
      climb(a_, b, gap, turned, nearest);
      if (regionOf(t, p, turned) != Region::Edge || dot(turned, n) < kSameWay)
        turned = n, nearest = {lowest(n), b.farthest(n)};
    }
    if (region == Region::Face) return onFace(t, p, b, up);
    if (region == Region::Other) return;
    Manifold points;
    addPatches(a_, b, turned, &nearest, X_WS_, margin_, points);
    add(points, t.id);
  }

  /// side: 1 in front of the triangle, -1 behind it.
  Region regionOf(const MeshTriangle& t, const Placed& p, const Vec3d& n) const {
    const double along = dot(n, p.corners.normal);
    const double side = along < 0 && !tree_.isClosed() ? -1 : 1, front = side * along;
    const Region face = front > 0 ? Region::Face : Region::Other;
    bool leans = false;
    for (int k = 0; k < 3; ++k) {
      const double lean = dot(n, p.outs[k]);
      if (lean <= kFlatEdge) continue;
      leans = true;
      const MeshTriangle::Side& beyond = t.sides[k];
      if (beyond.isBorder) continue;
      const double sine = side * beyond.sine;
      if (sine <= kFlatEdge) return face;
      if (fma(lean, beyond.cosine, -front * sine) > kFlatEdge) return Region::Other;
    }
    return leans ? Region::Edge : face;
  }

  /// The solid's point farthest against n.
  Vec3d lowest(const Vec3d& n) const { return nmadd(n, a_.skin(), a_.farthest(-n)); }
  bool isOver(const Placed& p, const Vec3d& x) const {
    bool isInside = true;
    for (int k = 0; k < 3; ++k)
      isInside = isInside && dot(p.outs[k], x - p.corners.p[k]) <= kFlush * size_;
    return isInside;
  }

  /// Along the triangle's normal: contacts of the part of the solid over it.
  void onFace(const MeshTriangle& t, const Placed& p, const Convex& b, const Vec3d& n) {
    const Vec3d low = lowest(n);
    const NearestPoints nearest{low, nmadd(n, dot(n, low - p.corners.p[0]), low)};
    Manifold points;
    addPatches(a_, b, n, isOver(p, low) ? &nearest : nullptr, X_WS_, margin_, points);
    add(points, t.id);
  }

  /// Neighbouring triangles share the points on their edges.
  bool isKnown(const PairPoint& p) const {
    for (int i = 0; i < m_.count; ++i) {
      const PairPoint& q = m_.points[i];
      const Vec3d d = p.position - q.position;
      if (dot(d, d) <= 1e-12 * size_ * size_ && dot(p.normal, q.normal) > 0.999 &&
          p.depth <= q.depth + 1e-9 * size_)
        return true;
    }
    return false;
  }

  void add(const Manifold& points, int id) {
    if (m_.count + points.count > Manifold::capacity) reduce(m_);
    for (int i = 0; i < points.count; ++i) {
      const PairPoint& p = points.points[i];
      if (!isKnown(p)) m_.add(p.position, p.normal, p.depth, mixed(id, p.feature));
    }
  }

  const Geom& solid_;
  const TriangleTree& tree_;
  const Transformd& X_WS_;
  const Transformd X_SM_;
  const Convex a_, core_;
  const double size_, margin_;
  const Aabb own_, box_;
  Manifold& m_;
  bool isDeep_ = false;
  double best_ = 0;  // largest gap along the normals of triangles that meet the core
};

}  // namespace

void convexTrimesh(const Geom& first, const Geom& mesh, double margin, Manifold& m) {
  SolidOnTriangles(first, mesh, margin, m).meet();
}

}  // namespace espalier::collision
