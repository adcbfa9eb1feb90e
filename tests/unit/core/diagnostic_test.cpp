#include "espalier/core/diagnostic.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <type_traits>

#include "espalier/core/check.h"
#include "espalier/core/id.h"

namespace espalier {
namespace {

TEST(Diagnostic, ReadsAsOneLine) {
  EXPECT_EQ(toString({Severity::Error, "robot.urdf", 12, "joint 'a' has no parent", "add one"}),
            "robot.urdf:12: error: joint 'a' has no parent; add one");
  EXPECT_EQ(toString({Severity::Warning, "robot.urdf", 0, "odd", ""}), "robot.urdf: warning: odd");
  EXPECT_EQ(toString({Severity::Note, "", 3, "well", ""}), "note: well");
}

TEST(Diagnostics, CountAndAppend) {
  Diagnostics a, b;
  EXPECT_FALSE(a.hasErrors());
  a.add({Severity::Warning, "", 0, "first", ""});
  b.add({Severity::Error, "", 0, "second", ""});
  b.add({Severity::Warning, "", 0, "third", ""});
  EXPECT_FALSE(a.hasErrors());
  a.append(b);
  EXPECT_TRUE(a.hasErrors());
  EXPECT_EQ(a.count(Severity::Warning), 2);
  EXPECT_EQ(a.count(Severity::Error), 1);
  EXPECT_EQ(a.toString(), "warning: first\nerror: second\nwarning: third\n");
}

TEST(Diagnostics, AppendThemselves) {
  Diagnostics a;
  for (const char* what : {"one remark, too long to be stored within a string", "two", "three"})
    a.add({Severity::Note, "", 0, what, ""});
  a.append(a);
  ASSERT_EQ(a.all().size(), 6u);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(a.all()[i].what, a.all()[i + 3].what);
}

TEST(Expected, HoldsAValueOrOnlyRemarks) {
  const Expected<int> good(3);
  ASSERT_TRUE(good.hasValue());
  EXPECT_EQ(*good, 3);
  EXPECT_TRUE(good.diagnostics().all().empty());

  Diagnostics remarks;
  remarks.add({Severity::Error, "", 0, "no", ""});
  const Expected<int> bad(remarks);
  EXPECT_FALSE(bad);
  EXPECT_EQ(bad.diagnostics().count(Severity::Error), 1);
  EXPECT_THROW((void)bad.value(), std::bad_optional_access);
}

TEST(Check, RequireThrowsWithMessageAndCondition) {
  const int n = 3;
  try {
    ESPALIER_REQUIRE(n > 4, "n is " + std::to_string(n));
    FAIL() << "nothing was thrown";
  } catch (const std::invalid_argument& e) {
    EXPECT_STREQ(e.what(), "n is 3 (required: n > 4)");
  }
  EXPECT_NO_THROW(ESPALIER_REQUIRE(n == 3, ""));
}

TEST(Id, IsTypedAndOrdered) {
  static_assert(!std::is_convertible_v<BodyId, FrameId>);
  static_assert(!std::is_convertible_v<int, BodyId>);
  EXPECT_FALSE(BodyId().isValid());
  EXPECT_TRUE(BodyId(0).isValid());
  EXPECT_LT(BodyId(1), BodyId(2));
  EXPECT_EQ(BodyId(2), BodyId(2));
}

}  // namespace
}  // namespace espalier
