// <constraint>: formulas as written, as mistaken, and written again.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "espalier/compat/grbda/cluster_spec.h"
#include "espalier/io/text/formula.h"
#include "espalier/model/model.h"
#include "espalier/model/spec/play.h"
#include "urdf_text.h"

namespace espalier::io {
namespace {

/// Three links on the world; the line after the first of the body is 7.
std::string robot(const std::string& body) {
  return R"(<robot name="r"><link name="world"/><link name="a"/><link name="b"/><link name="c"/>
<joint name="ja" type="continuous"><parent link="world"/><child link="a"/></joint>
<joint name="jb" type="continuous"><parent link="a"/><child link="b"/></joint>
<joint name="jc" type="universal"><parent link="world"/><child link="c"/><axis xyz="1 0 0"/>
  <axis2 xyz="0 1 0"/></joint>
)" + body +
         "</robot>";
}

SystemSpec read(const std::string& body) { return readUrdf(robot(body)); }

void expectError(const std::string& body, int line, const std::string& part) {
  EXPECT_EQ(expectUrdfError(robot(body), line, part).all().size(), 1u) << body;
}

std::vector<double> valuesOf(const Tape& tape, const std::vector<double>& q) {
  std::vector<double> values(tape.values()), phi(tape.rows());
  playValues(tape, q.data(), values.data(), phi.data());
  return phi;
}

const std::string own = R"xml(
<constraint name="tie">
  <joint name="jb" as="x"/>
  <joint name="jc" as="u v"/>
  <joint name="ja"/>
  <let name="s" value="sin(x) * 0.25 - -2"/>
  <let name="unused" value="cos(1.5)"/>
  <phi value="s^2 + u / 4 - fma(u, v, 1e-1) * pi"/>
  <phi value="-ja^3 + 2*(x - v) - sqrt(1 + tan(u)^2)"/>
</constraint>)xml";

TEST(UrdfConstraint, AgreesWithItsFormulas) {
  const SystemSpec spec = read(own);
  ASSERT_EQ(spec.constraints.size(), 1u);
  const ConstraintSpec& c = spec.constraints[0];
  EXPECT_EQ(c.name, "tie");
  EXPECT_EQ(c.line, 7);
  EXPECT_EQ(c.joints, (std::vector<std::string>{"jb", "jc", "ja"}));
  const double x = 0.3, u = -0.7, v = 1.1, ja = 0.9, s = std::sin(x) * 0.25 + 2;
  const std::vector<double> phi = valuesOf(c.phi, {x, u, v, ja});
  ASSERT_EQ(phi.size(), 2u);
  EXPECT_NEAR(phi[0], s * s + u / 4 - (u * v + 0.1) * std::numbers::pi, 1e-15);
  EXPECT_NEAR(phi[1], -ja * ja * ja + 2 * (x - v) - std::sqrt(1 + std::pow(std::tan(u), 2)), 1e-15);
}

TEST(UrdfConstraint, IsWrittenAndReadAgain) {
  expectSameAgain(read(own));
  // Tapes from C++, with whatever constants.
  using Kind = ClusterJoint::TelloDifferential::Kind;
  for (const Kind kind : {Kind::HIP, Kind::KNEE_ANKLE}) {
    SystemSpec spec;
    spec.name = "tello";
    spec.links.resize(1);
    spec.links[0].name = "world";
    std::vector<LinkSpec> links(4);
    for (std::size_t i = 0; i < 4; ++i) links[i].name = "l" + std::to_string(i);
    appendCluster(spec, "rods", "world", ClusterJoint::TelloDifferential(kind, {}), links);
    expectSameAgain(spec);
  }
}

TEST(UrdfConstraint, KnowsAngles) {
  const SystemSpec spec = read(R"xml(
<constraint name="tie"><joint name="ja"/><joint name="jb"/>
  <phi value="atan2(ja, jb + 2) + asin(jb) - acos(ja) * atan(ja)"/></constraint>)xml");
  ASSERT_EQ(spec.constraints.size(), 1u);
  const double a = 0.3, b = -0.6;
  EXPECT_NEAR(valuesOf(spec.constraints[0].phi, {a, b})[0],
              std::atan2(a, b + 2) + std::asin(b) - std::acos(a) * std::atan(a), 1e-15);
  expectSameAgain(spec);
}

TEST(UrdfConstraint, PlainSumsAreCouplings) {
  const SystemSpec spec = read(R"xml(
<constraint name="belt"><joint name="ja"/><joint name="jb"/><joint name="jc" as="u v"/>
  <phi value="3 * (ja + 2 * jb) / 4 - u + 0.5"/></constraint>)xml");
  SystemSpec heavy = spec;
  for (LinkSpec& link : heavy.links)
    link.inertial = InertialSpec{1, identityTransform<double>(), {1, 0, 0, 1, 0, 1}};
  const auto model = compile(heavy);
  ASSERT_TRUE(model) << model.diagnostics().toString();
  ASSERT_EQ(model->mechanism.couplings.size(), 1u);
  const Coupling& belt = model->mechanism.couplings[0];
  EXPECT_FALSE(belt.phi);
  ASSERT_EQ(belt.terms.size(), 3u);
  EXPECT_EQ(belt.terms[0].factor, 0.75);
  EXPECT_EQ(belt.terms[1].factor, 1.5);
  EXPECT_EQ(belt.terms[2].factor, -1);
  EXPECT_EQ(belt.offset, -0.5);
}

std::string withPhi(const std::string& formula) {
  return "\n<constraint name=\"c\"><joint name=\"ja\" as=\"x\"/><joint name=\"jb\" as=\"y\"/>\n"
         "<phi value=\"" +
         formula + "\"/></constraint>";
}

TEST(UrdfConstraint, MistakesAreErrorsWithTheirLine) {
  expectError(withPhi("x + z"), 8, "the name 'z' is not known");
  expectError(withPhi("x + "), 8, "it ends too early");
  expectError(withPhi("atan2(x)"), 8, "'atan2' is a function of 2");
  expectError(withPhi(""), 8, "it ends too early");
  expectError(withPhi("x y"), 8, "'y' is left over");
  expectError(withPhi("(x + y"), 8, "a ')' is missing");
  expectError(withPhi("sin x"), 8, "a '(' is missing after 'sin'");
  expectError(withPhi("sin(x, y)"), 8, "'sin' is a function of 1");
  expectError(withPhi("fma(x, y)"), 8, "'fma' is a function of 3");
  expectError(withPhi("x ^ 2.5"), 8, "a power is a whole number");
  expectError(withPhi("x ^ 12"), 8, "a power is a whole number");
  expectError(withPhi("x ^ y"), 8, "a power is a whole number");
  expectError(withPhi("1.2.3 * x"), 8, "'1.2.3' is no number");
  expectError(withPhi("x # y"), 8, "is left over");
  expectError(withPhi("x + #"), 8, "'#' has no meaning");
  expectError(withPhi(std::string(200, '(') + "x" + std::string(200, ')')), 8, "nested too deeply");
  expectError(withPhi("x + y / (1 - 1)"), 7, "its formulas are no tape");
  expectError("\n<constraint name=\"c\"><joint name=\"ja\"/></constraint>", 7,
              "it has no equation");
  expectError("\n<constraint name=\"c\"><phi value=\"1\"/></constraint>", 7, "it names no joint");
  expectError(
      "\n<constraint name=\"c\"><joint name=\"ja\" as=\"sin\"/><phi value=\"1\"/></constraint>", 7,
      "'sin' cannot be a name in formulas");
  expectError(
      "\n<constraint name=\"c\"><joint name=\"ja\" as=\"2x\"/><phi value=\"1\"/></constraint>", 7,
      "'2x' cannot be a name in formulas");
  expectError(
      "\n<constraint name=\"c\"><joint name=\"ja\"/><joint name=\"jb\" as=\"ja\"/>"
      "<phi value=\"ja\"/></constraint>",
      7, "the name 'ja' is given twice");
  expectError(
      "\n<constraint name=\"c\"><joint name=\"ja\" as=\"x\"/>\n"
      "<let name=\"x\" value=\"1\"/><phi value=\"x\"/></constraint>",
      8, "the name 'x' is given twice");
  // checkSpec's
  expectError(
      "\n<constraint name=\"c\"><joint name=\"jx\" as=\"x\"/><phi value=\"x\"/></constraint>", 7,
      "names the joint 'jx', which does not exist");
  expectError(
      "\n<constraint name=\"c\"><joint name=\"jc\" as=\"x\"/><phi value=\"x\"/></constraint>", 7,
      "is of 1 coordinates, but its joints have 2");
}

TEST(UrdfConstraint, ARowOfSignsIsNoDepth) {
  const SystemSpec spec = read(withPhi(std::string(10001, '-') + "x + y"));
  EXPECT_EQ(valuesOf(spec.constraints[0].phi, {2, 5})[0], 3);
}

}  // namespace
}  // namespace espalier::io
