#include "espalier/io/text/rotation_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

#include "espalier/io/text/numbers.h"

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

template <std::size_t n>
using Numbers = std::array<double, n>;

/// The guess in as few digits as give R exactly; none where that needs all of them.
template <std::size_t n, class ToMatrix>
std::optional<Numbers<n>> inFewDigits(const Numbers<n>& guess, const Mat3d& R,
                                      const ToMatrix& toMatrix) {
  for (const int digits : {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 16}) {
    Numbers<n> round = guess;
    for (double& x : round) x = rounded(x, digits);
    if (io::isSame(toMatrix(round), R)) return round;
  }
  return std::nullopt;
}

/// Doubles around the guess that give R exactly, in steps of their last bit, or of `step` where
/// that is more: small numbers are known less well than they could be.
template <std::size_t n, class ToMatrix>
std::optional<Numbers<n>> around(const Numbers<n>& guess, const Mat3d& R, double step,
                                 const ToMatrix& toMatrix) {
  constexpr int reach = 4, width = 2 * reach + 1;
  int count = 1;
  for (std::size_t i = 0; i < n; ++i) count *= width;
  for (int k = 0; k < count; ++k) {
    Numbers<n> near = guess;
    int rest = k;
    for (double& x : near) {
      const int steps = rest % width - reach;
      const double bit = std::nextafter(std::abs(x), HUGE_VAL) - std::abs(x);
      x += steps * std::max(bit, step);
      rest /= width;
    }
    if (io::isSame(toMatrix(near), R)) return near;
  }
  return std::nullopt;
}

double distance(const Mat3d& a, const Mat3d& b) {
  const std::array<double, 9> x = entries(a), y = entries(b);
  double largest = 0;
  for (std::size_t i = 0; i < 9; ++i) largest = std::max(largest, std::abs(x[i] - y[i]));
  return largest;
}

/// Of several guesses one that gives R exactly, in few digits if possible, else the nearest.
template <std::size_t n, class ToMatrix>
Numbers<n> recover(const std::vector<Numbers<n>>& guesses, const Mat3d& R,
                   const ToMatrix& toMatrix) {
  for (const Numbers<n>& guess : guesses)
    if (const auto found = inFewDigits(guess, R, toMatrix)) return *found;
  for (const Numbers<n>& guess : guesses) {
    if (distance(toMatrix(guess), R) > 1e-14) continue;
    for (const double step : {0.0, 0x1p-57, 0x1p-55})
      if (const auto found = around(guess, R, step, toMatrix)) return *found;
  }
  return *std::min_element(guesses.begin(), guesses.end(), [&](const auto& a, const auto& b) {
    return distance(toMatrix(a), R) < distance(toMatrix(b), R);
  });
}

/// Every roll, pitch and yaw that may stand for R, the plainest first: pitch within a quarter turn
/// or beyond it, roll and yaw within half a turn or beyond.
std::vector<Numbers<3>> rpyGuesses(const Mat3d& R) {
  constexpr double pi = std::numbers::pi;
  const double roll = std::atan2(R.r2.y, R.r2.z), yaw = std::atan2(R.r1.x, R.r0.x);
  const double pitch = std::atan2(-R.r2.x, std::hypot(R.r0.x, R.r1.x));
  const double otherRoll = std::atan2(-R.r2.y, -R.r2.z), otherYaw = std::atan2(-R.r1.x, -R.r0.x);
  const Numbers<3> plain{roll, pitch, yaw};
  const Numbers<3> beyond{otherRoll, pi - pitch, otherYaw};
  const Numbers<3> before{otherRoll, -pi - pitch, otherYaw};
  // At a quarter turn of pitch only roll and yaw together are known.
  const Numbers<3> upright{0, pitch, std::atan2(-R.r0.y, R.r1.y)};
  std::vector<Numbers<3>> guesses;
  for (const Numbers<3>& g : {plain, beyond, before, upright}) {
    for (const double a : {0.0, 2 * pi, -2 * pi})
      for (const double b : {0.0, 2 * pi, -2 * pi}) guesses.push_back({g[0] + a, g[1], g[2] + b});
  }
  return guesses;
}

}  // namespace

bool isSame(const Mat3d& a, const Mat3d& b) { return entries(a) == entries(b); }

bool isIdentity(const Mat3d& R) { return isSame(R, identity3<double>()); }

bool rotationFromQuat(std::span<const double, 4> q, Mat3d& R) {
  const double length = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
  if (!(length > 1e-6) || !std::isfinite(length)) return false;
  // A vector of unit length stays as it is, bit for bit.
  const double scale = std::abs(length - 1) < 4e-16 ? 1 : length;
  R = rotation(Quat<double>{q[0] / scale, q[1] / scale, q[2] / scale, q[3] / scale});
  return true;
}

std::string quatText(const Mat3d& R) {
  const Quat<double> q = quaternion(R);
  const auto toMatrix = [](const Numbers<4>& a) {
    Mat3d result = identity3<double>();
    rotationFromQuat(a, result);
    return result;
  };
  return shortest(recover<4>({{q.w, q.x, q.y, q.z}}, R, toMatrix));
}

std::string rpyText(const Mat3d& R) {
  const auto toMatrix = [](const Numbers<3>& a) { return rotationFromRpy({a[0], a[1], a[2]}); };
  return shortest(recover<3>(rpyGuesses(R), R, toMatrix));
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
