// Colours that are there but say nothing.

#include <gtest/gtest.h>

#include "espalier/io/urdf/urdf.h"
#include "remarks.h"
#include "reproduction.h"

namespace espalier::io {
namespace {

TEST(EmptyColours, AreAWarningInUrdf) {
  for (const char* colour : {R"(<color rgba=""/>)", R"(<color rgba=" "/>)", "<color/>"}) {
    SCOPED_TRACE(colour);
    const auto spec = parseUrdf(std::string(R"(<robot name="r"><link name="a"><visual>
<geometry><sphere radius="1"/></geometry><material name="m">)") +
                                colour + "</material></visual></link></robot>");
    ASSERT_TRUE(spec) << spec.diagnostics().toString();
    EXPECT_EQ(spec->links[0].visuals[0].rgba, VisualSpec().rgba);
    expectRemark(spec.diagnostics(), Severity::Warning, 2, "<color> without rgba");
    EXPECT_EQ(countRemarks(spec.diagnostics(), Severity::Warning, "<color>"), 1);
  }
  EXPECT_FALSE(parseUrdf(R"(<robot name="r"><material name="m"><color rgba="1 2"/></material>
<link name="a"/></robot>)"));
}

TEST(EmptyColours, AreAWarningInMjcf) {
  const auto spec = loadRobot(R"(<mujoco><asset><material name="m" rgba=""/></asset>
<worldbody><body><joint/><geom size=".1" rgba=""/><geom size=".1" material="m"/></body></worldbody>
</mujoco>)");
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  expectRemark(spec.diagnostics(), Severity::Warning, 1, "<material rgba> is empty");
  EXPECT_FALSE(loadRobot(R"(<mujoco><worldbody><body><joint/><geom size=".1" rgba="1 x"/></body>
</worldbody></mujoco>)"));
  if (const auto path = reproduction("rgba.xml")) {
    const auto given = loadRobot(*path);
    EXPECT_TRUE(given) << given.diagnostics().toString();
  }
}

TEST(EmptyColours, AreAWarningInSdf) {
  const auto spec = loadRobot(R"(<sdf version="1.7"><model name="m"><link name="a"><visual name="v">
<geometry><sphere><radius>1</radius></sphere></geometry>
<material><diffuse></diffuse><ambient>0 1 0 1</ambient></material></visual></link></model></sdf>)");
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  expectRemark(spec.diagnostics(), Severity::Warning, 3, "<diffuse> is empty");
  EXPECT_EQ(spec->links[0].visuals[0].rgba[1], 1.0);
}

}  // namespace
}  // namespace espalier::io
