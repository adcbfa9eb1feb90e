// The two differentials of the Tello humanoid. A rod of constant length joins a crank on the output
// of a rotor's gear (angle y) with a point that both joints move; its equation is half the
// difference of the squares of its length now and as built, in m^2. Lengths in m, facts from the
// robot's published model (scripts/matlab/derive_tello_*.m of generalized_rbda); the two constant
// terms are quotients of integers there, which in C++ would be zero.

#include <cmath>
#include <numbers>

#include "espalier/compat/grbda/loop_constraints.h"

namespace espalier::LoopConstraint {
namespace {

constexpr double pi = std::numbers::pi;

/// a sin y + b cos y = c
template <class T>
struct Crank {
  T a, b, c;
};

/// The rod of rotor 1 (side = 1) or 2 (side = -1) at the hip: the crank's angle is the rotor's.
template <class T>
Crank<T> hipCrank(double side, const T& s1, const T& c1, const T& s2, const T& c2) {
  const T cs = c1 * s2, ss = s1 * s2 * side;
  return {0.0228 - 0.0128 * cs - 0.0112 * side * s1, -0.0128 * c2,
          0.0098 * c1 + 0.01995 * side * s1 + 0.0228 * cs - 0.0112 * ss - 3021.0 / 160000.0};
}

/// The one rod of knee and ankle; the crank's angle is half the difference of the rotors'. The
/// ankle's angle is t.
///   cos(d + p) = cos p cos d - sin p sin d,  sin(d + e) likewise
template <class T>
Crank<T> kneeCrank(const T& t) {
  constexpr double p = 1979 * pi / 4500, r = 493 * pi / 1500, e = 231 * pi / 500;
  const T crank = t + e;
  return {-0.00336 * std::sin(p) + 0.0208 * std::sin(r) - 0.0028 * cos(crank),
          0.00336 * std::cos(p) - 0.0208 * std::cos(r) - 0.0028 * sin(crank),
          0.02184 * std::cos(pi / 9) - 0.0182 * sin(t + 2 * pi / 15) + 0.00294 * sin(t + pi / 45) -
              163349.0 / 6250000.0};
}

ConstraintData telloData(TelloDifferential::Kind kind, double gear) {
  ESPALIER_REQUIRE(std::isfinite(gear) && gear != 0, "a gear has a ratio");
  ConstraintData data;
  data.nq = data.nv = 4;
  data.independent = {0, 1};
  data.scale = gear;
  data.phi = trace(4, [&](const auto& q) {
    const auto y1 = q[0] / gear, y2 = q[1] / gear;
    const auto residual = [](const auto& crank, const auto& y) {
      return crank.a * sin(y) + crank.b * cos(y) - crank.c;
    };
    if (kind == TelloDifferential::Kind::HIP) {
      const auto s1 = sin(q[2]), c1 = cos(q[2]), s2 = sin(q[3]), c2 = cos(q[3]);
      return std::array{residual(hipCrank(1, s1, c1, s2, c2), y1),
                        residual(hipCrank(-1, s1, c1, s2, c2), y2)};
    }
    return std::array{residual(kneeCrank(q[3]), 0.5 * (y1 - y2)), q[2] - 0.5 * (y1 + y2)};
  });
  return data;
}

/// The solution at which the rod's equation grows with y: the way the robot is built.
double angleOf(const Crank<double>& k) {
  const double square = k.a * k.a + k.b * k.b - k.c * k.c;
  ESPALIER_REQUIRE(square >= 0,
                   "a rod of the differential does not reach: the joints are too far "
                   "from where they start");
  const double d = std::sqrt(square);
  return std::atan2(k.a * k.c - k.b * d, k.b * k.c + k.a * d);
}

}  // namespace

TelloDifferential::TelloDifferential(Kind kind, double gear_ratio)
    : Base(telloData(kind, gear_ratio)), kind_(kind), gear_ratio_(gear_ratio) {}

std::array<double, 2> TelloDifferential::rotorsAt(const std::array<double, 2>& joints) const {
  if (kind_ == Kind::HIP) {
    const double s1 = std::sin(joints[0]), c1 = std::cos(joints[0]), s2 = std::sin(joints[1]),
                 c2 = std::cos(joints[1]);
    return {gear_ratio_ * angleOf(hipCrank(1, s1, c1, s2, c2)),
            gear_ratio_ * angleOf(hipCrank(-1, s1, c1, s2, c2))};
  }
  const double half = angleOf(kneeCrank(joints[1]));
  return {gear_ratio_ * (joints[0] + half), gear_ratio_ * (joints[0] - half)};
}

}  // namespace espalier::LoopConstraint
