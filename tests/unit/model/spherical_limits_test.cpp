// What the limits of a spherical joint mean, and which are none or impossible.

#include "espalier/model/spec/spherical_limits.h"

#include <gtest/gtest.h>

#include <limits>

namespace espalier {
namespace {

JointLimits bounds(double lower, double upper) { return {.lower = lower, .upper = upper}; }

TEST(SphericalLimitsMeaning, UpperIsTheAngleAndEqualBoundsAreNone) {
  EXPECT_EQ(sphericalLimits(bounds(0, 0.5)).angle, 0.5);
  EXPECT_EQ(sphericalLimits(bounds(-0.5, 0.5)).angle, 0.5);
  EXPECT_TRUE(sphericalLimits(bounds(0, 0)).areNone());
  EXPECT_TRUE(sphericalLimits(bounds(1, 1)).areNone());
  EXPECT_TRUE(sphericalLimits(JointLimits()).areNone());
  JointLimits cone;
  cone.swing = 0.3;
  EXPECT_FALSE(sphericalLimits(cone).areNone());
}

TEST(SphericalLimitsMeaning, SwingAndTwistSpeakOfTheAxis) {
  EXPECT_FALSE(SphericalLimits{.angle = 1}.useAxis());
  EXPECT_TRUE(SphericalLimits{.swing = 1}.useAxis());
  EXPECT_TRUE(SphericalLimits{.twistLower = -1}.useAxis());
  EXPECT_TRUE(SphericalLimits{.twistUpper = 1}.useAxis());
}

TEST(SphericalLimitsMeaning, Faults) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(faultOf({}), "");
  EXPECT_EQ(faultOf({.angle = 1, .swing = 2, .twistLower = 0.5, .twistUpper = 0.5}), "");
  for (const SphericalLimits& limits :
       {SphericalLimits{.angle = 0}, SphericalLimits{.angle = -1}, SphericalLimits{.angle = nan},
        SphericalLimits{.swing = 0}, SphericalLimits{.swing = nan},
        SphericalLimits{.twistLower = 1, .twistUpper = 0.9}, SphericalLimits{.twistLower = nan}})
    EXPECT_NE(faultOf(limits), "");
  EXPECT_EQ(faultOfSpherical(bounds(0, 0.5)), "");
  EXPECT_EQ(faultOfSpherical(bounds(-0.5, 0.5)), "");
  EXPECT_EQ(faultOfSpherical(bounds(1, 1)), "");
  EXPECT_EQ(faultOfSpherical(bounds(-unlimited, 0.5)), "");
  EXPECT_NE(faultOfSpherical(bounds(-1, 0.5)), "");
  EXPECT_NE(faultOfSpherical(bounds(-1, -0.5)), "");
  EXPECT_NE(faultOfSpherical(bounds(-1, unlimited)), "");
}

TEST(SphericalLimitsMeaning, NoAngleIsBeyondPi) {
  EXPECT_FALSE(isOutOfReach({}));
  EXPECT_FALSE(isOutOfReach({.angle = 3.14, .swing = 3.14, .twistLower = -3.14}));
  EXPECT_TRUE(isOutOfReach({.angle = 3.15}));
  EXPECT_TRUE(isOutOfReach({.swing = 90}));
  EXPECT_TRUE(isOutOfReach({.twistLower = -3.15}));
  EXPECT_TRUE(isOutOfReach({.twistUpper = 3.15}));
}

}  // namespace
}  // namespace espalier
