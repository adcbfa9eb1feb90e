#include <algorithm>
#include <cmath>

#include "espalier/io/mjcf/mjcf_parts.h"
#include "espalier/io/text/rotation_text.h"

namespace espalier::io {
namespace {

constexpr double shortest_length = 1e-10;

Mat3d turn(const Vec3d& axis, double angle) {
  return axisRotation(axis, std::sin(angle), std::cos(angle));
}

/// False where v has no direction.
bool normalise(Vec3d& v) {
  const double length = norm(v);
  if (!(length > shortest_length) || !std::isfinite(length)) return false;
  v = v * (1 / length);
  return true;
}

/// Lower case: about the axes carried along; upper case: about those of the parent.
Mat3d fromEuler(const std::array<double, 3>& angles, const std::string& sequence, double unit) {
  Mat3d R = identity3<double>();
  for (int i = 0; i < 3; ++i) {
    const char c = sequence[i];
    const bool isCarried = c >= 'x';
    const int k = c - (isCarried ? 'x' : 'X');
    const Vec3d axis{k == 0 ? 1.0 : 0.0, k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0};
    const Mat3d one = turn(axis, angles[i] * unit);
    R = isCarried ? mul(R, one) : mul(one, R);
  }
  return R;
}

/// The columns x and y made orthonormal; false where they are parallel.
bool fromAxes(Vec3d x, Vec3d y, Mat3d& R) {
  if (!normalise(x)) return false;
  y = y - x * dot(x, y);
  if (!normalise(y)) return false;
  R = transpose(Mat3d{x, y, cross(x, y)});
  return true;
}

}  // namespace

Mat3d shortestRotationToZ(const Vec3d& v) {
  const Vec3d axis = cross({0, 0, 1}, v);
  const double s = norm(axis), angle = std::atan2(s, v.z);
  return turn(s < shortest_length ? Vec3d{1, 0, 0} : axis * (1 / s), angle);
}

Mat3d mjcfRotation(const MjcfCompiler& compiler, const std::array<double, 3>& euler) {
  return fromEuler(euler, compiler.eulerSequence, compiler.angle);
}

Transformd readMjcfPose(const MjcfReading& reading, const MjcfNode& node) {
  constexpr const char* ways[] = {"quat", "axisangle", "xyaxes", "zaxis", "euler"};
  Transformd X = identityTransform<double>();
  X.p = node.vector("pos", {0, 0, 0});
  // An element's own orientation wins over that of its classes, however they are written.
  const MjcfNode turned = node.nearest(ways);
  if (std::count_if(std::begin(ways), std::end(ways),
                    [&](const char* way) { return turned.has(way); }) > 1)
    turned.error("<" + node.tag() + "> has more than one orientation",
                 "keep one of quat, axisangle, xyaxes, zaxis and euler");
  bool good = true;
  std::array<double, 3> euler;
  double q[4], a[4], axes[6], z[3];
  if (turned.numbers("euler", euler)) {
    X.R = mjcfRotation(reading.compiler, euler);
  } else if (turned.numbers("axisangle", a)) {
    Vec3d axis{a[0], a[1], a[2]};
    good = normalise(axis);
    if (good) X.R = turn(axis, a[3] * reading.compiler.angle);
  } else if (turned.numbers("xyaxes", axes)) {
    good = fromAxes({axes[0], axes[1], axes[2]}, {axes[3], axes[4], axes[5]}, X.R);
  } else if (turned.numbers("zaxis", z)) {
    Vec3d axis{z[0], z[1], z[2]};
    good = normalise(axis);
    if (good) X.R = shortestRotationToZ(axis);
  } else if (turned.numbers("quat", q)) {
    good = rotationFromQuat(q, X.R);
  }
  if (!good) {
    node.error(
        "<" + node.tag() + "> has an orientation that is none: an axis or quaternion is zero",
        "give a direction such as 0 0 1, or a quaternion such as 1 0 0 0");
    X.R = identity3<double>();
  }
  return X;
}

std::optional<double> readMjcfFromTo(const MjcfNode& node, Transformd& X) {
  double e[6];
  if (!node.numbers("fromto", e)) return std::nullopt;
  const Vec3d from{e[0], e[1], e[2]}, to{e[3], e[4], e[5]};
  const double length = norm(to - from);
  if (!(length > 1e-14)) {
    node.error("<" + node.tag() + " fromto> has no length", "give two points that differ");
    return std::nullopt;
  }
  X.p = (from + to) * 0.5;
  X.R = shortestRotationToZ((from - to) * (1 / length));
  return length;
}

}  // namespace espalier::io
