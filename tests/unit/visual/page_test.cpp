#include "espalier/visual/page.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace espalier {
namespace {

const std::string page =
    "<html><script id=\"espalier-config\" type=\"application/json\">{}</script>"
    "<script type=\"text/plain\" id=\"espalier-recording\"></script></html>";

std::span<const std::byte> bytesOf(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

TEST(Page, PlacesAreFilled) {
  EXPECT_EQ(fillPage(page, R"({"mode": "live"})", {}),
            "<html><script id=\"espalier-config\" type=\"application/json\">{\"mode\": \"live\"}"
            "</script><script type=\"text/plain\" id=\"espalier-recording\"></script></html>");
}

// RFC 4648, section 10.
TEST(Page, RecordingsAreBase64) {
  const char* const pairs[][2] = {
      {"f", "Zg=="},         {"fo", "Zm8="},         {"foo", "Zm9v"},         {"foob", "Zm9vYg=="},
      {"fooba", "Zm9vYmE="}, {"foobar", "Zm9vYmFy"}, {"\xff\xfe\xfb", "//77"}};
  for (const auto& [bytes, text] : pairs)
    EXPECT_NE(fillPage(page, "{}", bytesOf(bytes)).find(">" + std::string(text) + "</script>"),
              std::string::npos)
        << text;
}

TEST(Page, NothingInTheConfigurationEndsTheScript) {
  const std::string filled = fillPage(page, R"({"source": "</script><b>"})", {});
  EXPECT_EQ(filled.find("<b>"), std::string::npos);
  EXPECT_NE(filled.find(R"({"source": "\u003c/script>\u003cb>"})"), std::string::npos);
}

TEST(Page, AMissingPlaceIsAnError) {
  EXPECT_THROW(fillPage("<html></html>", "{}", {}), std::runtime_error);
}

TEST(Page, IsPartOfTheLibraryOrSaysThatItIsNot) {
  EXPECT_EQ(pageGzip().empty(), pageHtml().empty());
  if (pageGzip().empty()) {
    EXPECT_THROW(filledPage("{}"), std::runtime_error);
    GTEST_SKIP() << "built with -DESPALIER_VIEWER=OFF";
  }
  EXPECT_LT(pageGzip().size(), 1u << 20);
  const std::string filled = filledPage(R"({"mode":"file"})", bytesOf("foo"));
  EXPECT_NE(filled.find(R"({"mode":"file"})"), std::string::npos);
  EXPECT_NE(filled.find(">Zm9v</script>"), std::string::npos);
  EXPECT_EQ(filled.size(), pageHtml().size() + 15 + 4 - 2);
}

}  // namespace
}  // namespace espalier
