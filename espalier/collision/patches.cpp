// From a normal to contact points: the patches of both surfaces that face each other are clipped
// against each other (Sutherland, Hodgman 1974) in the plane across the normal, and every corner
// of what is left is a contact with the gap it has there.

#include "espalier/collision/convex.h"
#include "espalier/collision/corners.h"

namespace espalier::collision {
namespace {

/// A face takes part as the reference when it looks along the normal to within 8 degrees.
constexpr double kAligned = 0.99;

/// The part of an edge or a polygon behind the plane side . x <= offset; in `spare`, unless that
/// is all of it. A corner within the band about the plane is on it.
Patch* cut(Patch* p, Patch* spare, const Vec3d& side, double offset, double band, int sideId) {
  double height[Patch::capacity];
  const int n = p->count;
  double most = -1;
  for (int i = 0; i < n; ++i) {
    const double h = dot(side, p->corners[i]) - offset;
    height[i] = abs(h) <= band ? 0 : h;
    most = max(most, height[i]);
  }
  if (most <= 0) return p;
  Patch& out = *spare;
  out.count = 0;
  const int edges = n > 2 ? n : n - 1;
  for (int i = 0; i < n; ++i) {
    const double h = height[i];
    if (h <= 0) out.add(p->corners[i], p->ids[i]);
    if (i >= edges) continue;
    const int j = i + 1 == n ? 0 : i + 1;
    const double k = height[j];
    if (!(h < 0 && k > 0) && !(h > 0 && k < 0)) continue;
    out.add(madd(p->corners[j] - p->corners[i], h / (h - k), p->corners[i]),
            cutId(p->ids[i], sideId));
  }
  return spare;
}

struct Output {
  const Transformd& X_WA;
  Vec3d n, n_W;
  double margin;
  double share;  // where the point lies on the way from a's surface to b's
  double flush;  // m
  Manifold& m;
  double least = margin;  // smallest gap so far

  void add(const Vec3d& onA, double gap, int feature) {
    if (gap >= margin) return;
    least = min(least, gap);
    m.add(X_WA * nmadd(n, gap * share, onA), n_W, -gap, feature);
  }
};

/// Does a face or an edge lie in the plane of this normal, but for rounding?
bool isFlat(const Patch& p, const Vec3d& normal) {
  if (p.count > 2) return abs(dot(p.normal, normal)) > kSame;
  const Vec3d e = p.corners[p.count - 1] - p.corners[0];
  const double along = dot(e, normal);
  return along * along < 2 * (1 - kSame) * dot(e, e);
}

/// The other's patch against the face `reference` of a (or of b), within the prism over it along
/// `up`. Overwrites the patch.
void clip(const Patch& reference, Patch& whole, bool referenceIsA, const Vec3d& up, Output& out) {
  Patch store;
  Patch *left = &whole, *spare = &store;
  const double band =
      isFlat(whole, reference.normal) ? out.flush : out.flush * (kFlushTilted / kFlush);
  for (int i = 0; i < reference.count && left->count > 0; ++i) {
    const int j = i + 1 == reference.count ? 0 : i + 1;
    const Vec3d side = cross(reference.corners[j] - reference.corners[i], up);
    const double offset = dot(side, reference.corners[i]);
    Patch* rest = cut(left, spare, side, offset, band * norm(side), i);
    if (rest != left) spare = left, left = rest;
  }
  const Patch& other = *left;
  const double along = abs(dot(reference.normal, out.n));
  const double offset = dot(reference.normal, reference.corners[0]);
  for (int i = 0; i < other.count; ++i) {
    const Vec3d& x = other.corners[i];
    const double gap = (dot(reference.normal, x) - offset) / along;
    if (referenceIsA)
      out.add(madd(out.n, gap, x), gap, other.ids[i] | kFromB);
    else
      out.add(x, gap, other.ids[i]);
  }
}

/// Two edges within 6 degrees of parallel: the ends of their common stretch.
void alongside(const Patch& a, const Patch& b, Output& out) {
  const Vec3d p = a.corners[0], u = a.corners[1] - p, q = b.corners[0], v = b.corners[1] - q;
  const double u2 = dot(u, u), uv = dot(u, v), v2 = dot(v, v);
  if (fnma(uv, uv, u2 * v2) > 0.01 * u2 * v2) return;
  const double t0 = dot(q - p, u) / u2, t1 = t0 + uv / u2;
  const double lo = max(0.0, min(t0, t1)), hi = min(1.0, max(t0, t1));
  if (lo >= hi) return;
  for (const double t : {lo, hi}) {
    const Vec3d x = madd(u, t, p), y = madd(v, (t - t0) * u2 / uv, q);
    out.add(x, dot(x - y, out.n), t == lo ? a.ids[0] : a.ids[1]);
  }
}

/// n made square to the edge u where it is so but for rounding.
Vec3d acrossEdge(const Vec3d& n, const Vec3d& u) {
  const double along = dot(n, u), u2 = dot(u, u);
  if (along * along > 1e-10 * u2) return n;
  const Vec3d across = nmadd(u, along / u2, n);
  return across * (1 / norm(across));
}

/// The patch that gives the normal, and how well it agrees with the one between the solids.
struct Reference {
  bool isA;
  double aligned;  ///< cosine; 0 where neither patch is a face

  Reference(const Patch& a, const Patch& b, const Vec3d& n) {
    const double ofA = a.count > 2 ? -dot(a.normal, n) : 0,
                 ofB = b.count > 2 ? dot(b.normal, n) : 0;
    isA = ofA >= ofB - 1e-6;
    aligned = max(isA ? ofA : ofB, 0.0);
  }
};

/// The normal made exact: that of a face, or square to an edge.
Vec3d exactNormal(const Patch& a, const Patch& b, const Reference& reference, const Vec3d& n) {
  if (reference.aligned > kSame) return reference.isA ? -a.normal : b.normal;
  if (a.count == 2 && b.count == 2) return acrossEdge(n, a.corners[1] - a.corners[0]);
  return n;
}

}  // namespace

bool addPatches(const Convex& a, const Convex& b, const Vec3d& normal, const NearestPoints* nearest,
                const Transformd& X_WA, double margin, Manifold& m) {
  Patch fa = a.patch(-normal), fb = b.patch(normal);
  const Reference reference(fa, fb, normal);
  const Vec3d n = exactNormal(fa, fb, reference, normal);

  const double reachA = a.reach(-n), reachB = b.reach(n), gap = -reachA - reachB;
  if (gap >= margin) return false;
  Output out{X_WA, n, mul(X_WA.R, n), margin, 0.5, kFlush * min(a.size(), b.size()), m};
  if (reference.aligned > kAligned)
    reference.isA ? clip(fa, fb, true, -n, out) : clip(fb, fa, false, n, out);
  else if (fa.count == 2 && fb.count == 2)
    alongside(fa, fb, out);
  const bool bearsNearest = out.least <= gap + 1e-9 * (a.size() + b.size());
  if (nearest != nullptr && !bearsNearest) {
    // Outward to the true surfaces.
    const Vec3d x = nmadd(n, reachA + dot(n, nearest->a), nearest->a);
    const Vec3d y = madd(n, reachB - dot(n, nearest->b), nearest->b);
    const Vec3d middle = (x + y) * 0.5;
    out.add(madd(n, gap / 2, middle), gap, kNearest);
  }
  reduce(m);
  return reference.aligned > kSame && bearsNearest;
}

void addOnFace(const Convex& a, const Patch& face, int id, const Vec3d& up, const Transformd& X_WF,
               double margin, Manifold& m) {
  const Vec3d& n = face.normal;
  const double height = -a.reach(-n) - dot(n, face.corners[0]);
  if (height >= margin || height < -a.size()) return;
  const int begin = m.count;
  Output out{X_WF, n, mul(X_WF.R, n), margin, 0, kFlush * a.size(), m};
  Patch patch = a.patch(-n);
  clip(face, patch, false, up, out);
  if (height < out.least - 1e-9 * a.size()) {
    Patch lowest;
    lowest.add(nmadd(n, a.skin(), a.farthest(-n)), kNearest);
    clip(face, lowest, false, up, out);
  }
  for (int i = begin; i < m.count; ++i) m.points[i].feature = mixed(id, m.points[i].feature);
}

}  // namespace espalier::collision
