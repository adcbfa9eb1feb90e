#pragma once

#include "espalier/geometry/shape_parts.h"

namespace espalier {

struct BoxShape {
  Vec3d size{};  ///< m, whole edge lengths

  static constexpr const char *name = "box", *className = "BoxShape";
  static constexpr ObjectType objectType = ObjectType::BOX;
  static constexpr ShapeType shapeType = ShapeType::Box;
  static constexpr std::array<int, 3> normals{0, 1, 2}, edges{0, 1, 2};
  static constexpr bool isRound = false;
  static constexpr auto parameters() {
    return std::tuple{Parameter("size", &BoxShape::size, {.mjcf = 2})};
  }

  double volume() const { return size.x * size.y * size.z; }
  RigidInertia<double> inertia(double mass) const {
    const double x = size.x * size.x, y = size.y * size.y, z = size.z * size.z, k = mass / 12;
    return shape_parts::centred(mass, k * (y + z), k * (x + z), k * (x + y));
  }
  Vec3d half() const { return size * 0.5; }
  double bound() const { return norm(half()); }

  static double skin(const Vec3d&) { return 0; }
  static Vec3d farthest(const Vec3d& d, const Vec3d& h) {
    using shape_parts::sign;
    return {sign(d.x, h.x), sign(d.y, h.y), sign(d.z, h.z)};
  }
  template <class T>
  ESPALIER_INLINE static T reach(const Vec3<T>& d, const Vec3d& h, const T& at) {
    return fma(abs(d.x), T(h.x), fma(abs(d.y), T(h.y), fma(abs(d.z), T(h.z), at)));
  }
  /// Outside: the length of the excess over the half lengths. Inside: the nearest face counts, the
  /// first of equals.
  static SolidDistance distance(const Vec3d& p, const Vec3d& h) {
    using shape_parts::clamp;
    const Vec3d e{p.x - clamp(p.x, -h.x, h.x), p.y - clamp(p.y, -h.y, h.y),
                  p.z - clamp(p.z, -h.z, h.z)};
    const double d2 = dot(e, e);
    if (d2 > 0) {
      const double d = sqrt(d2);
      return {d, e * (1 / d)};
    }
    const double x = abs(p.x) - h.x, y = abs(p.y) - h.y, z = abs(p.z) - h.z;
    if (x >= y && x >= z) return {x, {p.x < 0 ? -1.0 : 1.0, 0, 0}};
    if (y >= z) return {y, {0, p.y < 0 ? -1.0 : 1.0, 0}};
    return {z, {0, 0, p.z < 0 ? -1.0 : 1.0}};
  }
  static bool meets(const Ray& ray, const Vec3d& h, double& distance, Vec3d& n) {
    RayStretch s;
    s.cut(ray, {1, 0, 0}, h.x);
    s.cut(ray, {-1, 0, 0}, h.x);
    s.cut(ray, {0, 1, 0}, h.y);
    s.cut(ray, {0, -1, 0}, h.y);
    s.cut(ray, {0, 0, 1}, h.z);
    s.cut(ray, {0, 0, -1}, h.z);
    return s.enters(distance, n);
  }
};

}  // namespace espalier
