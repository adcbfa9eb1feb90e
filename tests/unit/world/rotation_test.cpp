// Rotations in RaiSim's names, against Eigen.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "espalier/robot/math.h"

namespace espalier {
namespace {

TEST(Rotations, AreFiniteOrthonormalAndRightHanded) {
  const Eigen::Matrix3d R =
      Eigen::AngleAxisd(2.1, Eigen::Vector3d(1, -2, 0.5).normalized()).toRotationMatrix();
  EXPECT_TRUE(isRotation(R));
  EXPECT_TRUE(isRotation(R * (1 + 1e-8)));
  EXPECT_FALSE(isRotation(R * 1.001));
  EXPECT_FALSE(isRotation(-R)) << "a reflection";
  EXPECT_FALSE(isRotation(Eigen::Matrix3d::Zero()));
  Eigen::Matrix3d sheared = R;
  sheared(0, 1) += 1e-3;
  EXPECT_FALSE(isRotation(sheared));
  Eigen::Matrix3d broken = R;
  broken(2, 2) = std::nan("");
  EXPECT_FALSE(isRotation(broken));
}

TEST(Rotations, QuaternionsAndMatricesAreEigens) {
  for (const double angle : {0.0, 0.3, 2.0, 3.1}) {
    const Eigen::Quaterniond q(Eigen::AngleAxisd(angle, Eigen::Vector3d(0.2, 1, -3).normalized()));
    Mat<3, 3> R;
    quatToRotMat(Vec<4>(q.w(), q.x(), q.y(), q.z()), R);
    EXPECT_LE((R - q.toRotationMatrix()).norm(), 1e-14) << angle;
    Vec<4> back;
    rotMatToQuat(R, back);
    EXPECT_NEAR(std::abs(back.dot(Vec<4>(q.w(), q.x(), q.y(), q.z()))), 1, 1e-14) << angle;
  }
}

}  // namespace
}  // namespace espalier
