// Spheres and capsules against boxes and cylinders, in the second's own frame.

#include "espalier/collision/axis.h"
#include "espalier/collision/pairs.h"
#include "espalier/collision/solid_distance.h"

namespace espalier::collision {
namespace {

using shape_parts::clamp;

void addSphere(const Geom& sphere, const Geom& other, const SolidDistance& at, double margin,
               Manifold& m) {
  const double gap = at.d - sphere.size.x;
  if (gap >= margin) return;
  const Vec3d n = mul(other.X_WG.R, at.n);
  m.add(nmadd(n, sphere.size.x, sphere.X_WG.p), n, -gap, 0);
}

Vec3d inFrame(const Transformd& X, const Vec3d& p) { return tmul(X.R, p - X.p); }

/// A capsule's axis p(t) = c + a t, |t| <= l, in the frame of a box with these half lengths.
struct BoxedSegment {
  Vec3d c, a, half;
  double l;

  Vec3d point(double t) const { return madd(a, t, c); }

  /// The part beyond the box of p(t).
  Vec3d excess(double t) const {
    const Vec3d p = point(t);
    return {p.x - clamp(p.x, -half.x, half.x), p.y - clamp(p.y, -half.y, half.y),
            p.z - clamp(p.z, -half.z, half.z)};
  }

  /// Where the axis is nearest to the box: the zero of a . excess(t), which is monotone and
  /// linear between the at most six t at which a coordinate enters or leaves the box.
  double nearest() const {
    double knots[8] = {-l, l};
    int n = 2;
    for (int i = 0; i < 3; ++i) {
      if (at(a, i) == 0) continue;
      for (const double side : {-at(half, i), at(half, i)}) {
        const double t = (side - at(c, i)) / at(a, i);
        if (t <= -l || t >= l) continue;
        int k = n++;
        for (; k > 0 && knots[k - 1] > t; --k) knots[k] = knots[k - 1];
        knots[k] = t;
      }
    }
    double t0 = knots[0], s0 = dot(a, excess(t0));
    if (s0 >= 0) return t0;
    for (int i = 1; i < n; ++i) {
      const double t1 = knots[i], s1 = dot(a, excess(t1));
      if (s1 >= 0) return fma(t1 - t0, s0 / (s0 - s1), t0);
      t0 = t1;
      s0 = s1;
    }
    return l;
  }

  /// The stretch of the axis between the two faces of axis i, cut out of [lo, hi].
  void clip(int i, double& lo, double& hi) const {
    if (abs(at(a, i)) < 1e-12) return;
    const double x = (-at(half, i) - at(c, i)) / at(a, i), y = (at(half, i) - at(c, i)) / at(a, i);
    lo = clamp(min(x, y), lo, hi);
    hi = clamp(max(x, y), lo, hi);
  }
};

/// Contact of the ball of the capsule at t, pushed along n (box axes); `gap` is that of its skin.
struct CapsuleOnBox {
  const Geom& capsule;
  const Transformd& X_WB;
  const BoxedSegment& s;
  Manifold& m;
  void add(double t, const Vec3d& n, double gap, double margin, int feature) const {
    if (gap >= margin) return;
    const Vec3d skin = nmadd(n, capsule.size.x + gap / 2, s.point(t));
    m.add(X_WB * skin, mul(X_WB.R, n), -gap, feature);
  }
};

/// The axis pierces the box: the Minkowski sum of box and axis is bounded by planes normal to the
/// box's axes e_i and to e_i x a; the shallowest of them tells the way out.
void addPierced(const CapsuleOnBox& out, double margin) {
  const BoxedSegment& s = out.s;
  const double r = out.capsule.size.x;
  double least = 0;
  Vec3d n{};
  int face = -1, edge = -1;
  for (int i = 0; i < 3; ++i) {
    const double overlap = fma(s.l, abs(at(s.a, i)), at(s.half, i)) - abs(at(s.c, i));
    if (face >= 0 && overlap >= least - 1e-9) continue;
    least = overlap;
    face = i;
    n = zero3<double>();
    at(n, i) = at(s.c, i) < 0 ? -1 : 1;
  }
  for (int i = 0; i < 3; ++i) {
    Vec3d e = zero3<double>();
    at(e, i) = 1;
    Vec3d x = cross(e, s.a);
    const double length = norm(x);
    if (length < 1e-3) continue;
    x = x * (1 / length);
    const double reach = fma(abs(x.x), s.half.x, fma(abs(x.y), s.half.y, abs(x.z) * s.half.z));
    const double side = dot(s.c, x), overlap = reach - abs(side);
    if (overlap >= least - 1e-9) continue;
    least = overlap;
    edge = i;
    n = side < 0 ? -x : x;
  }
  if (edge < 0) {
    double lo = -s.l, hi = s.l;
    s.clip((face + 1) % 3, lo, hi);
    s.clip((face + 2) % 3, lo, hi);
    const double top = at(s.half, face), way = at(n, face);
    out.add(lo, n, way * at(s.point(lo), face) - top - r, margin, 0);
    out.add(hi, n, way * at(s.point(hi), face) - top - r, margin, 1);
    return;
  }
  // The box's edge on that side, and the point of the axis nearest to its line.
  Vec3d corner{n.x < 0 ? -s.half.x : s.half.x, n.y < 0 ? -s.half.y : s.half.y,
               n.z < 0 ? -s.half.z : s.half.z};
  Vec3d d = corner - s.c, a = s.a;
  at(d, edge) = 0;
  at(a, edge) = 0;
  out.add(clamp(dot(d, a) / dot(a, a), -s.l, s.l), n, -least - r, margin, 2);
}

}  // namespace

void sphereBox(const Geom& sphere, const Geom& box, double margin, Manifold& m) {
  addSphere(sphere, box, BoxShape::distance(inFrame(box.X_WG, sphere.X_WG.p), box.size), margin, m);
}

void sphereCylinder(const Geom& sphere, const Geom& cylinder, double margin, Manifold& m) {
  const Vec3d p = inFrame(cylinder.X_WG, sphere.X_WG.p);
  addSphere(sphere, cylinder, CylinderShape::distance(p, cylinder.size), margin, m);
}

/// The ends of the stretch of the capsule that lies over the nearest face, edge or corner
/// (features 0 and 1), and its nearest point (2) where that is nearer than both by more than a
/// nanometre.
void boxCapsule(const Geom& box, const Geom& capsule, double margin, Manifold& m) {
  const Transformd& X = box.X_WG;
  const Mat3d& C = capsule.X_WG.R;
  const BoxedSegment s{inFrame(X, capsule.X_WG.p), tmul(X.R, Vec3d{C.r0.z, C.r1.z, C.r2.z}),
                       box.size, capsule.size.z};
  const double r = capsule.size.x, tiny = 1e-9 * box.radius;
  const double t = s.nearest();
  const Vec3d e = s.excess(t);
  const double distance = norm(e);
  if (distance - r >= margin) return;
  const CapsuleOnBox out{capsule, X, s, m};
  if (distance <= tiny) {
    addPierced(out, margin);
  } else {
    double lo = -s.l, hi = s.l;
    for (int i = 0; i < 3; ++i)
      if (abs(at(e, i)) <= tiny) s.clip(i, lo, hi);
    double least = margin;
    int feature = 0;
    for (const double end : {lo, hi}) {
      if (feature == 1 && hi - lo <= tiny) break;
      const SolidDistance d = BoxShape::distance(s.point(end), s.half);
      out.add(end, d.n, d.d - r, margin, feature++);
      least = min(least, d.d - r - 1e-9);
    }
    if (distance - r < least) out.add(t, e * (1 / distance), distance - r, margin, 2);
  }
  for (int i = 0; i < m.count; ++i) m.points[i].normal = -m.points[i].normal;
}

}  // namespace espalier::collision
