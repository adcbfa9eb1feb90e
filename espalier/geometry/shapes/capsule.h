#pragma once

#include "espalier/geometry/shape_parts.h"

namespace espalier {

/// A cylinder with half spheres at both ends.
struct CapsuleShape {
  double radius = 0;  ///< m
  double height = 0;  ///< m, distance of the two sphere centres, along z

  static constexpr const char *name = "capsule", *className = "CapsuleShape";
  static constexpr ObjectType objectType = ObjectType::CAPSULE;
  static constexpr ShapeType shapeType = ShapeType::Capsule;
  static constexpr std::array<int, 0> normals{};
  static constexpr std::array<int, 1> edges{2};
  static constexpr bool isRound = true;
  static constexpr auto parameters() {
    using T = CapsuleShape;
    return std::tuple{
        Parameter("radius", &T::radius),
        Parameter("height", &T::height, {.sdf = "length", .mjcf = 2, .canBeZero = true})};
  }

  double volume() const {
    return std::numbers::pi * radius * radius * (height + 4.0 / 3.0 * radius);
  }
  /// Shared out by volume between the cylinder and the two half spheres; a half sphere's centre of
  /// mass lies 3r/8 beyond the cylinder's end.
  RigidInertia<double> inertia(double mass) const {
    const double r = radius, l = height;
    const double cylinder = std::numbers::pi * r * r * l;
    const double sphere = 4.0 / 3.0 * std::numbers::pi * r * r * r;
    const double mc = mass * cylinder / (cylinder + sphere), ms = mass - mc;
    const double zz = mc * r * r / 2 + ms * 2 * r * r / 5;
    const double xx =
        mc * (l * l / 12 + r * r / 4) + ms * (2 * r * r / 5 + l * l / 4 + 3 * l * r / 8);
    return shape_parts::centred(mass, xx, xx, zz);
  }
  Vec3d half() const { return {radius, radius, height / 2}; }
  double bound() const { return radius + height / 2; }

  static double skin(const Vec3d& h) { return h.x; }
  static Vec3d farthest(const Vec3d& d, const Vec3d& h) {
    return {0, 0, shape_parts::sign(d.z, h.z)};
  }
  template <class T>
  ESPALIER_INLINE static T reach(const Vec3<T>& d, const Vec3d& h, const T& at) {
    return fma(abs(d.z), T(h.z), at + T(h.x));
  }
  static SolidDistance distance(const Vec3d& p, const Vec3d& h) {
    return shape_parts::roundedDistance(p, h.x, h.z);
  }
  /// The union of a tube and two balls.
  static bool meets(const Ray& ray, const Vec3d& h, double& distance, Vec3d& n) {
    const RayStretch parts[3] = {shape_parts::tube(ray, h.x, h.z),
                                 shape_parts::ball(ray, {0, 0, h.z}, h.x),
                                 shape_parts::ball(ray, {0, 0, -h.z}, h.x)};
    for (const RayStretch& s : parts)
      if (s.contains0()) return false;
    bool met = false;
    for (const RayStretch& s : parts) met |= s.enters(distance, n);
    return met;
  }
};

}  // namespace espalier
