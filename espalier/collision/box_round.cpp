// A box against a cylinder or an ellipsoid, in the box's frame. Where the round solid's farthest point
// towards a face lies over that face, it is the nearest point: the normal is the face's and the gap
// the height. GJK comes close to it only slowly, because the round solid has a vertex in every
// direction. Every other case is that of any two convex solids.

#include "espalier/collision/convex.h"
#include "espalier/collision/flush.h"
#include "espalier/collision/pairs.h"

namespace espalier::collision {
namespace {

/// The face of the box that looks at the other solid with the largest gap; the first of equals.
struct FacingFace {
  double gap;
  Vec3d n;  ///< into the box
  double gaps[3];

  FacingFace(const Vec3d& half, const Convex& b) : gap(-1), n{0, 0, 0} {
    const Vec3d t = b.centre();
    const Vec3d normals[3] = {
        {t.x < 0 ? 1.0 : -1.0, 0, 0}, {0, t.y < 0 ? 1.0 : -1.0, 0}, {0, 0, t.z < 0 ? 1.0 : -1.0}};
    const double h[3] = {half.x, half.y, half.z};
    for (int i = 0; i < 3; ++i) {
      const double g = gaps[i] = -h[i] - b.reach(normals[i]);
      if (i == 0 || g > gap) gap = g, n = normals[i];
    }
  }
};

/// Whether a point lies over the face of the box, or on its border.
bool isOver(const Vec3d& half, const Vec3d& n, const Vec3d& p) {
  return (n.x != 0 || abs(p.x) <= half.x) && (n.y != 0 || abs(p.y) <= half.y) &&
         (n.z != 0 || abs(p.z) <= half.z);
}

double least(const Vec3d& v) { return min(v.x, min(v.y, v.z)); }

/// The part of the smaller solid by which an overlap is so shallow that the way out is through the
/// face which is nearest.
constexpr double kShallow = 0.05;

}  // namespace

void boxRound(const Geom& box, const Geom& round, double margin, Manifold& m) {
  const Convex a(box, identityTransform<double>());
  const Convex b(round, inverse(box.X_WG) * round.X_WG);
  const FacingFace face(box.size, b);
  if (face.gap >= margin) return;
  const auto& [x, y, z] = face.gaps;
  if (areFlush(x, y, z, touchingOf(box, round))) return;
  const Vec3d low = b.farthest(face.n);
  if (face.gap < -kShallow * min(least(box.size), least(round.size)) ||
      !isOver(box.size, face.n, low))
    return convexPair(box, round, margin, m);
  const NearestPoints nearest{madd(face.n, face.gap, low), low};
  addPatches(a, b, face.n, &nearest, box.X_WG, margin, m);
}

}  // namespace espalier::collision
