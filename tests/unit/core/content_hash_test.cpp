#include "espalier/core/content_hash.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace espalier {
namespace {

TEST(ContentHash, TellsEveryChangeOfAByteAndTheLength) {
  const std::string text(37, 'a');
  std::set<std::uint64_t> seen{contentHash(text, 1), contentHash(text, 2)};
  for (std::size_t i = 0; i < text.size(); ++i)
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = text;
      changed[i] = static_cast<char>(changed[i] ^ (1 << bit));
      EXPECT_TRUE(seen.insert(contentHash(changed, 1)).second);
    }
  for (std::size_t n = 0; n < 37; ++n)
    EXPECT_TRUE(seen.insert(contentHash(std::string(n, '\0'), 1)).second) << n;
  EXPECT_EQ(contentHash(text, 1), contentHash(std::string(37, 'a'), 1));
}

}  // namespace
}  // namespace espalier
