#include "espalier/io/template.h"

#include <gtest/gtest.h>

#include <cmath>

#include "espalier/io/numbers.h"
#include "remarks.h"

namespace espalier::io {
namespace {

using Parameters = std::map<std::string, std::string>;

std::string expand(const std::string& text, const Parameters& parameters = {}) {
  const auto result = expandTemplate(text, parameters);
  EXPECT_TRUE(result) << result.diagnostics().toString();
  return result ? *result : "";
}

/// The value of <a v="{...}"/>.
double evaluate(const std::string& formula, const Parameters& parameters = {}) {
  const std::string text = expand("<a v=\"{" + formula + "}\"/>", parameters);
  return parseNumber(text.substr(6, text.size() - 9)).value_or(NAN);
}

TEST(Template, TextWithoutTemplatesStaysAsItIs) {
  const std::string text =
      "<?xml version=\"1.0\"?>\n<!-- {a} @ @@b \"-->\n<!DOCTYPE x {y}>\n<robot name='a@b'>{c}"
      "<![CDATA[{d} @@e]]><m f=\"${x}\"/></robot>\n";
  EXPECT_EQ(expand(text), text);
}

TEST(Template, VariablesInAttributesAndText) {
  const Parameters p{{"name", "leg"}, {"i", "3"}, {"ratio", "6"}};
  EXPECT_EQ(expand("<link name=\"@@name/@@i\" a='@@i'><r>@@ratio</r></link>", p),
            "<link name=\"leg/3\" a='3'><r>6</r></link>");
}

TEST(Template, VariablesCannotEndTheirAttribute) {
  EXPECT_EQ(expand("<a v=\"@@x\"/>", {{"x", "\"<&'>"}}), "<a v=\"&quot;&lt;&amp;&apos;&gt;\"/>");
}

TEST(Template, Expressions) {
  EXPECT_EQ(evaluate("1+2*3"), 7);
  EXPECT_EQ(evaluate("2^10"), 1024);
  EXPECT_EQ(evaluate("0.1+0.2"), 0.1 + 0.2);
  EXPECT_EQ(evaluate("pi"), M_PI);
  EXPECT_EQ(evaluate("sin(pi/6)"), std::sin(M_PI / 6));
  EXPECT_EQ(evaluate("cos(1)"), std::cos(1.0));
  EXPECT_EQ(evaluate("exp(2)"), std::exp(2.0));
  EXPECT_EQ(evaluate("log(10)"), std::log(10.0)) << "log is the natural logarithm";
  EXPECT_EQ(evaluate("3 > 2 ? 5 : 6"), 5);
}

TEST(Template, ExpressionsKnowParametersByBothNames) {
  const Parameters p{{"h", "0.5"}, {"neg", "-2"}, {"mesh", "a.stl"}};
  EXPECT_EQ(evaluate("h*2", p), 1);
  EXPECT_EQ(evaluate("@@h*2", p), 1);
  EXPECT_EQ(evaluate("3-@@neg*@@h", p), 4);
}

TEST(Template, ExpressionsDoNotAskTheLocale) {
  const CommaLocale comma;
  EXPECT_EQ(evaluate("1.5*1000"), 1500);
  EXPECT_EQ(evaluate("max(1.25,0.5)"), 1.25);
}

TEST(Template, SeveralInOneAttribute) {
  EXPECT_EQ(expand("<o xyz=\"{1+1} 0 {h}\"/>", {{"h", "0.25"}}), "<o xyz=\"2 0 0.25\"/>");
}

TEST(Template, LinesKeepTheirNumbers) {
  EXPECT_EQ(expand("<a v=\"{1 +\n 2}\"/>"), "<a v=\"3\n\"/>");
  EXPECT_EQ(expand("<a v=\"@@x\"/>", {{"x", "1\n2"}}), "<a v=\"1 2\"/>");
}

TEST(Template, UnsetVariablesAreErrorsWithTheirLines) {
  const auto result = expandTemplate(
      "<robot>\n<a v=\"@@height\"/>\n\n<b v=\"{width * 2}\"/>\n<c v='{@@depth + 1}'/></robot>",
      {{"other", "1"}}, "robot.urdf");
  ASSERT_FALSE(result);
  const Diagnostics& all = result.diagnostics();
  expectRemark(all, Severity::Error, 2, "'height' is not set", "robot.urdf");
  expectRemark(all, Severity::Error, 4, "'width' is not set", "robot.urdf");
  expectRemark(all, Severity::Error, 5, "'depth' is not set", "robot.urdf");
  EXPECT_NE(all.all()[0].remedy.find("other"), std::string::npos) << "it names what is set";
}

TEST(Template, BadExpressionsAreErrorsWithTheirLines) {
  const auto result =
      expandTemplate("<robot a=\"{1+}\"\n b=\"{1/0}\"\n c=\"{log(-1)}\"\n d=\"{\"\n e=\"{}\"/>");
  ASSERT_FALSE(result);
  const Diagnostics& all = result.diagnostics();
  expectRemark(all, Severity::Error, 1, "'1+'");
  expectRemark(all, Severity::Error, 2, "'1/0'");
  expectRemark(all, Severity::Error, 3, "'log(-1)'");
  expectRemark(all, Severity::Error, 4, "not closed");
  expectRemark(all, Severity::Error, 5, "''");
}

TEST(Template, HostileExpressionsComeToAnEnd) {
  const std::string open(100000, '(');
  EXPECT_FALSE(expandTemplate("<a v=\"{" + open + "}\"/>"));
  EXPECT_FALSE(expandTemplate("<a v=\"{" + std::string(4000, '(') + "}\"/>"));
  EXPECT_FALSE(expandTemplate("<a v=\"{" + std::string(4000, '-') + "}\"/>"));
  std::string many = "<a v=\"";
  for (int i = 0; i < 20000; ++i) many += "{x}";
  EXPECT_FALSE(expandTemplate(many + "\"/>"));
}

}  // namespace
}  // namespace espalier::io
