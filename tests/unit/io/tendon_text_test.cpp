// Tendons in URDF, there and back.

#include <gtest/gtest.h>

#include "espalier/io/export/export.h"
#include "espalier/io/spec_difference.h"
#include "espalier/io/urdf/urdf.h"
#include "remarks.h"

namespace espalier::io {
namespace {

std::string robotWith(const std::string& way) {
  return R"(<robot name="r"><link name="a"/><link name="b"><inertial><mass value="1"/>
    <inertia ixx="1" iyy="1" izz="1"/></inertial></link><joint name="j" type="continuous">
    <parent link="a"/><child link="b"/></joint>
    <tendon name="t" upper="2" stiffness="30" rest_lower="0.5"><joint name="j" coefficient="0.1"/>
    <way divisor="2">)" +
         way + "</way></tendon></robot>";
}

constexpr const char* wrapped =
    R"(<point link="world" xyz="1 2 3"/><sphere link="a" radius="0.2"><origin xyz="0.1 0.2 0.3"/>
    </sphere><point link="a" xyz="0 0 1"/><point link="b" xyz="0 1 0"/>
    <cylinder link="b" radius="0.1"><origin xyz="0 0 -1" rpy="1.5707963267948966 0 0"/>
    <side link="a" xyz="0 0 4"/></cylinder><point link="b" xyz="0.5 0 0"/>)";

TEST(TendonText, SurfacesStandBetweenTheirPoints) {
  const auto robot = loadRobot(robotWith(wrapped));
  ASSERT_TRUE(robot) << robot.diagnostics().toString();
  const TendonSpec& tendon = robot->tendons.at(0);
  ASSERT_EQ(tendon.ways.size(), 1u);
  const TendonSpec::Way& way = tendon.ways[0];
  EXPECT_EQ(way.points.size(), 4u);
  EXPECT_EQ(way.divisor, 2);
  ASSERT_EQ(way.wraps.size(), 2u);
  EXPECT_EQ(way.wraps[0].after, 0);
  EXPECT_FALSE(way.wraps[0].surface.isCylinder);
  EXPECT_EQ(way.wraps[0].surface.radius, 0.2);
  EXPECT_EQ(way.wraps[0].X_LS.p.y, 0.2);
  EXPECT_FALSE(way.wraps[0].side);
  EXPECT_EQ(way.wraps[1].after, 2);
  EXPECT_TRUE(way.wraps[1].surface.isCylinder);
  EXPECT_EQ(way.wraps[1].link, "b");
  EXPECT_NEAR(way.wraps[1].X_LS.R.r1.z, -1, 1e-15) << "its z lies along -y";
  EXPECT_EQ(way.wraps[1].side->link, "a");
  EXPECT_EQ(way.wraps[1].side->position.z, 4);
}

TEST(TendonText, WrittenTextReadsBackTheSame) {
  const auto robot = loadRobot(robotWith(wrapped));
  ASSERT_TRUE(robot);
  const auto again = loadRobot(exportUrdf(*robot));
  ASSERT_TRUE(again) << again.diagnostics().toString();
  EXPECT_EQ(difference(*robot, *again, 1e-15), "");
  SystemSpec other = *again;
  other.tendons[0].ways[0].wraps[1].side->position.z += 1;
  EXPECT_EQ(difference(*robot, other, 1e-15), "tendons[0].ways[0].wraps[1].side");
}

TEST(TendonText, ASurfaceNeedsAPointOnBothSides) {
  const std::string point = "<point link=\"a\" xyz=\"0 0 1\"/>",
                    sphere = "<sphere link=\"a\" radius=\"0.1\"/>";
  for (const std::string& way :
       {sphere + point + point, point + point + sphere, point + sphere + sphere + point}) {
    const auto robot = loadRobot(robotWith(way));
    ASSERT_FALSE(robot) << way;
    EXPECT_NE(findRemark(robot.diagnostics(), Severity::Error, "between two points"), nullptr);
  }
  EXPECT_FALSE(loadRobot(robotWith(point + "<sphere link=\"a\" radius=\"-1\"/>" + point)));
}

}  // namespace
}  // namespace espalier::io
