#pragma once

#include "espalier/geometry/shape_parts.h"

namespace espalier {

struct SphereShape {
  double radius = 0;  ///< m

  static constexpr const char *name = "sphere", *className = "SphereShape";
  static constexpr ObjectType objectType = ObjectType::SPHERE;
  static constexpr ShapeType shapeType = ShapeType::Sphere;
  static constexpr std::array<int, 0> normals{}, edges{};
  static constexpr bool isRound = false;
  static constexpr auto parameters() {
    return std::tuple{Parameter("radius", &SphereShape::radius)};
  }

  double volume() const { return 4.0 / 3.0 * std::numbers::pi * radius * radius * radius; }
  RigidInertia<double> inertia(double mass) const {
    const double i = 0.4 * mass * radius * radius;
    return shape_parts::centred(mass, i, i, i);
  }
  Vec3d half() const { return {radius, radius, radius}; }
  double bound() const { return radius; }

  static double skin(const Vec3d& h) { return h.x; }
  static Vec3d farthest(const Vec3d&, const Vec3d&) { return {0, 0, 0}; }
  template <class T>
  ESPALIER_INLINE static T reach(const Vec3<T>&, const Vec3d& h, const T& at) {
    return at + T(h.x);
  }
  static SolidDistance distance(const Vec3d& p, const Vec3d& h) {
    return shape_parts::roundedDistance(p, h.x, 0);
  }
  static bool meets(const Ray& ray, const Vec3d& h, double& distance, Vec3d& n) {
    return shape_parts::ball(ray, {0, 0, 0}, h.x).enters(distance, n);
  }
};

}  // namespace espalier
