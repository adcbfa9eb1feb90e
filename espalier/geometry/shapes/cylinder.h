#pragma once

#include "espalier/geometry/shape_parts.h"

namespace espalier {

struct CylinderShape {
  double radius = 0;  ///< m
  double height = 0;  ///< m, along z

  static constexpr const char *name = "cylinder", *className = "CylinderShape";
  static constexpr ObjectType objectType = ObjectType::CYLINDER;
  static constexpr ShapeType shapeType = ShapeType::Cylinder;
  static constexpr std::array<int, 1> normals{2}, edges{2};
  static constexpr bool isRound = true;
  static constexpr auto parameters() {
    using T = CylinderShape;
    return std::tuple{
        Parameter("radius", &T::radius),
        Parameter("height", &T::height, {.urdf = "length", .sdf = "length", .mjcf = 2})};
  }

  double volume() const { return std::numbers::pi * radius * radius * height; }
  RigidInertia<double> inertia(double mass) const {
    const double r2 = radius * radius, side = mass * (r2 / 4 + height * height / 12);
    return shape_parts::centred(mass, side, side, mass * r2 / 2);
  }
  Vec3d half() const { return {radius, radius, height / 2}; }
  double bound() const { return sqrt(fma(radius, radius, height * height / 4)); }

  static double skin(const Vec3d&) { return 0; }
  static Vec3d farthest(const Vec3d& d, const Vec3d& h) {
    const double rho = shape_parts::radial(d), k = rho > 0 ? h.x / rho : 0;
    return {d.x * k, d.y * k, shape_parts::sign(d.z, h.z)};
  }
  template <class T>
  ESPALIER_INLINE static T reach(const Vec3<T>& d, const Vec3d& h, const T& at) {
    return fma(shape_parts::radial(d), T(h.x), fma(abs(d.z), T(h.z), at));
  }
  static SolidDistance distance(const Vec3d& p, const Vec3d& h) {
    const double rho = sqrt(fma(p.x, p.x, p.y * p.y));
    const Vec3d out = rho > 0 ? Vec3d{p.x / rho, p.y / rho, 0} : Vec3d{1, 0, 0};
    const Vec3d up{0, 0, p.z < 0 ? -1.0 : 1.0};
    const double side = rho - h.x, end = abs(p.z) - h.z;
    if (side > 0 && end > 0) {
      const double d = sqrt(fma(side, side, end * end));
      return {d, madd(out, side / d, up * (end / d))};
    }
    return side >= end ? SolidDistance{side, out} : SolidDistance{end, up};
  }
  static bool meets(const Ray& ray, const Vec3d& h, double& distance, Vec3d& n) {
    return shape_parts::tube(ray, h.x, h.z).enters(distance, n);
  }
};

}  // namespace espalier
