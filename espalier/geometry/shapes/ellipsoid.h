#pragma once

#include "espalier/geometry/shape_parts.h"

namespace espalier {

/// (x/a)^2 + (y/b)^2 + (z/c)^2 <= 1
struct EllipsoidShape {
  Vec3d radii{};  ///< m, half axes a, b, c along x, y, z

  static constexpr const char *name = "ellipsoid", *className = "EllipsoidShape";
  static constexpr ObjectType objectType = ObjectType::ELLIPSOID;
  static constexpr ShapeType shapeType = ShapeType::Ellipsoid;
  static constexpr std::array<int, 3> normals{0, 1, 2};
  static constexpr std::array<int, 0> edges{};
  static constexpr bool isRound = true;
  static constexpr auto parameters() {
    return std::tuple{Parameter("radii", &EllipsoidShape::radii)};
  }

  double volume() const { return 4.0 / 3.0 * std::numbers::pi * radii.x * radii.y * radii.z; }
  /// I = m/5 diag(b^2 + c^2, a^2 + c^2, a^2 + b^2)
  RigidInertia<double> inertia(double mass) const {
    const double x = radii.x * radii.x, y = radii.y * radii.y, z = radii.z * radii.z, k = mass / 5;
    return shape_parts::centred(mass, k * (y + z), k * (x + z), k * (x + y));
  }
  Vec3d half() const { return radii; }
  double bound() const { return max(radii.x, max(radii.y, radii.z)); }

  static double skin(const Vec3d&) { return 0; }
  /// With H = diag(h): H^2 d / |H d|.
  static Vec3d farthest(const Vec3d& d, const Vec3d& h) {
    const Vec3d s{h.x * d.x, h.y * d.y, h.z * d.z};
    const double length = norm(s), k = length > 0 ? 1 / length : 0;
    return {h.x * s.x * k, h.y * s.y * k, h.z * s.z * k};
  }
  template <class T>
  ESPALIER_INLINE static T reach(const Vec3<T>& d, const Vec3d& h, const T& at) {
    return at + norm(Vec3<T>{d.x * T(h.x), d.y * T(h.y), d.z * T(h.z)});
  }
  /// The nearest point of the surface is x_i = h_i^2 |p_i| / (t + h_i^2) in the octant of p, with t the
  /// largest zero of F(t) = sum (h_i |p_i| / (t + h_i^2))^2 - 1. Right of its last pole F falls and is
  /// convex, so that Newton's method rises to the zero from where one term alone is 1. Planes of
  /// symmetry are left by 1e-12 of the half axes, because the pole vanishes there.
  static SolidDistance distance(const Vec3d& p, const Vec3d& h) {
    const double size[3] = {h.x, h.y, h.z}, least = min(h.x, min(h.y, h.z));
    const double at[3] = {max(abs(p.x), 1e-12 * h.x), max(abs(p.y), 1e-12 * h.y),
                          max(abs(p.z), 1e-12 * h.z)};
    double above[3], scaled[3];  // t = u - least^2; u + above = t + h^2
    double u = 0;
    for (int i = 0; i < 3; ++i) {
      above[i] = (size[i] - least) * (size[i] + least);
      scaled[i] = size[i] * at[i];
      u = max(u, scaled[i] - above[i]);
    }
    for (int k = 0; k < 40; ++k) {
      double f = -1, slope = 0;
      for (int i = 0; i < 3; ++i) {
        const double term = scaled[i] / (u + above[i]);
        f = fma(term, term, f);
        slope -= 2 * term * term / (u + above[i]);
      }
      const double step = -f / slope;
      u += step;
      if (!(step > 1e-15 * u)) break;
    }
    Vec3d n{at[0] / (u + above[0]), at[1] / (u + above[1]), at[2] / (u + above[2])};
    const Vec3d x{size[0] * size[0] * n.x, size[1] * size[1] * n.y, size[2] * size[2] * n.z};
    n = n * (1 / norm(n));
    const double d = dot(n, Vec3d{at[0], at[1], at[2]} - x);
    using shape_parts::sign;
    return {d, {sign(p.x, n.x), sign(p.y, n.y), sign(p.z, n.z)}};
  }
  /// In coordinates x_i / h_i it is the unit ball.
  static bool meets(const Ray& ray, const Vec3d& h, double& distance, Vec3d& n) {
    const auto scaled = [&](const Vec3d& v) { return Vec3d{v.x / h.x, v.y / h.y, v.z / h.z}; };
    const Ray inBall{scaled(ray.origin), scaled(ray.direction)};
    Vec3d x;
    if (!shape_parts::ball(inBall, {0, 0, 0}, 1).enters(distance, x)) return false;
    n = scaled(x);
    n = n * (1 / norm(n));
    return true;
  }
};

}  // namespace espalier
