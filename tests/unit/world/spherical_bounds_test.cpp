// The three angles of a spherical joint, against rotations made of a swing and a twist; their rates
// and accelerations against central differences.

#include "espalier/step/spherical_bounds.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/random_tree.h"

namespace espalier::testing {
namespace {

constexpr double pi = std::numbers::pi;

constexpr double half = pi - 1e-9;  // of a twist's range

/// A joint with every bound, so that boundsAt() gives rotation, swing, and twist twice.
LimitedBall everyBound(const Vec3d& axis) { return {1, 0, 0, axis, {10, 10, -half, half}}; }

struct Angles {
  double rotation, swing, twist;
};

Angles anglesAt(const Vec3d& axis, const Quat<double>& q) {
  std::array<SphericalBound, 4> bounds;
  EXPECT_EQ(boundsAt(everyBound(axis), &q.w, {0, 0, 0}, bounds), 4);
  EXPECT_NEAR(bounds[2].gap + bounds[3].gap, 2 * half, 1e-14);
  return {10 - bounds[0].gap, 10 - bounds[1].gap, half - bounds[3].gap};
}

TEST(SphericalBounds, AnglesOfASwingAfterATwist) {
  Random random(1);
  for (int i = 0; i < 200; ++i) {
    const Vec3d axis = random.unit();
    const Vec3d across = rotationToZ(axis).r0.x != 0 ? columnX(rotationToZ(axis)) : Vec3d{1, 0, 0};
    const Vec3d square = across - axis * dot(across, axis);
    const double swing = random.uniform(0.01, 3.1), twist = random.uniform(-3.1, 3.1);
    const Quat<double> q = expQuat(square * (swing / norm(square))) * expQuat(axis * twist);
    const double sign = i % 2 == 0 ? 1 : -1;  // q and -q are the same rotation
    const Angles found = anglesAt(axis, {sign * q.w, sign * q.x, sign * q.y, sign * q.z});
    EXPECT_NEAR(found.swing, swing, 1e-12);
    EXPECT_NEAR(found.twist, twist, 1e-12);
    EXPECT_NEAR(found.rotation, 2 * std::acos(std::min(1.0, std::abs(q.w))), 1e-7);
  }
}

TEST(SphericalBounds, RatesAndAccelerations) {
  Random random(2);
  const double h = 1e-4;
  for (int i = 0; i < 200; ++i) {
    const Vec3d axis = random.unit(), w = random.vector(2);
    const Quat<double> q = expQuat(random.vector(1.5));
    std::array<SphericalBound, 4> bounds;
    ASSERT_EQ(boundsAt(everyBound(axis), &q.w, w, bounds), 4);
    const auto at = [&](double time) { return anglesAt(axis, expQuat(w * time) * q); };
    const Angles before = at(-h), now = at(0), after = at(h);
    const auto expectBound = [&](const SphericalBound& bound, double Angles::*angle) {
      const double rate = (after.*angle - before.*angle) / (2 * h);
      const double acceleration = (after.*angle - 2 * now.*angle + before.*angle) / (h * h);
      const double size = 1 + norm(w) * norm(w) * 10;
      EXPECT_NEAR(dot(bound.direction, w), rate, 1e-6 * size);
      EXPECT_NEAR(bound.acceleration, acceleration, 1e-4 * size);
    };
    if (now.rotation < 0.1 || now.swing < 0.1) continue;  // third derivatives grow beyond bounds
    expectBound(bounds[0], &Angles::rotation);
    expectBound(bounds[1], &Angles::swing);
    expectBound(bounds[2], &Angles::twist);
  }
}

// Where the direction of an angle is not defined it is that of the motion, and a unit vector.
TEST(SphericalBounds, WhereADirectionIsNotDefined) {
  const Vec3d axis{0, 0, 1}, w{0.3, -0.4, 5};
  std::array<SphericalBound, 4> bounds;
  const auto expectAlong = [&](const Quat<double>& q, std::size_t which, const Vec3d& direction) {
    boundsAt(everyBound(axis), &q.w, w, bounds);
    EXPECT_NEAR(norm(bounds[which].direction - direction), 0, 1e-14);
    boundsAt(everyBound(axis), &q.w, {0, 0, 0}, bounds);
    EXPECT_NEAR(norm(bounds[which].direction), 1, 1e-14);
  };
  expectAlong({1, 0, 0, 0}, 0, w * (1 / norm(w)));
  expectAlong({1, 0, 0, 0}, 1, {0.6, -0.8, 0});
  expectAlong({0, 1, 0, 0}, 1, {-0.6, 0.8, 0});  // a swing of pi can only grow smaller
  const Quat<double> over{0, 1, 0, 0};
  EXPECT_EQ(boundsAt(everyBound(axis), &over.w, w, bounds), 2) << "no twist at a swing of pi";
  EXPECT_NEAR(10 - bounds[1].gap, pi, 1e-15);
}

TEST(SphericalBounds, OnlyFiniteOnes) {
  const Quat<double> q{1, 0, 0, 0};
  std::array<SphericalBound, 4> bounds;
  LimitedBall ball{1, 0, 0, {0, 0, 1}, {}};
  EXPECT_EQ(boundsAt(ball, &q.w, {0, 0, 0}, bounds), 0);
  ball.limits.twistUpper = 0.5;
  ASSERT_EQ(boundsAt(ball, &q.w, {0, 0, 0}, bounds), 2);
  EXPECT_FALSE(bounds[0].isUpper);
  EXPECT_EQ(bounds[0].angle, LimitedAngle::TWIST);
  EXPECT_EQ(bounds[0].gap, pi) << "of one alone the other is -pi";
  EXPECT_TRUE(bounds[1].isUpper);
  EXPECT_EQ(bounds[1].gap, 0.5);
  ball.limits = {.twistLower = -pi, .twistUpper = pi};
  EXPECT_EQ(boundsAt(ball, &q.w, {0, 0, 0}, bounds), 0) << "a whole turn";
}

// Beyond a bound at pi the twist is more than pi, not minus pi.
TEST(SphericalBounds, ATwistIsToldNearItsRange) {
  std::array<SphericalBound, 4> bounds;
  const LimitedBall ball{1, 0, 0, {0, 0, 1}, {.twistLower = 1, .twistUpper = pi}};
  for (const double twist : {pi - 0.1, pi + 0.1, 0.9}) {
    const Quat<double> q = expQuat(Vec3d{0, 0, twist});
    ASSERT_EQ(boundsAt(ball, &q.w, {0, 0, 0}, bounds), 2);
    EXPECT_NEAR(bounds[0].gap, twist - 1, 1e-14);
    EXPECT_NEAR(bounds[1].gap, pi - twist, 1e-14);
  }
}

}  // namespace
}  // namespace espalier::testing
