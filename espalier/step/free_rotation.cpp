#include "espalier/step/free_rotation.h"

#include <algorithm>
#include <cmath>

namespace espalier {
namespace {

/// rad, of one step of fourth order.
constexpr double most_turn = 0.1;
constexpr double most_steps = 1000;
constexpr int most_iterations = 20;

/// Solves L_m = L + h/2 L_m x I^-1 L_m by Newton's method, to rounding; false where it does not
/// converge.
bool solveMidpoint(const Sym3<double>& inverseI, const Vec3d& L, double h, Vec3d& middle,
                   Vec3d& w) {
  const double tolerance = 4e-16 * norm(L);
  middle = L;
  for (int i = 0; i < most_iterations; ++i) {
    w = mul(inverseI, middle);
    const Vec3d F = middle - L - cross(middle, w) * (h / 2);
    if (norm(F) <= tolerance) return true;
    const auto column = [&](const Vec3d& e) {
      return e - (cross(e, w) + cross(middle, mul(inverseI, e))) * (h / 2);
    };
    const Vec3d a = column({1, 0, 0}), b = column({0, 1, 0}), c = column({0, 0, 1});
    const Vec3d bc = cross(b, c);
    const double k = 1 / dot(a, bc);
    const Vec3d change = Vec3d{dot(F, bc), dot(a, cross(F, c)), dot(a, cross(b, F))} * k;
    middle = middle - change;
    if (norm(change) <= tolerance) {
      w = mul(inverseI, middle);
      return true;
    }
  }
  return false;
}

/// One sub-step. One that cannot be solved is left out: the body is then late, at the right energy and
/// angular momentum.
void step(const Sym3<double>& inverseI, double h, FreeRotation& now) {
  Vec3d middle, w;
  if (!solveMidpoint(inverseI, now.L, h, middle, w)) return;
  const Vec3d half = w * (h / 2);
  now.turn = normalized(now.turn * normalized(Quat<double>{1, half.x, half.y, half.z}));
  now.L = middle + middle - now.L;
}

}  // namespace

FreeRotation rotateFreely(const Sym3<double>& inverseI, const FreeRotation& start, double time) {
  FreeRotation now = start;
  const double speed = norm(mul(inverseI, start.L));
  const double count = std::clamp(std::ceil(speed * time / most_turn), 1.0, most_steps);
  const double root = std::cbrt(2.0), outer = 1 / (2 - root), inner = -root * outer;
  const double h = time / count;
  for (int i = 0; i < static_cast<int>(count); ++i)
    for (const double share : {outer, inner, outer}) step(inverseI, share * h, now);
  return now;
}

}  // namespace espalier
