// Boxes, cylinders, capsules, spheres and hulls of meshes against each other, with separation.
// Those whose boxes are apart, in the frame of either, are told first, then those that a direction
// kept from the last step still shows to be apart.
//
// gap(n) = -reach_A(-n) - reach_B(n) is how far the two are apart along n; their signed distance
// is its maximum over unit n. Where the solids without their skins are farther apart than kNear of
// their size, n is the direction between their nearest points. Else a first n is that between the
// nearest points of two cores, small enough to be apart even while the solids touch, or the best of
// the face normals, cross products of edges and lines of centres. Where that is the normal of a face
// which bears a nearest point, it is n. Else it is improved: move A out along n until it is just free,
// take the direction m of the nearest points there, and gap(m) >= gap(n), for
//   by d = e - gap(n) moved, the distance is  max_m gap(m) + d m . n  >=  gap(n) + d  =  e,
//   hence gap(m) >= gap(n) + d (1 - m . n).

#include <cmath>

#include "espalier/collision/axis.h"
#include "espalier/collision/bounds.h"
#include "espalier/collision/convex.h"
#include "espalier/collision/flush.h"
#include "espalier/collision/pairs.h"

namespace espalier::collision {
namespace {

/// The way out of deep overlap: the unit n of the largest gap(n) = -reach_A(-n) - reach_B(n).
struct WayOut {
  const Convex &a, &b;
  Vec3d n{0, 0, 1};
  double gap;

  WayOut(const Convex& first, const Convex& second) : a(first), b(second), gap(gapAlong(n)) {
    for (int i = 0; i < a.normalCount(); ++i) tryBoth(a.normal(i));
    for (int i = 0; i < b.normalCount(); ++i) tryBoth(b.normal(i));
    const Vec3d centres = a.centre() - b.centre();
    for (int i = 0; i < a.edgeCount(); ++i) {
      for (int j = 0; j < b.edgeCount(); ++j) tryBoth(cross(a.edge(i), b.edge(j)));
      tryBoth(nmadd(a.edge(i), dot(a.edge(i), centres), centres));
    }
    for (int j = 0; j < b.edgeCount(); ++j)
      tryBoth(nmadd(b.edge(j), dot(b.edge(j), centres), centres));
    tryBoth(centres);
  }

  double gapAlong(const Vec3d& d) const { return -a.reach(-d) - b.reach(d); }
  void tryBoth(const Vec3d& d) {
    const double length = norm(d);
    if (length < 1e-6) return;
    for (const double way : {1 / length, -1 / length}) {
      const Vec3d u = d * way;
      const double g = gapAlong(u);
      if (g > gap + 1e-9 * (a.size() + b.size())) n = u, gap = g;
    }
  }
};

Vec3d magnitudes(const Vec3d& v) { return {abs(v.x), abs(v.y), abs(v.z)}; }
bool anyReaches(const Vec3d& v, double limit) {
  return v.x >= limit || v.y >= limit || v.z >= limit;
}

/// Whether a face of one of the boxes about the solids shows that their gap is at least `margin`.
/// The nine cross products of edges rarely tell more; GJK comes next.
bool boxesAreApart(const Geom& first, const Geom& second, const Transformd& X_AB, double margin) {
  const SolidBox a(first), b(second);
  const Mat3d &R = X_AB.R, Q{magnitudes(R.r0), magnitudes(R.r1), magnitudes(R.r2)};
  const Vec3d t = X_AB * b.middle - a.middle;
  return anyReaches(magnitudes(t) - a.half - mul(Q, b.half), margin) ||
         anyReaches(magnitudes(tmul(R, t)) - b.half - tmul(Q, a.half), margin);
}

constexpr int kMostSteps = 8;

}  // namespace

void climb(const Convex& a, const Convex& b, double gap, Vec3d& n, NearestPoints& nearest) {
  const double size = a.size() + b.size();
  Distance d;
  Vec3d out = zero3<double>();
  for (int i = 0; i < kMostSteps; ++i) {
    const Vec3d before = out;
    out = n * (a.skin() + b.skin() + kNear * size - gap);
    Convex moved = a;
    moved.shift(out);
    // From the second time on the nearest corners are those of the last time, or close to them.
    for (int k = 0; i > 0 && k < d.corners; ++k) {
      d.w[k] += out - before;
      d.onA[k] += out - before;
    }
    d = distance(moved, b, 2 * size + norm(out), n, 0, i > 0 ? &d : nullptr);
    if (d.state != Distance::Apart) return;
    const double better = -a.reach(-d.n) - b.reach(d.n);
    if (i > 0 && better <= gap + 1e-10 * size) return;
    nearest = {d.nearest.a - out, d.nearest.b};
    const Vec3d turn = d.n - n;
    n = d.n;
    gap = better;
    if (dot(turn, turn) < 1e-16) return;
  }
}

namespace {

/// Whether the direction kept from an earlier step shows that the pair has no contact. By more than
/// what the way below could be off: whether one is kept does not show in the answer.
bool areKnownApart(const Convex& a, const Convex& b, double margin, const Manifold& m) {
  if (m.separation == nullptr || dot(*m.separation, *m.separation) < 0.5) return false;
  const double size = a.size() + b.size(), sure = max(margin, 2 * kNear * size) + 1e-9 * size;
  return -a.reach(-*m.separation) - b.reach(*m.separation) >= sure;
}

void keepSeparation(const Vec3d& n, Manifold& m) {
  if (m.separation != nullptr) *m.separation = n;
}

/// The face normals of the boxes of a pair that look from b to a, or from a to b.
class BoxFaces {
 public:
  BoxFaces(const Geom& first, const Geom& second, const Convex& a, const Convex& b,
           const Mat3d& R_AB)
      : a_(a), b_(b), touching_(touchingOf(first, second)) {
    if (first.kind == Kind::Box) look(identity3<double>());
    if (second.kind == Kind::Box) look(R_AB);
  }

  bool areFlush = false;   ///< flush.h
  bool areAlmost = false;  ///< the same with more overlap
  Vec3d n{0, 0, 0};        ///< unit, of the largest gap, from b to a
  double gap = -HUGE_VAL;

 private:
  ///   in  R  the box's axes are its columns
  void look(const Mat3d& R) {
    const Vec3d apart = a_.centre() - b_.centre();
    double gaps[3];
    for (int i = 0; i < 3; ++i) {
      const Vec3d axis{at(R.r0, i), at(R.r1, i), at(R.r2, i)};
      const Vec3d out = dot(axis, apart) < 0 ? -axis : axis;
      gaps[i] = -a_.reach(-out) - b_.reach(out);
      if (gaps[i] > gap) n = out, gap = gaps[i];
    }
    const auto are = [&](double much) {
      return collision::areFlush(gaps[0], gaps[1], gaps[2], much);
    };
    areFlush = areFlush || are(touching_);
    areAlmost = areAlmost || are(kCore * min(a_.size(), b_.size()));
  }

  const Convex &a_, &b_;
  double touching_;
};

/// Of solids that, without their skins, touch, overlap or nearly do.
void meetDeep(const Convex& a, const Convex& b, const Vec3d& guess, const BoxFaces& faces,
              const Transformd& X_WA, double margin, Manifold& m) {
  const double size = a.size() + b.size();
  Distance d = distance(a.core(kCore), b.core(kCore), 2 * size, guess);
  if (d.state != Distance::Apart) d.n = WayOut(a, b).n;
  double gap = -a.reach(-d.n) - b.reach(d.n);
  if (faces.areAlmost && faces.gap > gap) d.n = faces.n, gap = faces.gap;
  if (gap >= margin) return keepSeparation(d.n, m);
  if (addPatches(a, b, d.n, nullptr, X_WA, margin, m)) return;
  m.clear();
  climb(a, b, gap, d.n, d.nearest);
  addPatches(a, b, d.n, &d.nearest, X_WA, margin, m);
}

}  // namespace

void convexPair(const Geom& first, const Geom& second, double margin, Manifold& m) {
  const Transformd& X_WA = first.X_WG;
  const Transformd X_AB = inverse(X_WA) * second.X_WG;
  if (boxesAreApart(first, second, X_AB, margin)) return;
  const Convex a(first, identityTransform<double>());
  const Convex b(second, X_AB);
  if (areKnownApart(a, b, margin, m)) return;
  const double size = a.size() + b.size(), skins = a.skin() + b.skin();
  const Vec3d apart = a.centre() - b.centre();
  const bool concentric = dot(apart, apart) < 1e-20 * size * size;
  const Vec3d guess = concentric ? Vec3d{0, 0, 1} : apart;
  Distance d = distance(a, b, margin + skins, guess, kNear * size);
  if (d.state == Distance::Beyond) return keepSeparation(d.n, m);
  if (d.state == Distance::Apart) {
    if (-a.reach(-d.n) - b.reach(d.n) >= margin) return keepSeparation(d.n, m);
    if (BoxFaces(first, second, a, b, X_AB.R).areFlush) return;
    addPatches(a, b, d.n, &d.nearest, X_WA, margin, m);
    return;
  }
  const BoxFaces faces(first, second, a, b, X_AB.R);
  if (!faces.areFlush) meetDeep(a, b, guess, faces, X_WA, margin, m);
}

}  // namespace espalier::collision
