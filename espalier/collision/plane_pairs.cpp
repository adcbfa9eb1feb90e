// Shapes against the half space z <= 0 of a plane's frame, with separation.
//
// With n the plane's normal and h(p) = n . (p - p_plane), a point p of the shape is a contact
// when h(p) < margin; its depth is -h(p) and the push is n. The points are the candidates that
// can be lowest: sphere centres less the radius, the corners of the lowest face, the lowest rim.

#include "espalier/collision/convex.h"
#include "espalier/collision/pairs.h"
#include "espalier/geometry/hull.h"

namespace espalier::collision {
namespace {

/// The plane's normal and the height of a point above it.
struct HalfSpace {
  Vec3d n, p;
  explicit HalfSpace(const Geom& plane)
      : n{plane.X_WG.R.r0.z, plane.X_WG.R.r1.z, plane.X_WG.R.r2.z}, p(plane.X_WG.p) {}
  double height(const Vec3d& x) const { return dot(n, x - p); }
};

void addBelow(const HalfSpace& s, const Vec3d& x, double margin, int feature, Manifold& m) {
  const double h = s.height(x);
  if (h < margin) m.add(x, s.n, -h, feature);
}

/// Two of equal size are told apart only when they differ by more than this.
constexpr double kTie = 1e-6;

}  // namespace

void spherePlane(const Geom& sphere, const Geom& plane, double margin, Manifold& m) {
  const HalfSpace s(plane);
  addBelow(s, nmadd(s.n, sphere.size.x, sphere.X_WG.p), margin, 0, m);
}

void convexPlane(const Geom& solid, const Geom& plane, double margin, Manifold& m) {
  const HalfSpace s(plane);
  const Convex convex(solid, solid.X_WG);
  addBelow(s, nmadd(s.n, convex.skin(), convex.farthest(-s.n)), margin, 0, m);
}

void capsulePlane(const Geom& capsule, const Geom& plane, double margin, Manifold& m) {
  const HalfSpace s(plane);
  const Mat3d& R = capsule.X_WG.R;
  const Vec3d half = Vec3d{R.r0.z, R.r1.z, R.r2.z} * capsule.size.z;
  const Vec3d low = nmadd(s.n, capsule.size.x, capsule.X_WG.p);
  addBelow(s, low - half, margin, 0, m);
  addBelow(s, low + half, margin, 1, m);
}

/// The four corners of the face that looks most at the plane. Whatever touches the plane is on
/// it: a lowest corner, edge or face belongs to the lowest faces of all three axes, and an edge
/// or face along the plane to the one whose normal is nearest to n. Feature: the corner's bits.
void boxPlane(const Geom& box, const Geom& plane, double margin, Manifold& m) {
  const HalfSpace s(plane);
  const double centre = s.height(box.X_WG.p);
  if (centre - box.radius >= margin) return;
  const Mat3d& R = box.X_WG.R;
  const Vec3d n = tmul(R, s.n);
  const double along[3] = {n.x, n.y, n.z}, half[3] = {box.size.x, box.size.y, box.size.z};
  int face = 0;
  for (int k = 1; k < 3; ++k)
    if (abs(along[k]) > abs(along[face]) + kTie) face = k;
  const int up = along[face] > 0 ? 0 : 1 << face;  // the face's side as a corner bit
  const int u = (face + 1) % 3, v = (face + 2) % 3;
  for (int k = 0; k < 4; ++k) {
    const int corner = up | ((k & 1) << u) | ((k >> 1) << v);
    const Vec3d local{corner & 1 ? half[0] : -half[0], corner & 2 ? half[1] : -half[1],
                      corner & 4 ? half[2] : -half[2]};
    const double h = centre + dot(n, local);
    if (h < margin) m.add(box.X_WG * local, s.n, -h, corner);
  }
}

/// Leaning by less than 45 degrees: four points of the lower rim at fixed angles, the one nearest
/// to the rim's lowest point moved there once that is lower by more than a nanometre; so a
/// standing cylinder's list does not turn with noise. Leaning by more: the lowest point of either
/// rim. Feature: 8 for the upper end (+z), plus 0..3 the angle, or 4.
void cylinderPlane(const Geom& cylinder, const Geom& plane, double margin, Manifold& m) {
  const HalfSpace s(plane);
  const double centre = s.height(cylinder.X_WG.p);
  if (centre - cylinder.radius >= margin) return;
  const Transformd& X = cylinder.X_WG;
  const double r = cylinder.size.x, half = cylinder.size.z;
  const Vec3d n = tmul(X.R, s.n);
  const double lean = sqrt(fma(n.x, n.x, n.y * n.y));
  const auto add = [&](double x, double y, double z, int feature) {
    const double h = centre + fma(n.z, z, fma(n.y, y, n.x * x));
    if (h < margin) m.add(X * Vec3d{x, y, z}, s.n, -h, feature);
  };
  if (lean > abs(n.z)) {
    const double x = -r * n.x / lean, y = -r * n.y / lean;
    add(x, y, -half, 4);
    add(x, y, half, 12);
    return;
  }
  const double z = n.z > 0 ? -half : half;
  const int end = n.z > 0 ? 0 : 8;
  // Heights of the fixed points over the rim's centre: +-r n.x, +-r n.y; of the lowest: -r lean.
  const bool alongX = abs(n.x) + kTie >= abs(n.y);
  const double nearest = alongX ? abs(n.x) : abs(n.y);
  const int moved = alongX ? (n.x > 0 ? 2 : 0) : (n.y > 0 ? 3 : 1);
  const bool move = r * (lean - nearest) > 1e-9;
  static constexpr double cosine[4] = {1, 0, -1, 0}, sine[4] = {0, 1, 0, -1};
  for (int k = 0; k < 4; ++k)
    if (move && k == moved)
      add(-r * n.x / lean, -r * n.y / lean, z, end + k);
    else
      add(r * cosine[k], r * sine[k], z, end + k);
}

/// The corners of the hull, thinned out to four. Feature: the corner. More corners than a
/// manifold holds are taken in runs, each thinned out before the next.
void planeHull(const Geom& plane, const Geom& mesh, double margin, Manifold& m) {
  const HalfSpace s(plane);
  const double centre = s.height(mesh.X_WG.p);
  if (centre - mesh.radius >= margin) return;
  const Vec3d n = tmul(mesh.X_WG.R, s.n);
  const std::vector<Vec3d>& corners = mesh.hull->vertices;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const double h = centre + dot(n, corners[i]);
    if (!(h < margin)) continue;
    if (m.count == Manifold::capacity) reduce(m, kMaxHullPoints);
    m.add(mesh.X_WG * corners[i], s.n, -h, static_cast<int>(i));
  }
  reduce(m, kMaxHullPoints);
  for (int i = 0; i < m.count; ++i) m.points[i].normal = -s.n;
}

}  // namespace espalier::collision
