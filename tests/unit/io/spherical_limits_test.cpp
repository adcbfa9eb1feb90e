// Limits of spherical joints in files: what each format says, what it becomes, what is refused.

#include <gtest/gtest.h>

#include <numbers>

#include "espalier/model/spec/spherical_limits.h"
#include "urdf_text.h"

namespace espalier::io {
namespace {

constexpr double deg = std::numbers::pi / 180;

/// The joint begins in line 4, its <limit> stands in line 5.
std::string ball(const std::string& limit, const std::string& axis = "0 1 0",
                 const std::string& type = "spherical") {
  const std::string inertial =
      "<inertial><mass value=\"1\"/><inertia ixx=\".1\" iyy=\".1\" izz=\".1\"/></inertial>";
  return "<robot name=\"r\">\n<link name=\"world\"/>\n<link name=\"body\">" + inertial +
         "</link>\n<joint name=\"j\" type=\"" + type +
         "\"><parent link=\"world\"/><child link=\"body\"/><axis xyz=\"" + axis + "\"/>\n" + limit +
         "</joint>\n</robot>";
}
SphericalLimits limitsOf(const std::string& limit) {
  const SystemSpec spec = readUrdf(ball(limit));
  return spec.joints.empty() ? SphericalLimits() : sphericalLimits(spec.joints[0].limits);
}

TEST(SphericalLimitsInUrdf, UpperIsTheAngle) {
  EXPECT_EQ(limitsOf("<limit lower=\"-0.5\" upper=\"0.5\"/>"), (SphericalLimits{.angle = 0.5}));
  EXPECT_EQ(limitsOf("<limit lower=\"0\" upper=\"0.5\"/>"), (SphericalLimits{.angle = 0.5}));
  EXPECT_EQ(limitsOf("<limit upper=\"0.5\"/>"), (SphericalLimits{.angle = 0.5}));
  EXPECT_TRUE(limitsOf("<limit effort=\"3\"/>").areNone());
  EXPECT_TRUE(limitsOf("<limit lower=\"0\" upper=\"0\"/>").areNone()) << "RaiSim: none";
  EXPECT_TRUE(limitsOf("<limit lower=\"1\" upper=\"1\"/>").areNone()) << "RaiSim: none";
}

TEST(SphericalLimitsInUrdf, SwingAndTwist) {
  EXPECT_EQ(limitsOf("<limit swing=\"0.7\"/>"), (SphericalLimits{.swing = 0.7}));
  EXPECT_EQ(limitsOf("<limit twist_lower=\"-0.2\" twist_upper=\"0.3\" upper=\"1\"/>"),
            (SphericalLimits{.angle = 1, .twistLower = -0.2, .twistUpper = 0.3}));
}

TEST(SphericalLimitsInUrdf, AreWrittenAndReadAgain) {
  for (const char* limit :
       {"<limit swing=\"0.7\"/>", "<limit lower=\"-0.5\" upper=\"0.5\" effort=\"2\"/>",
        "<limit twist_upper=\"0.3\"/>",
        "<limit lower=\"0\" upper=\"2\" swing=\"0.7\" twist_lower=\"-1\" twist_upper=\"-0.5\"/>"})
    expectSameAgain(readUrdf(ball(limit)));
}

TEST(SphericalLimitsInUrdf, ImpossibleOnesAreErrors) {
  expectUrdfError(ball("<limit lower=\"-1\" upper=\"0.5\"/>"), 4, "limits -1 and 0.5");
  expectUrdfError(ball("<limit lower=\"0.1\" upper=\"0.5\"/>"), 4, "limits 0.1 and 0.5");
  expectUrdfError(ball("<limit lower=\"-2\" upper=\"-1\"/>"), 4, "limits -2 and -1");
  expectUrdfError(ball("<limit lower=\"-0.5\"/>"), 4, "limits -0.5 and 0");
  expectUrdfError(ball("<limit swing=\"-0.1\"/>"), 4, "swing limit of -0.1");
  expectUrdfError(ball("<limit swing=\"0\"/>"), 4, "swing limit of 0");
  expectUrdfError(ball("<limit twist_lower=\"1\" twist_upper=\"0\"/>"), 4, "twist from 1 to 0");
  expectUrdfError(ball("<limit swing=\"1\"/>", "0 0 0"), 4, "no axis");
}

TEST(SphericalLimitsInUrdf, ThoseThatNeverActAreWarnings) {
  const auto warned = [](const std::string& text, int line, const std::string& part) {
    const auto spec = parseUrdf(text);
    ASSERT_TRUE(spec);
    expectRemark(spec.diagnostics(), Severity::Warning, line, part);
  };
  warned(ball("<limit lower=\"0\" upper=\"3.2\"/>"), 4, "beyond pi");
  warned(ball("<limit swing=\"200\"/>"), 4, "beyond pi");
  warned(ball("<limit twist_lower=\"-4\"/>"), 4, "beyond pi");
  warned(ball("<limit lower=\"-1\" upper=\"1\"/>", "0 1 0", "floating"), 4, "floating");
  warned(ball("<limit lower=\"-1\" upper=\"1\" swing=\"1\"/>", "0 1 0", "revolute"), 5, "swing");
}

std::string mujocoBall(const std::string& range, const std::string& angle = "degree") {
  return "<mujoco><compiler angle=\"" + angle +
         "\"/><worldbody><body name=\"b\">\n<joint name=\"j\" type=\"ball\" " + range +
         "/><geom size=\".1\" mass=\"1\"/></body></worldbody></mujoco>";
}

TEST(SphericalLimitsInMjcf, RangeIsTheAngle) {
  const auto limits = [](const std::string& text) {
    const auto spec = loadRobot(text);
    EXPECT_TRUE(spec && spec.diagnostics().all().empty()) << spec.diagnostics().toString();
    return spec ? sphericalLimits(spec->joints.at(0).limits) : SphericalLimits();
  };
  EXPECT_NEAR(limits(mujocoBall("range=\"0 80\"")).angle, 80 * deg, 1e-15);
  EXPECT_EQ(limits(mujocoBall("range=\"0 0.5\"", "radian")), (SphericalLimits{.angle = 0.5}));
  EXPECT_TRUE(limits(mujocoBall("range=\"0 80\" limited=\"false\"")).areNone());
  const auto bad = loadRobot(mujocoBall("range=\"-10 80\""));
  EXPECT_FALSE(bad);
  expectRemark(bad.diagnostics(), Severity::Error, 2, "one angle");
}

TEST(SphericalLimitsInSdf, ABallHasNone) {
  const auto sdfBall = [](const std::string& limit) {
    const std::string inertial =
        "<inertial><mass>1</mass><inertia><ixx>.1</ixx><iyy>.1</iyy><izz>.1</izz></inertia>"
        "</inertial>";
    return loadRobot("<sdf version=\"1.7\"><model name=\"m\"><link name=\"a\">" + inertial +
                     "</link><link name=\"b\">" + inertial +
                     "</link><joint name=\"j\" type=\"ball\"><parent>a</parent><child>b</child>\n"
                     "<axis><xyz>0 0 1</xyz><limit>" +
                     limit + "</limit></axis></joint></model></sdf>");
  };
  const auto limited = sdfBall("<lower>-1</lower><upper>1</upper>");
  ASSERT_TRUE(limited);
  expectRemark(limited.diagnostics(), Severity::Warning, 2, "ball joint does not act");
  EXPECT_TRUE(sphericalLimits(limited->joints.at(0).limits).areNone());
  const auto free = sdfBall("<lower>-1e16</lower><upper>1e16</upper>");
  ASSERT_TRUE(free);
  EXPECT_TRUE(free.diagnostics().all().empty()) << free.diagnostics().toString();
}

}  // namespace
}  // namespace espalier::io
