#include "espalier/spatial/rotation.h"

#include <cmath>

namespace espalier {

Quat<double> quaternion(const Mat3d& r) {
  const double trace = r.r0.x + r.r1.y + r.r2.z;
  Quat<double> q;
  if (trace >= r.r0.x && trace >= r.r1.y && trace >= r.r2.z) {
    q = {1 + trace, r.r2.y - r.r1.z, r.r0.z - r.r2.x, r.r1.x - r.r0.y};
  } else if (r.r0.x >= r.r1.y && r.r0.x >= r.r2.z) {
    q = {r.r2.y - r.r1.z, 1 + 2 * r.r0.x - trace, r.r0.y + r.r1.x, r.r0.z + r.r2.x};
  } else if (r.r1.y >= r.r2.z) {
    q = {r.r0.z - r.r2.x, r.r0.y + r.r1.x, 1 + 2 * r.r1.y - trace, r.r1.z + r.r2.y};
  } else {
    q = {r.r1.x - r.r0.y, r.r0.z + r.r2.x, r.r1.z + r.r2.y, 1 + 2 * r.r2.z - trace};
  }
  q = normalized(q);
  return q.w < 0 ? Quat<double>{-q.w, -q.x, -q.y, -q.z} : q;
}

Vec3d logQuat(const Quat<double>& q) {
  Vec3d v{q.x, q.y, q.z};
  double w = q.w;
  const bool flip =
      w < 0 || (w == 0 && (v.x < 0 || (v.x == 0 && (v.y < 0 || (v.y == 0 && v.z < 0)))));
  if (flip) {
    v = -v;
    w = -w;
  }
  const double s = norm(v);
  const double angle = 2 * std::atan2(s, w);
  return s < 1e-12 ? v * (2 / w) : v * (angle / s);
}

Mat3d rotationFromRpy(const Vec3d& rpy) {
  const auto turn = [](Vec3d axis, double angle) {
    return axisRotation(axis, std::sin(angle), std::cos(angle));
  };
  return mul(turn({0, 0, 1}, rpy.z), mul(turn({0, 1, 0}, rpy.y), turn({1, 0, 0}, rpy.x)));
}

Mat3d rotationToZ(const Vec3d& a) {
  if (a.x == 0 && a.y == 0 && a.z > 0) return identity3<double>();
  // The seed direction least aligned with a keeps the frame well conditioned.
  const Vec3d seed = std::abs(a.x) <= std::abs(a.y) && std::abs(a.x) <= std::abs(a.z)
                         ? Vec3d{1, 0, 0}
                         : (std::abs(a.y) <= std::abs(a.z) ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1});
  Vec3d x = seed - a * dot(seed, a);
  x = x * (1 / norm(x));
  return transpose(Mat3d{x, cross(a, x), a});
}

}  // namespace espalier
