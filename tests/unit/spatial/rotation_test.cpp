#include "espalier/spatial/rotation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "espalier/scalar/instantiate.h"
#include "tests/support/compare.h"
#include "tests/support/random_tree.h"

namespace espalier::testing {
namespace {

constexpr double pi = std::numbers::pi;

double turn(const Mat3d& a, const Mat3d& b) { return relativeDifference(a, b); }
std::vector<double> numbers(const Quat<double>& q) { return {q.w, q.x, q.y, q.z}; }
Mat3d about(const Vec3d& axis, double angle) {
  return axisRotation(axis, std::sin(angle), std::cos(angle));
}

TEST(Rotation, AboutAnAxisTurnsRightHanded) {
  const Vec3d x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
  EXPECT_LT(relativeDifference(mul(about(z, pi / 2), x), y), 1e-15);
  EXPECT_LT(relativeDifference(mul(about(x, pi / 2), y), z), 1e-15);
  EXPECT_LT(relativeDifference(mul(about(y, pi / 2), z), x), 1e-15);
}

TEST(Rotation, QuaternionAndMatrixAgree) {
  Random random(1);
  for (int n = 0; n < 200; ++n) {
    const Vec3d axis = random.unit();
    const double angle = random.uniform(-pi, pi);
    const Quat<double> q{std::cos(angle / 2), axis.x * std::sin(angle / 2),
                         axis.y * std::sin(angle / 2), axis.z * std::sin(angle / 2)};
    EXPECT_LT(turn(rotation(q), about(axis, angle)), 1e-15);
    EXPECT_LT(relativeDifference(numbers(quaternion(rotation(q))), numbers(q)), 1e-15);
    const Quat<double> other = expQuat(random.vector(2));
    EXPECT_LT(turn(rotation(q * other), mul(rotation(q), rotation(other))), 2e-15);
    EXPECT_LT(turn(rotation(conjugate(q)), transpose(rotation(q))), 1e-15);
  }
}

TEST(Rotation, QuaternionOfHalfTurns) {
  // Every branch of Shepperd's choice, at the angle where the others lose all their digits.
  for (const Vec3d axis :
       {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}, Vec3d{0.6, 0.8, 0}, Vec3d{0, -0.6, 0.8}}) {
    const Mat3d R = axisRotation(axis, 0.0, -1.0);
    const Quat<double> q = quaternion(R);
    EXPECT_LT(turn(rotation(q), R), 1e-15);
    EXPECT_GE(q.w, 0);
  }
}

TEST(Rotation, ExpAndLogAreInverse) {
  Random random(2);
  for (double angle :
       {0.0, 1e-300, 1e-12, 1e-8, 1e-4, 0.0099, 0.0101, 1e-2, 0.5, 3.0, pi - 1e-9, pi - 1e-14}) {
    for (int n = 0; n < 20; ++n) {
      const Vec3d v = random.unit() * angle;
      const Quat<double> q = expQuat(v);
      EXPECT_NEAR(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1, 1e-15);
      const Vec3d back = logQuat(q);
      EXPECT_LT(norm(back - v), 1e-15 + 4e-15 * angle) << angle;
    }
  }
}

TEST(Rotation, ExpIsTheMatrixExponential) {
  Random random(3);
  for (double angle : {1e-3, 0.0099999, 0.0100001, 0.3, 2.0, 6.0}) {
    const Vec3d axis = random.unit();
    EXPECT_LT(turn(rotation(expQuat(axis * angle)), about(axis, angle)), 2e-15) << angle;
  }
}

TEST(Rotation, LogTakesTheShortWay) {
  const Vec3d v{0, 0, 2 * pi - 0.5};
  EXPECT_LT(relativeDifference(logQuat(expQuat(v)), Vec3d{0, 0, -0.5}), 1e-14);
  // At pi both ways are as short: the one whose axis has a positive first component.
  for (const Vec3d axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}, Vec3d{0.6, 0, -0.8}}) {
    const Vec3d plus = logQuat({0, axis.x, axis.y, axis.z});
    const Vec3d minus = logQuat({0, -axis.x, -axis.y, -axis.z});
    EXPECT_LT(relativeDifference(plus, axis * pi), 1e-15);
    EXPECT_LT(relativeDifference(minus, axis * pi), 1e-15);
  }
}

TEST(Rotation, ExpIsSmoothForDerivatives) {
  // d/dt exp(v + t w) at the origin is w / 2 in the vector part, by Dual.
  using D = Dual<double>;
  const Quat<D> q = expQuat(Vec3<D>{D(0, 1), D(0, -2), D(0, 3)});
  EXPECT_EQ(q.w.v, 1);
  EXPECT_EQ(q.w.d, 0);
  EXPECT_DOUBLE_EQ(q.x.d, 0.5);
  EXPECT_DOUBLE_EQ(q.y.d, -1);
  EXPECT_DOUBLE_EQ(q.z.d, 1.5);
}

TEST(Rotation, ExpLanesEqualScalar) {
  Random random(4);
  for (int n = 0; n < 100; ++n) {
    Vec3<DoubleLanes> v{};
    Vec3d alone[lanes_v<DoubleLanes>];
    for (int i = 0; i < lanes_v<DoubleLanes>; ++i) {
      alone[i] = random.vector(i % 2 == 0 ? 3 : 0.006);  // both sides of the series' bound
      setLane(v.x, i, alone[i].x), setLane(v.y, i, alone[i].y), setLane(v.z, i, alone[i].z);
    }
    const Quat<DoubleLanes> q = expQuat(v);
    for (int i = 0; i < lanes_v<DoubleLanes>; ++i) {
      const Quat<double> e = expQuat(alone[i]);
      EXPECT_EQ(lane(q.w, i), e.w);
      EXPECT_EQ(lane(q.x, i), e.x);
      EXPECT_EQ(lane(q.y, i), e.y);
      EXPECT_EQ(lane(q.z, i), e.z);
    }
  }
}

TEST(Rotation, RollPitchYaw) {
  const Vec3d rpy{0.3, -0.5, 1.1};
  const Mat3d expected =
      mul(about({0, 0, 1}, rpy.z), mul(about({0, 1, 0}, rpy.y), about({1, 0, 0}, rpy.x)));
  EXPECT_LT(turn(rotationFromRpy(rpy), expected), 1e-15);
  EXPECT_EQ(turn(rotationFromRpy({0, 0, 0}), identity3<double>()), 0);
}

TEST(Rotation, ToZ) {
  Random random(5);
  EXPECT_EQ(turn(rotationToZ({0, 0, 1}), identity3<double>()), 0);
  std::vector<Vec3d> axes{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, -1}};
  for (int n = 0; n < 50; ++n) axes.push_back(random.unit());
  for (const Vec3d& axis : axes) {
    const Mat3d R = rotationToZ(axis);
    EXPECT_LT(relativeDifference(mul(R, Vec3d{0, 0, 1}), axis), 1e-15);
    EXPECT_LT(turn(mul(R, transpose(R)), identity3<double>()), 1e-15);
    EXPECT_NEAR(dot(R.r0, cross(R.r1, R.r2)), 1, 1e-15);
  }
}

}  // namespace
}  // namespace espalier::testing
