#include "espalier/collision/convex.h"

#include "espalier/geometry/hull.h"

namespace espalier::collision {
namespace {

constexpr int kRim = 8;
constexpr double kCosine[kRim] = {1,  0.70710678118654752440,  0, -0.70710678118654752440,
                                  -1, -0.70710678118654752440, 0, 0.70710678118654752440};
double cosine(int i) { return kCosine[i & 7]; }
double sine(int i) { return kCosine[(i + 6) & 7]; }

using shape_parts::radial;
using shape_parts::sign;

Vec3d axisOf(const Mat3d& R, int i) {
  return i == 0   ? Vec3d{R.r0.x, R.r1.x, R.r2.x}
         : i == 1 ? Vec3d{R.r0.y, R.r1.y, R.r2.y}
                  : Vec3d{R.r0.z, R.r1.z, R.r2.z};
}

// ---- the patch of a solid with half lengths s at X that looks most in its direction l

/// By default its farthest point: of a sphere, an ellipsoid.
template <class S>
void addPatch(S, const Vec3d& l, const Vec3d& s, const Transformd& X, Patch& p) {
  p.add(X * madd(l, S::skin(s), S::farthest(l, s)), 0);
}

void addPatch(BoxShape, const Vec3d& l, const Vec3d& s, const Transformd& X, Patch& p) {
  const double along[3] = {abs(l.x), abs(l.y), abs(l.z)};
  const int k = along[0] >= along[1] && along[0] >= along[2] ? 0 : along[1] >= along[2] ? 1 : 2;
  const int u = (k + 1) % 3, v = (k + 2) % 3;
  const double way = k == 0 ? l.x : k == 1 ? l.y : l.z;
  const int up = way < 0 ? 0 : 1 << k;
  p.normal = way < 0 ? -axisOf(X.R, k) : axisOf(X.R, k);
  for (int i = 0; i < 4; ++i) {
    // Corners in the order 00, 10, 11, 01; the other way round on the lower face.
    const int j = way < 0 ? 3 - i : i;
    const int corner = up | ((j == 1 || j == 2 ? 1 : 0) << u) | ((j >> 1) << v);
    p.add(X * Vec3d{corner & 1 ? s.x : -s.x, corner & 2 ? s.y : -s.y, corner & 4 ? s.z : -s.z},
          corner);
  }
}

void addPatch(CylinderShape, const Vec3d& l, const Vec3d& s, const Transformd& X, Patch& p) {
  const double rho = radial(l);
  if (rho > abs(l.z)) {
    const double x = l.x * s.x / rho, y = l.y * s.x / rho;
    p.add(X * Vec3d{x, y, -s.z}, 16);
    p.add(X * Vec3d{x, y, s.z}, 17);
    return;
  }
  p.normal = l.z < 0 ? -axisOf(X.R, 2) : axisOf(X.R, 2);
  for (int i = 0; i < kRim; ++i) {
    const int j = l.z < 0 ? kRim - 1 - i : i;
    p.add(X * Vec3d{s.x * cosine(j), s.x * sine(j), sign(l.z, s.z)}, l.z < 0 ? j : kRim + j);
  }
}

void addPatch(CapsuleShape, const Vec3d& l, const Vec3d& s, const Transformd& X, Patch& p) {
  p.add(X * madd(l, s.x, Vec3d{0, 0, -s.z}), 0);
  p.add(X * madd(l, s.x, Vec3d{0, 0, s.z}), 1);
}

}  // namespace

Convex::Convex(const Geom& g, const Transformd& X)
    : kind_(g.kind), size_(g.radius), geom_(&g), X_(X), centre_(X.p), half_(g.size), skin_(0) {
  if (g.kind < Kind::Plane) skin_ = withSolid(kind_, [&]<class S>(S) { return S::skin(half_); });
  if (g.kind == Kind::Hull) centre_ = X * g.hull->centre;
}

Convex::Convex(const TriangleCorners& triangle)
    : kind_(Kind::Trimesh),
      size_(0),
      triangle_(&triangle),
      X_(identityTransform<double>()),
      centre_((triangle.p[0] + triangle.p[1] + triangle.p[2]) * (1.0 / 3)),
      half_(zero3<double>()),
      skin_(0) {}

const Vec3d& Convex::corner(const Vec3d& d) const {
  const Vec3d* p = triangle_->p;
  const double x = dot(d, p[0]), y = dot(d, p[1]), z = dot(d, p[2]);
  return x >= y && x >= z ? p[0] : y >= z ? p[1] : p[2];
}

Convex Convex::core(double part) const {
  Convex c = *this;
  const Vec3d& s = half_;
  if (kind_ == Kind::Hull) {
    c.scale_ = 1 - part;
  } else if (skin_ == 0) {
    const double by = part * min(s.x, min(s.y, s.z));
    c.half_ = {s.x - by, s.y - by, s.z - by};
  }
  return c;
}

Vec3d Convex::farthest(const Vec3d& d) const {
  if (kind_ == Kind::Trimesh) return corner(d);
  const Vec3d l = tmul(X_.R, d);
  if (kind_ == Kind::Hull) {
    const Hull& hull = *geom_->hull;
    const Vec3d& v = hull.vertices[hull.vertexMap.farthest(l)];
    return madd(X_ * v - centre_, scale_, centre_);
  }
  return X_ * withSolid(kind_, [&]<class S>(S) { return S::farthest(l, half_); });
}

double Convex::reach(const Vec3d& d) const {
  if (kind_ == Kind::Trimesh) return dot(d, corner(d));
  const Vec3d l = tmul(X_.R, d);
  const double at = dot(d, X_.p);
  if (kind_ == Kind::Hull) {
    const Hull& hull = *geom_->hull;
    return at + dot(l, hull.vertices[hull.vertexMap.farthest(l)]);
  }
  return withSolid(kind_, [&]<class S>(S) { return S::reach(l, geom_->size, at); });
}

Patch Convex::patch(const Vec3d& d) const {
  Patch p;
  if (kind_ == Kind::Trimesh) {
    const bool isFront = dot(d, triangle_->normal) >= 0;
    p.normal = isFront ? triangle_->normal : -triangle_->normal;
    for (int i = 0; i < 3; ++i) p.add(triangle_->p[isFront ? i : 2 - i], isFront ? i : 2 - i);
    return p;
  }
  const Vec3d l = tmul(X_.R, d);
  if (kind_ != Kind::Hull) {
    withSolid(kind_, [&](auto solid) { addPatch(solid, l, geom_->size, X_, p); });
    return p;
  }
  const Hull& hull = *geom_->hull;
  const Hull::Face* best = &hull.faces[hull.normalMap.farthest(l)];
  p.normal = mul(X_.R, best->normal);
  // A face of very many corners is told by every few of them.
  const int step = (best->end - best->begin + Patch::capacity / 2 - 1) / (Patch::capacity / 2);
  for (int i = best->begin; i < best->end; i += step) {
    const int corner = hull.corners[i];
    p.add(X_ * hull.vertices[corner], corner);
  }
  return p;
}

int Convex::normalCount() const {
  if (kind_ == Kind::Trimesh) return 1;
  if (kind_ == Kind::Hull) return static_cast<int>(geom_->hull->faces.size());
  return withSolid(kind_, []<class S>(S) { return static_cast<int>(S::normals.size()); });
}

Vec3d Convex::normal(int i) const {
  if (kind_ == Kind::Trimesh) return triangle_->normal;
  if (kind_ == Kind::Hull) return mul(X_.R, geom_->hull->faces[i].normal);
  return axisOf(X_.R, withSolid(kind_, [&]<class S>(S) { return S::normals.data()[i]; }));
}

int Convex::edgeCount() const {
  if (kind_ == Kind::Trimesh || kind_ == Kind::Hull) return 0;
  return withSolid(kind_, []<class S>(S) { return static_cast<int>(S::edges.size()); });
}

Vec3d Convex::edge(int i) const {
  return axisOf(X_.R, withSolid(kind_, [&]<class S>(S) { return S::edges.data()[i]; }));
}

}  // namespace espalier::collision
