#include "bench/engine/scenes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace bench {
namespace {

double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vec3 operator-(const Vec3& a, const Vec3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// A solid where it is now: its axes as unit vectors of the world.
struct Placed {
  const Solid* solid;
  Vec3 p;
  std::array<Vec3, 3> axis;

  bool isBall() const { return solid->kind == Solid::Kind::Ball; }
  double half(int i) const { return 0.5 * solid->size[i]; }
  /// Half of its extent along a unit vector.
  double reach(const Vec3& n) const {
    if (isBall()) return solid->size[0];
    return half(0) * std::abs(dot(axis[0], n)) + half(1) * std::abs(dot(axis[1], n)) +
           half(2) * std::abs(dot(axis[2], n));
  }
  double radius() const {
    return isBall() ? solid->size[0] : std::hypot(half(0), half(1), half(2));
  }
};

Placed place(const Engine& engine, const Solid& solid, int index) {
  const auto [w, x, y, z] = engine.orientation(index);
  return {&solid,
          engine.position(index),
          {{{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
            {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
            {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}}}};
}

double depthOfBalls(const Placed& a, const Placed& b) {
  const Vec3 d = a.p - b.p;
  return a.radius() + b.radius() - std::sqrt(dot(d, d));
}

double depthOfBallInBox(const Placed& ball, const Placed& box) {
  const Vec3 d = ball.p - box.p;
  double outside = 0, inside = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 3; ++i) {
    const double beyond = std::abs(dot(d, box.axis[i])) - box.half(i);
    if (beyond > 0) outside += beyond * beyond;
    inside = std::min(inside, -beyond);
  }
  return ball.radius() + (outside > 0 ? -std::sqrt(outside) : inside);
}

/// The least overlap over the fifteen axes that can separate two boxes.
double depthOfBoxes(const Placed& a, const Placed& b) {
  const Vec3 d = a.p - b.p;
  double depth = std::numeric_limits<double>::infinity();
  const auto along = [&](Vec3 n) {
    const double length = std::sqrt(dot(n, n));
    if (length < 1e-6) return;  // parallel edges: the faces' axes tell
    for (double& x : n) x /= length;
    depth = std::min(depth, a.reach(n) + b.reach(n) - std::abs(dot(d, n)));
  };
  for (const Vec3& n : a.axis) along(n);
  for (const Vec3& n : b.axis) along(n);
  for (const Vec3& m : a.axis)
    for (const Vec3& n : b.axis) along(cross(m, n));
  return depth;
}

double depthOf(const Placed& a, const Placed& b) {
  if (a.isBall() && b.isBall()) return depthOfBalls(a, b);
  if (a.isBall()) return depthOfBallInBox(a, b);
  if (b.isBall()) return depthOfBallInBox(b, a);
  return depthOfBoxes(a, b);
}

std::vector<Placed> placeAll(const Engine& engine, const Scene& scene) {
  std::vector<Placed> placed;
  for (std::size_t i = 0; i < scene.solids.size(); ++i)
    placed.push_back(place(engine, scene.solids[i], static_cast<int>(i)));
  return placed;
}

/// Calls back with the depth of everything that may overlap; negative: it does not.
template <class Use>
void forDepths(const std::vector<Placed>& solids, bool hasGround, Use use) {
  for (std::size_t i = 0; i < solids.size(); ++i) {
    const Placed& a = solids[i];
    const bool aMoves = a.solid->mass > 0;
    if (hasGround && aMoves) use(a.reach({0, 0, 1}) - a.p[2]);
    for (std::size_t j = 0; j < i; ++j) {
      const Placed& b = solids[j];
      const Vec3 d = a.p - b.p;
      const double near = a.radius() + b.radius();
      if ((aMoves || b.solid->mass > 0) && dot(d, d) < near * near) use(depthOf(a, b));
    }
  }
}

}  // namespace

Solid ball(double radius, double mass, const Vec3& position, const Vec3& velocity) {
  return {Solid::Kind::Ball, {radius, 0, 0}, mass, position, velocity, "ball"};
}

Solid box(const Vec3& size, double mass, const Vec3& position) {
  return {Solid::Kind::Box, size, mass, position, {}, "box"};
}

std::vector<Solid> jitteredBalls(int n, double radius, double pitch, double lowest, double jitter,
                                 unsigned seed) {
  std::mt19937_64 random(seed);
  const auto moved = [&](double x) {
    return x + jitter * std::ldexp(static_cast<double>(random() >> 11), -53);
  };
  std::vector<Solid> balls;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        const double x = moved(i * pitch), y = moved(j * pitch), z = moved(k * pitch + lowest);
        balls.push_back(ball(radius, 10, {x, y, z}));
      }
  return balls;
}

double energy(const Engine& engine, const Scene& scene) {
  double sum = 0;
  for (std::size_t i = 0; i < scene.solids.size(); ++i) {
    const Solid& solid = scene.solids[i];
    if (solid.mass == 0) continue;
    const int index = static_cast<int>(i);
    const Vec3 v = engine.velocity(index), w = engine.spin(index);
    sum += solid.mass * (0.5 * dot(v, v) + scene.gravity * engine.position(index)[2]);
    if (solid.kind == Solid::Kind::Ball) {
      sum += 0.2 * solid.mass * solid.size[0] * solid.size[0] * dot(w, w);
      continue;
    }
    const Placed at = place(engine, solid, index);
    for (int k = 0; k < 3; ++k) {
      const double wk = dot(at.axis[k], w);
      const double b = at.half((k + 1) % 3), c = at.half((k + 2) % 3);
      sum += solid.mass / 6 * (b * b + c * c) * wk * wk;
    }
  }
  return sum;
}

double squaredPenetration(const Engine& engine, const Scene& scene) {
  double sum = 0;
  forDepths(placeAll(engine, scene), scene.hasGround,
            [&](double depth) { sum += depth > 0 ? depth * depth : 0; });
  return sum;
}

double deepestPenetration(const Engine& engine, const Scene& scene) {
  double deepest = 0;
  forDepths(placeAll(engine, scene), scene.hasGround,
            [&](double depth) { deepest = std::max(deepest, depth); });
  return deepest;
}

}  // namespace bench
