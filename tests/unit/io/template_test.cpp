#include "espalier/io/text/template.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "espalier/io/text/numbers.h"
#include "espalier/io/urdf/urdf.h"
#include "remarks.h"
#include "reproduction.h"

namespace espalier::io {
namespace {

using Parameters = std::map<std::string, std::string>;

std::string expand(const std::string& text, const Parameters& parameters = {}) {
  const auto result = expandTemplate(text, parameters);
  EXPECT_TRUE(result) << result.diagnostics().toString();
  return result ? result->text : "";
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

// ---- arrays

/// Without line breaks.
std::string flat(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), '\n'), text.end());
  return text;
}

TEST(Template, ArraysRepeatTheirContent) {
  EXPECT_EQ(flat(expand("<r><array idx=\"@@i\" start=\"0\" end=\"4\" increment=\"2\">"
                        "<a n=\"@@i\" x=\"{2*i + @@i}\"/></array><b/></r>")),
            "<r><a n=\"0\" x=\"0\"/><a n=\"2\" x=\"6\"/><a n=\"4\" x=\"12\"/><b/></r>");
}

TEST(Template, ArraysStandInArrays) {
  EXPECT_EQ(flat(expand("<array idx='i' start='1' end='2'><array idx='j' start='@@i' end='{n}'>"
                        "<a v='@@i@@j'/></array></array>",
                        {{"n", "3"}})),
            "<a v='11'/><a v='12'/><a v='13'/><a v='22'/><a v='23'/>");
}

TEST(Template, ArraysInCommentsAndOtherTagsAreNone) {
  const std::string text = "<!-- <array> --><arrays a='{1}'/><![CDATA[<array>]]>";
  EXPECT_EQ(expand(text), "<!-- <array> --><arrays a='1'/><![CDATA[<array>]]>");
  EXPECT_EQ(flat(expand("<array idx='i' start='1' end='2'><!-- </array> <array> --><a/></array>")),
            "<!-- </array> <array> --><a/><!-- </array> <array> --><a/>");
}

TEST(Template, AnEmptyArrayIsNoted) {
  const auto result = expandTemplate("<r>\n<array idx='i' start='0' end='-1'><a/></array></r>");
  ASSERT_TRUE(result) << result.diagnostics().toString();
  EXPECT_EQ(flat(result->text), "<r></r>");
  expectRemark(result.diagnostics(), Severity::Note, 2, "repeats nothing");
}

TEST(Template, EveryCopyKnowsItsLines) {
  const auto result =
      expandTemplate("<r>\n<array idx='i' start='0' end='1'>\n<a/>\n<b/>\n</array>\n<c/></r>");
  ASSERT_TRUE(result);
  std::vector<std::string> lines(1);
  for (const char c : result->text) {
    if (c == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += c;
    }
  }
  ASSERT_EQ(lines.size(), result->lines.size());
  int a = 0, b = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const int expected = lines[i] == "<a/>" ? 3 : lines[i] == "<b/>" ? 4 : 0;
    if (expected != 0) {
      EXPECT_EQ(result->lines[i], expected);
    }
    a += lines[i] == "<a/>";
    b += lines[i] == "<b/>";
  }
  EXPECT_EQ(a, 2);
  EXPECT_EQ(b, 2);
  EXPECT_EQ(lines.back(), "<c/></r>");
  EXPECT_EQ(result->lines.back(), 6);
}

TEST(Template, BadArraysAreErrorsWithTheirLines) {
  const auto bad = [](const std::string& attributes) {
    return expandTemplate("<r>\n<array " + attributes + ">\n<a v='@@i'/></array></r>")
        .diagnostics();
  };
  expectRemark(bad("start='0' end='1'"), Severity::Error, 2, "names no index");
  expectRemark(bad("idx='i' end='1'"), Severity::Error, 2, "start is ''");
  expectRemark(bad("idx='i' start='0' end='1.5'"), Severity::Error, 2, "end is '1.5'");
  expectRemark(bad("idx='i' start='0' end='@@n'"), Severity::Error, 2, "'n' is not set");
  expectRemark(bad("idx='i' start='0' end='1' increment='0'"), Severity::Error, 2,
               "increment is 0");
  expectRemark(bad("idx='k' start='0' end='3'"), Severity::Error, 3, "'i' is not set");
  EXPECT_EQ(bad("idx='k' start='0' end='3'").all().size(), 1u) << "said once for all copies";
  expectRemark(expandTemplate("<r>\n\n<array idx='i' start='0' end='1'><a/>").diagnostics(),
               Severity::Error, 3, "not closed");
}

TEST(Template, HostileArraysComeToAnEnd) {
  const auto nested = [](int depth, const std::string& end) {
    std::string text;
    for (int i = 0; i < depth; ++i) {
      text += "<array idx='i" + std::to_string(i) + "' start='1' end='" + end + "'>";
    }
    for (int i = 0; i < depth; ++i) text += "</array>";
    return text;
  };
  expectRemark(expandTemplate(nested(1, "1000000000")).diagnostics(), Severity::Error, 1,
               "repeats too much");
  expectRemark(expandTemplate(nested(8, "100")).diagnostics(), Severity::Error, 1,
               "repeats too much");
  expectRemark(expandTemplate(nested(40, "1")).diagnostics(), Severity::Error, 1, "deep");
}

TEST(Template, ElementsOfOtherProgramsAreLeftAlone) {
  const std::string_view ignored[] = {"gazebo"};
  const std::string untouched =
      "<gazebo a=\"{x}\"><gazebo b=\"@@y\"/><gazebo><array/></gazebo> {z} </gazebo>";
  ReadingBudget budget;
  const auto text = expandTemplate("<gazebos a=\"{1 + 1}\"/>\n" + untouched + "\n<b c=\"{2}\"/>",
                                   {}, "t", budget, ignored);
  ASSERT_TRUE(text) << text.diagnostics().toString();
  EXPECT_EQ(text->text, "<gazebos a=\"2\"/>\n" + untouched + "\n<b c=\"2\"/>");
  // Elsewhere the same braces are a template.
  EXPECT_FALSE(expandTemplate(untouched));
  // One that is not closed reaches to the end; the XML reader then says so.
  EXPECT_TRUE(expandTemplate("<gazebo><gazebo/> {x}", {}, "t", budget, ignored));
}

TEST(Template, BracesInGazeboTagsOfAUrdf) {
  const auto spec = loadRobot(R"(<robot name="g"><link name="a">
<gazebo reference="{side}"/></link><gazebo><plugin name="{ns}">@@x</plugin></gazebo></robot>)");
  EXPECT_TRUE(spec) << spec.diagnostics().toString();
  if (const auto path = reproduction("braces_in_gazebo.urdf")) {
    const auto given = loadRobot(*path);
    EXPECT_TRUE(given) << given.diagnostics().toString();
  }
}

}  // namespace
}  // namespace espalier::io
