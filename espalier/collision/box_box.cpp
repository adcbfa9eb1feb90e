// Box against box by separating axes (Gottschalk, Lin, Manocha 1996), with separation.
//
// In the frame of a: R = R_AB, t = p_AB, half lengths h and k. The gap along a unit axis L is
//   |t . L| - sum_i h_i |L_i| - sum_j k_j |L . R_j|
// and the normal is the axis of the largest gap among the 3 + 3 face normals and the 9 cross
// products of edges; equals go to the faces, those of a first.

#include <cmath>

#include "espalier/collision/axis.h"
#include "espalier/collision/box_faces.h"
#include "espalier/collision/convex.h"
#include "espalier/collision/flush.h"
#include "espalier/collision/pairs.h"

namespace espalier::collision {
namespace {

struct Axis {
  double gap;
  Vec3d n;             // unit, from b to a
  int i = -1, j = -1;  // the edges, where it is their cross product
};

Vec3d unit(int i) { return {i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0}; }

/// The nearest points of the lines of the two edges that face each other; false where they are
/// not on the edges.
bool nearestOfEdges(const Axis& x, const Vec3d& h, const Vec3d& k, const Transformd& B,
                    NearestPoints& nearest) {
  const Vec3d l = tmul(B.R, x.n), u = unit(x.i), e = unit(x.j), v = mul(B.R, e);
  Vec3d p{std::copysign(h.x, -x.n.x), std::copysign(h.y, -x.n.y), std::copysign(h.z, -x.n.z)};
  Vec3d q{std::copysign(k.x, l.x), std::copysign(k.y, l.y), std::copysign(k.z, l.z)};
  p = nmadd(u, at(p, x.i), p);  // the edges' middles
  q = B * nmadd(e, at(q, x.j), q);
  const Vec3d d = q - p;
  const double uv = dot(u, v), sin2 = fnma(uv, uv, 1.0), du = dot(d, u), dv = dot(d, v);
  const double s = fnma(uv, dv, du) / sin2, t = fma(uv, du, -dv) / sin2;
  nearest = {madd(u, s, p), madd(v, t, q)};
  return abs(s) <= at(h, x.i) && abs(t) <= at(k, x.j);
}

/// The axis of the largest gap; the second box is given in the frame of the first.
class SeparatingAxes {
 public:
  SeparatingAxes(const Geom& first, const Geom& second, const Mat3d& R, const Vec3d& t,
                 const Vec3d& s, double margin)
      : r{{R.r0.x, R.r0.y, R.r0.z}, {R.r1.x, R.r1.y, R.r1.z}, {R.r2.x, R.r2.y, R.r2.z}},
        h{first.size.x, first.size.y, first.size.z},
        k{second.size.x, second.size.y, second.size.z},
        ta{t.x, t.y, t.z},
        tb{s.x, s.y, s.z},
        tie(1e-6 * (first.radius + second.radius)),
        margin_(margin) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) q[i][j] = abs(r[i][j]);
  }

  /// False where a gap is as large as the margin.
  bool find() {
    for (int i = 0; i < 3; ++i)
      if (!tryFace(i, abs(ta[i]) - h[i] - fma(k[0], q[i][0], fma(k[1], q[i][1], k[2] * q[i][2]))))
        return false;
    for (int j = 0; j < 3; ++j)
      if (!tryFace(3 + j,
                   abs(tb[j]) - k[j] - fma(h[0], q[0][j], fma(h[1], q[1][j], h[2] * q[2][j]))))
        return false;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j)
        if (!tryEdges(i, j)) return false;
    }
    return true;
  }

  bool areFlush(double touching) const {
    const double* g = faceGap;
    return collision::areFlush(g[0], g[1], g[2], touching) ||
           collision::areFlush(g[3], g[4], g[5], touching);
  }

  Axis best{0, {}};
  int face = -1;  ///< the best of the face normals, those of the first box before the second's

  double r[3][3], q[3][3];  ///< R and |R|
  double h[3], k[3], ta[3], tb[3];
  double faceGap[6] = {};  ///< along the face normals of the first box, and of the second
  double tie;

 private:
  bool tryFace(int candidate, double gap) {
    if (gap >= margin_) return false;
    faceGap[candidate] = gap;
    if (face < 0 || gap > best.gap + tie) face = candidate, best.gap = gap;
    return true;
  }
  bool tryEdges(int i, int j) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    const double length2 = fnma(r[i][j], r[i][j], 1.0);
    if (length2 < 1e-6) return true;
    const double along = fnma(ta[i1], r[i2][j], ta[i2] * r[i1][j]);
    const double width =
        fma(h[i1], q[i2][j], h[i2] * q[i1][j]) + fma(k[j1], q[i][j2], k[j2] * q[i][j1]);
    // The cross product is shorter than 1: normalising it only lowers what is negative.
    const double apart = abs(along) - width;
    if (apart < 0 && apart <= best.gap + tie) return true;
    const double inverse = 1 / sqrt(length2), gap = apart * inverse;
    if (gap >= margin_) return false;
    if (gap <= best.gap + tie) return true;
    // e_i x R_j, turned from b to a.
    const double way = along > 0 ? -inverse : inverse;
    double n[3] = {0, 0, 0};
    n[i1] = -r[i2][j] * way;
    n[i2] = r[i1][j] * way;
    best = {gap, {n[0], n[1], n[2]}, i, j};
    return true;
  }

  double margin_;
};

/// Rows of R, p and both boxes' half lengths, as addBoxFaces() takes them.
BoxInBox boxInBox(const Mat3d& R, const Vec3d& p, const double (&half)[3],
                  const double (&other)[3]) {
  return {{{R.r0.x, R.r0.y, R.r0.z}, {R.r1.x, R.r1.y, R.r1.z}, {R.r2.x, R.r2.y, R.r2.z}},
          {p.x, p.y, p.z},
          {half[0], half[1], half[2]},
          {other[0], other[1], other[2]}};
}

}  // namespace

void boxBox(const Geom& first, const Geom& second, double margin, Manifold& m) {
  const Transformd& X_WA = first.X_WG;
  const Mat3d R = mul(transpose(X_WA.R), second.X_WG.R);
  const Vec3d t = tmul(X_WA.R, second.X_WG.p - X_WA.p), s = tmul(R, t);
  SeparatingAxes axes(first, second, R, t, s, margin);
  if (!axes.find() || axes.areFlush(touchingOf(first, second))) return;
  const Axis& best = axes.best;
  if (best.i >= 0) {
    const Convex a(first, identityTransform<double>()), b(second, {R, t});
    NearestPoints nearest;
    if (nearestOfEdges(best, first.size, second.size, {R, t}, nearest))
      addPatches(a, b, best.n, &nearest, X_WA, margin, m);
    else
      convexPair(first, second, margin, m);
    return;
  }
  if (axes.face < 3) {
    addBoxFaces(boxInBox(R, t, axes.h, axes.k), axes.face, true, X_WA, margin, m);
  } else {
    addBoxFaces(boxInBox(transpose(R), -s, axes.k, axes.h), axes.face - 3, false, second.X_WG,
                margin, m);
  }
  // A corner beyond the face's border may be nearer to it than all that lies over the face.
  double least = margin;
  for (int i = 0; i < m.count; ++i) least = min(least, -m.points[i].depth);
  if (least > best.gap + axes.tie) {
    m.clear();
    convexPair(first, second, margin, m);
  }
}

}  // namespace espalier::collision
