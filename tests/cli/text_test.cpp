// What the command prints: text that comes from files, columns, JSON, lists on the command line.

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <limits>

#include "apps/cli/json.h"
#include "apps/cli/remarks.h"
#include "apps/cli/robot.h"
#include "apps/cli/table.h"

namespace espalier::cli {
namespace {

Terminal plain() { return {}; }
Terminal coloured() {
  Terminal terminal;
  terminal.isTerminal = terminal.colour = terminal.unicode = true;
  return terminal;
}

TEST(Printable, KeepsTextAndHidesControlCharacters) {
  EXPECT_EQ(printable("hip_1 \xC3\xA4 \xE2\x94\x94"), "hip_1 \xC3\xA4 \xE2\x94\x94");
  EXPECT_EQ(printable("\033[31mred\x07"), "?[31mred?");
  EXPECT_EQ(printable("\xC2\x9B"
                      "31m"),
            "??31m");                        // the one-character CSI
  EXPECT_EQ(printable("a\xFF\xC3"), "a??");  // not UTF-8, cut short
  EXPECT_EQ(printable("\x7F\n"), "??");
}

TEST(DisplayWidth, CountsCodePoints) {
  EXPECT_EQ(displayWidth("abc"), 3);
  EXPECT_EQ(displayWidth("\xE2\x94\x94\xE2\x95\xB4x"), 3);
}

TEST(Table, AlignsAndEndsLinesWithoutSpaces) {
  Table table({{"name"}, {"value", Align::Right}, {"unit"}});
  table.add({"a", "1", "m"});
  table.add({"long name", "12.5"});
  table.add({"", "7", ""});
  EXPECT_EQ(table.draw(plain()),
            "  name       value  unit\n"
            "  a              1  m\n"
            "  long name   12.5\n"
            "                 7\n");
}

TEST(Table, ColourDoesNotMoveColumns) {
  Table table({{""}, {""}});
  table.add({{"a", Ink::Red}, "x"});
  table.add({"bbb", "y"});
  EXPECT_EQ(table.draw(plain(), 0), "a    x\nbbb  y\n");
  EXPECT_EQ(table.draw(coloured(), 0), "\033[1;31ma\033[0m    x\nbbb  y\n");
}

TEST(Remarks, AreCutAndCounted) {
  Diagnostics many;
  for (int i = 0; i < 5; ++i) many.add({Severity::Warning, "f", i + 1, "odd", ""});
  many.add({Severity::Error, "f", 9, "bad", "mend it"});
  EXPECT_EQ(
      draw(plain(), many, 2),
      "f:9: error: bad\n    mend it\nf:1: warning: odd\n... and 4 more; --json has them all\n");
  EXPECT_EQ(countOf(many), "1 error, 5 warnings");
  EXPECT_EQ(countOf({}), "no remarks");
  EXPECT_EQ(merged(many, many).all().size(), 6u);
  EXPECT_EQ(plural(2, "body"), "2 bodies");
  EXPECT_EQ(plural(1, "body"), "1 body");
}

TEST(Json, NumbersComeBackTheSame) {
  const double numbers[] = {0.1, 1.0 / 3, 1e-300, 5e-324, 1.7976931348623157e308, -0.0, 3};
  const Json back = Json::parse(toText(toJson(numbers, 7)));
  for (int i = 0; i < 7; ++i) {
    EXPECT_TRUE(back[i].is_number_float()) << i;
    EXPECT_EQ(back[i].get<double>(), numbers[i]);
  }
}

TEST(Json, LaysOutListsOnOneLineAndKeepsOrder) {
  const double m[] = {1, 2, 3, 4};
  const Json value{{"z", toJson(m, 2, 2)}, {"a", nullptr}, {"empty", Json::array()}};
  EXPECT_EQ(toText(value),
            "{\n \"z\": [\n  [1.0, 2.0],\n  [3.0, 4.0]\n ],\n \"a\": null,\n \"empty\": []\n}\n");
}

TEST(Json, TakesOtherTypesThanNumbersAndTexts) {
  EXPECT_EQ(toText(Json(std::numeric_limits<double>::quiet_NaN())), "null\n");
  EXPECT_EQ(toText(Json(-std::numeric_limits<double>::infinity())), "null\n");
  EXPECT_NO_THROW(Json::parse(toText(Json{{"a\xFF", "b\xC3"}})));
}

TEST(Lists, AreSplitAndRead) {
  EXPECT_EQ(splitList(" a, b ,,c"), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_TRUE(splitList("").empty());
  EXPECT_EQ(parseNumberList("--x", "1,-2.5e1, 3", 3), (std::vector<double>{1, -25, 3}));
  for (const char* bad : {"1,2", "1,2,3,4", "1,2,x", "1,2,nan", "1,2,inf", ""})
    EXPECT_THROW(parseNumberList("--x", bad, 3), CLI::ValidationError) << bad;
}

}  // namespace
}  // namespace espalier::cli
