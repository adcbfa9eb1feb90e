// What an actuator takes from the defaults of its classes.

#include "espalier/io/mjcf/mjcf_law.h"

#include <gtest/gtest.h>

#include "espalier/io/mjcf/mjcf.h"
#include "remarks.h"

namespace espalier::io {
namespace {

/// What drives the only joint.
ActuatorSpec driven(const std::string& defaults, const std::string& actuator) {
  const auto spec =
      parseMjcfRobot("<mujoco><default>" + defaults +
                         "</default><worldbody><body><joint name=\"j\" range=\"-60 90\"/><geom "
                         "size=\".1\"/></body>"
                         "</worldbody><actuator>" +
                         actuator + "</actuator><keyframe><key ctrl=\"2\"/></keyframe></mujoco>",
                     "<text>", {});
  EXPECT_TRUE(spec) << spec.diagnostics().toString();
  if (!spec || !spec->joints.at(0).actuator) return {};
  return *spec->joints[0].actuator;
}

TEST(MjcfLaw, AShortcutTakesTheNumbersOfItsOwnDefault) {
  const std::string position = "<position kp=\"50\" kv=\"2\" gear=\"3\"/>";
  EXPECT_EQ(driven(position, "<position joint=\"j\"/>").kp, 9 * 50);
  EXPECT_EQ(driven(position, "<position joint=\"j\"/>").kd, 9 * 2);
  // Of another shortcut only what concerns the transmission.
  EXPECT_EQ(driven(position, "<velocity joint=\"j\"/>").kd, 9);
  EXPECT_EQ(driven(position, "<motor joint=\"j\"/>").feedforward, 6);
  EXPECT_EQ(driven(position, "<motor joint=\"j\"/>").kp, 0);
  // <general> takes all.
  EXPECT_EQ(driven(position, "<general joint=\"j\"/>").kp, 9 * 50);
}

TEST(MjcfLaw, AndTheRawNumbersOfGeneral) {
  const std::string general = "<general gainprm=\"7\" biastype=\"affine\" biasprm=\"0 -7 -3\"/>";
  EXPECT_EQ(driven(general, "<position joint=\"j\"/>").kp, 7);
  EXPECT_EQ(driven(general, "<position joint=\"j\"/>").kd, 3);
  EXPECT_EQ(driven(general, "<velocity joint=\"j\"/>").kd, 7);
  EXPECT_EQ(driven(general, "<damper joint=\"j\" kv=\"4\" ctrlrange=\"0 5\"/>").kd, 8);
  EXPECT_EQ(driven(general, "<motor joint=\"j\"/>").feedforward, 2);
}

TEST(MjcfLaw, TheNearestClassThatCanPassOnCounts) {
  const std::string classes =
      "<position kp=\"50\"/><default class=\"k\"><velocity kv=\"5\"/><default class=\"l\">"
      "<position kv=\"3\"/></default></default>";
  EXPECT_EQ(driven(classes, "<position joint=\"j\" class=\"k\"/>").kp, 50);
  EXPECT_EQ(driven(classes, "<position joint=\"j\" class=\"k\"/>").kd, 0);
  EXPECT_EQ(driven(classes, "<position joint=\"j\" class=\"l\"/>").kp, 50);
  EXPECT_EQ(driven(classes, "<position joint=\"j\" class=\"l\"/>").kd, 3);
  EXPECT_EQ(driven(classes, "<velocity joint=\"j\" class=\"l\"/>").kd, 5);
}

TEST(MjcfLaw, OfARangeAndAnInheritedOneTheLastCounts) {
  const auto target = [](const std::string& defaults, const std::string& own) {
    const std::string actuator = "<position joint=\"j\" kp=\"1\" " + own + "/>";
    return driven(defaults, actuator).target;
  };
  const double end = 75 * 0.017453292519943295;
  const double middle = 15 * 0.017453292519943295;
  EXPECT_NEAR(target("", "inheritrange=\".2\""), middle + 0.2 * end, 1e-15);
  EXPECT_EQ(target("<position inheritrange=\".2\"/>", "ctrlrange=\"-1 1\""), 1);
  EXPECT_NEAR(target("<position ctrlrange=\"-1 1\"/>", "inheritrange=\".2\""), middle + 0.2 * end,
              1e-15);
}

TEST(MjcfLaw, IsAffineWhereItsTypesAre) {
  MjcfLaw law;
  EXPECT_TRUE(law.isAffine());
  EXPECT_FALSE(law.isServo());
  law.bias = {0, -1, -2};
  EXPECT_TRUE(law.isServo());
  law.dynamics = "filter";
  EXPECT_TRUE(law.isAffine());
  law.dynamics = "user";
  EXPECT_FALSE(law.isAffine());
  law = {};
  law.gainType = "muscle";
  EXPECT_FALSE(law.isAffine());
}

}  // namespace
}  // namespace espalier::io
