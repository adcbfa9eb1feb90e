#include "espalier/io/text/numbers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "remarks.h"

namespace espalier::io {
namespace {

TEST(Numbers, ReadTheFormatsOfFiles) {
  EXPECT_EQ(parseNumber("0.5"), 0.5);
  EXPECT_EQ(parseNumber("+.5"), 0.5);
  EXPECT_EQ(parseNumber("-2."), -2.0);
  EXPECT_EQ(parseNumber("1e-3"), 1e-3);
  EXPECT_EQ(parseNumber("2.3617511963093135611e-114"), 2.3617511963093135611e-114);
  EXPECT_EQ(parseNumber("1e-400"), 0.0);
}

TEST(Numbers, RefuseOtherText) {
  for (const char* text : {"", "abc", "1,5", "1.5m", "--1", "+-1", "+", "0x10", "nan", "-nan",
                           "1e999", "-1e999", "inf", " 1", "1 "}) {
    EXPECT_EQ(parseNumber(text), std::nullopt) << text;
  }
}

TEST(Numbers, InfinityOnlyWhereAllowed) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(parseNumber("inf", Infinity::Allowed), infinity);
  EXPECT_EQ(parseNumber("-Infinity", Infinity::Allowed), -infinity);
  EXPECT_EQ(parseNumber("nan", Infinity::Allowed), std::nullopt);
}

TEST(Numbers, ListsNeedTheRightCount) {
  double v[3] = {7, 8, 9};
  EXPECT_FALSE(parseNumbers("1 2", v));
  EXPECT_FALSE(parseNumbers("1 2 3 4", v));
  EXPECT_FALSE(parseNumbers("1 2 x", v));
  EXPECT_FALSE(parseNumbers("", v));
  EXPECT_EQ(v[0], 7);
  EXPECT_TRUE(parseNumbers("  1\t2\n 3 ", v));
  EXPECT_EQ(v[0], 1);
  EXPECT_EQ(v[2], 3);
}

TEST(Numbers, PrintingKeepsEveryBit) {
  for (const double value : {0.1, 1.0 / 3.0, 1e-300, -123456.789, std::nextafter(1.0, 2.0)}) {
    EXPECT_EQ(parseNumber(printNumber(value)), value);
  }
}

TEST(Numbers, DoNotAskTheLocale) {
  const CommaLocale comma;
  EXPECT_EQ(parseNumber("1.5"), 1.5);
  EXPECT_EQ(printNumber(1234.5), "1234.5");
}

}  // namespace
}  // namespace espalier::io
