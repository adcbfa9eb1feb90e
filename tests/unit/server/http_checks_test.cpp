#include "espalier/server/http_checks.h"

#include <gtest/gtest.h>

#include <set>

namespace espalier {
namespace {

TEST(HttpChecks, LoopbackIsOneMachine) {
  for (const char* host : {"localhost", "LocalHost", "127.0.0.1", "127.9.8.7", "::1"})
    EXPECT_TRUE(isLoopback(host)) << host;
  for (const char* host : {"", "0.0.0.0", "::", "192.168.1.2", "127.0.0.1.evil.com", "127.evil.com",
                           "localhost.evil.com", "evil.com", "128.0.0.1", "::2", "127.1"})
    EXPECT_FALSE(isLoopback(host)) << host;
}

TEST(HttpChecks, HostNameIsWithoutPort) {
  EXPECT_EQ(hostName("localhost:8080"), "localhost");
  EXPECT_EQ(hostName("localhost"), "localhost");
  EXPECT_EQ(hostName("[::1]:8080"), "::1");
  EXPECT_EQ(hostName("[::1]"), "::1");
  EXPECT_EQ(hostName("["), "");
  EXPECT_EQ(hostName(""), "");
}

TEST(HttpChecks, QueryValuesAreDecoded) {
  EXPECT_EQ(queryValue("a=1&token=x%2By&b=2", "token"), "x+y");
  EXPECT_EQ(queryValue("token=", "token"), "");
  EXPECT_EQ(queryValue("xtoken=1", "token"), std::nullopt);
  EXPECT_EQ(queryValue("token", "token"), std::nullopt);
  EXPECT_EQ(queryValue("token=%4", "token"), std::nullopt);
  EXPECT_EQ(queryValue("token=%zz", "token"), std::nullopt);
  EXPECT_EQ(queryValue("", "token"), std::nullopt);
  EXPECT_EQ(queryValue("&&=&token=1", "token"), "1");
}

TEST(HttpChecks, TokensAreRandomAndCompared) {
  std::set<std::string> tokens;
  for (int i = 0; i < 100; ++i) tokens.insert(randomToken());
  EXPECT_EQ(tokens.size(), 100u);
  EXPECT_EQ(tokens.begin()->size(), 32u);
  EXPECT_EQ(tokens.begin()->find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_TRUE(equalInConstantTime("abc", "abc"));
  EXPECT_FALSE(equalInConstantTime("abc", "abd"));
  EXPECT_FALSE(equalInConstantTime("abc", "ab"));
}

TEST(HttpChecks, LocalServerRefusesNamesOfOthers) {
  EXPECT_FALSE(refusal({"localhost:8080", "", ""}, true, ""));
  EXPECT_FALSE(refusal({"localhost:9000", "http://localhost:9000", ""}, true, ""));
  EXPECT_FALSE(refusal({"[::1]:8080", "http://[::1]:8080", ""}, true, ""));
  EXPECT_TRUE(refusal({"", "", ""}, true, ""));
  EXPECT_TRUE(refusal({"evil.com", "", ""}, true, ""));
  EXPECT_TRUE(refusal({"evil.com:8080", "http://evil.com:8080", ""}, true, ""));
}

TEST(HttpChecks, PagesOfOtherSitesAreRefused) {
  for (const char* origin : {"http://evil.com", "http://localhost:3000", "null", "http://",
                             "localhost:8080", "http://localhost:8080.evil.com"})
    EXPECT_TRUE(refusal({"localhost:8080", origin, ""}, true, "")) << origin;
}

TEST(HttpChecks, AnyNameMayBeUsedWithTheToken) {
  EXPECT_FALSE(refusal({"robot.lab:8080", "http://robot.lab:8080", "token=abc"}, false, "abc"));
  EXPECT_TRUE(refusal({"robot.lab:8080", "", "token=abd"}, false, "abc"));
  EXPECT_TRUE(refusal({"robot.lab:8080", "", ""}, false, "abc"));
  EXPECT_TRUE(refusal({"robot.lab:8080", "http://evil.com", "token=abc"}, false, "abc"));
}

}  // namespace
}  // namespace espalier
