#pragma once

// What the files of geometry/shapes/ are written with. Each is one solid that is given by lengths:
//
//   name, className     in files and messages; in Python
//   objectType, shapeType
//   parameters()        a tuple of Parameter: all formats, checks and comparisons follow from it
//   volume()            m^3
//   inertia(mass)       of the homogeneous solid about its frame
//   half()              half lengths h of its box (of a capsule without its ends); collision works
//                       with these, so that the functions below are given h:
//   bound()             radius of the bounding sphere about the frame's origin, m
//   skin(h)             thickness of a layer all around what farthest() is of, m
//   farthest(d, h)      the farthest point in direction d, of any length > 0, without the skin
//   reach(d, h, at)     at + the largest d . x over the solid, d unit; one formula for double and lanes
//   distance(p, h)      signed, negative inside; its gradient
//   meets(ray, h, ...)  where a ray from outside enters it, as RayStretch::enters()
//   normals, edges      the axes that are normals of faces (or of extreme points), and directions of
//                       edges
//   isRound             has a curved side: neither flat faces alone nor a sphere

#include <array>
#include <numbers>
#include <tuple>

#include "espalier/geometry/raisim_shapes.h"
#include "espalier/geometry/ray.h"
#include "espalier/spatial/inertia.h"

namespace espalier {

/// How a parameter differs from one format to the next; null: its own name.
struct ParameterForms {
  const char *urdf = nullptr, *sdf = nullptr;
  double mjcf = 1;         ///< the parameter over MuJoCo's size, which is a half length
  bool canBeZero = false;  ///< else above zero
};

/// A length, or three of them along x, y, z, m.
///   M  pointer to the member, a double or a Vec3d
template <class M>
struct Parameter {
  const char *name, *urdf, *sdf;
  M member;
  double mjcf;
  bool canBeZero;

  constexpr Parameter(const char* own, M at, ParameterForms forms = {})
      : name(own),
        urdf(forms.urdf ? forms.urdf : own),
        sdf(forms.sdf ? forms.sdf : own),
        member(at),
        mjcf(forms.mjcf),
        canBeZero(forms.canBeZero) {}
};

/// Signed distance of a point from a solid's surface and its gradient, unit, in the solid's frame.
struct SolidDistance {
  double d;
  Vec3d n;
};

namespace shape_parts {

inline double clamp(double x, double lo, double hi) { return max(lo, min(x, hi)); }
inline double sign(double x, double length) { return x < 0 ? -length : length; }
template <class T>
ESPALIER_INLINE T radial(const Vec3<T>& d) {
  return sqrt(fma(d.x, d.x, d.y * d.y));
}

/// Of a body symmetric about its three axes, mass centred.
inline RigidInertia<double> centred(double mass, double xx, double yy, double zz) {
  return {mass, {0, 0, 0}, {xx, 0, 0, yy, 0, zz}};
}

/// The part of a ray between the ends of a cylinder.
inline RayStretch tube(const Ray& r, double radius, double half) {
  RayStretch s;
  s.cutRound(r, {0, 0, 0}, {0, 0, 1}, radius);
  s.cut(r, {0, 0, 1}, half);
  s.cut(r, {0, 0, -1}, half);
  return s;
}
inline RayStretch ball(const Ray& r, const Vec3d& c, double radius) {
  RayStretch s;
  s.cutRound(r, c, {0, 0, 0}, radius);
  return s;
}

/// A segment along z with a radius about it; of half length 0, a ball.
inline SolidDistance roundedDistance(const Vec3d& p, double radius, double half) {
  const Vec3d d{p.x, p.y, p.z - clamp(p.z, -half, half)};
  const double length = norm(d);
  return {length - radius, length > 0 ? d * (1 / length) : Vec3d{1, 0, 0}};
}

}  // namespace shape_parts
}  // namespace espalier
