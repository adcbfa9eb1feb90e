#include "espalier/io/rotation_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "espalier/io/numbers.h"

namespace espalier::io {
namespace {

std::array<double, 9> entries(const Mat3d& R) {
  return {R.r0.x, R.r0.y, R.r0.z, R.r1.x, R.r1.y, R.r1.z, R.r2.x, R.r2.y, R.r2.z};
}

double rounded(double value, int digits) {
  char buffer[64];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, digits);
  return parseNumber({buffer, end.ptr}).value_or(value);
}

double neighbour(double value, int steps) {
  for (; steps > 0; --steps) value = std::nextafter(value, HUGE_VAL);
  for (; steps < 0; ++steps) value = std::nextafter(value, -HUGE_VAL);
  return value;
}

/// Numbers near `guess` that `toMatrix` turns into R exactly; else guess.
template <std::size_t n, class ToMatrix>
std::array<double, n> recover(const std::array<double, n>& guess, const Mat3d& R,
                              const ToMatrix& toMatrix) {
  for (const int digits : {1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 16}) {
    std::array<double, n> round = guess;
    for (double& x : round) x = rounded(x, digits);
    if (isSame(toMatrix(round), R)) return round;
  }
  constexpr int reach = 2, width = 2 * reach + 1;
  int count = 1;
  for (std::size_t i = 0; i < n; ++i) count *= width;
  for (int k = 0; k < count; ++k) {
    std::array<double, n> near = guess;
    int rest = k;
    for (double& x : near) {
      x = neighbour(x, rest % width - reach);
      rest /= width;
    }
    if (isSame(toMatrix(near), R)) return near;
  }
  return guess;
}

}  // namespace

bool isSame(const Mat3d& a, const Mat3d& b) { return entries(a) == entries(b); }

bool isIdentity(const Mat3d& R) { return isSame(R, identity3<double>()); }

bool rotationFromQuat(std::span<const double, 4> q, Mat3d& R) {
  const double length = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
  if (!(length > 1e-6) || !std::isfinite(length)) return false;
  // What has length one already stays as it is, bit for bit.
  const double scale = std::abs(length - 1) < 4e-16 ? 1 : length;
  R = rotation(Quat<double>{q[0] / scale, q[1] / scale, q[2] / scale, q[3] / scale});
  return true;
}

std::string quatText(const Mat3d& R) {
  const Quat<double> q = quaternion(R);
  const auto toMatrix = [](const std::array<double, 4>& a) {
    Mat3d result = identity3<double>();
    rotationFromQuat(a, result);
    return result;
  };
  return shortest(recover<4>({q.w, q.x, q.y, q.z}, R, toMatrix));
}

std::string rpyText(const Mat3d& R) {
  // R = Rz(yaw) Ry(pitch) Rx(roll); where the pitch is a quarter turn, roll is taken as zero.
  const double pitch = std::atan2(-R.r2.x, std::hypot(R.r0.x, R.r1.x));
  std::array<double, 3> rpy{std::atan2(R.r2.y, R.r2.z), pitch, std::atan2(R.r1.x, R.r0.x)};
  if (std::hypot(R.r0.x, R.r1.x) < 1e-12) rpy = {0, pitch, std::atan2(-R.r0.y, R.r1.y)};
  const auto toMatrix = [](const std::array<double, 3>& a) {
    return rotationFromRpy({a[0], a[1], a[2]});
  };
  return shortest(recover<3>(rpy, R, toMatrix));
}

std::string shortest(double value) {
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value == 0 ? 0.0 : value);
  return {buffer, end.ptr};
}

std::string shortest(std::span<const double> values) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : " ") + shortest(value);
  return text;
}

std::string shortest(const Vec3d& v) {
  const double values[] = {v.x, v.y, v.z};
  return shortest(values);
}

}  // namespace espalier::io
