// The fuzzers' corpus, run by every compiler: what was found once stays found.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/fuzz/readings.h"
#include "tests/support/source_folder.h"

namespace espalier {
namespace {

int readAll(const std::string& subject, void (*read)(std::string_view)) {
  int files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(sourceFolder() + "/tests/fuzz/corpus/" + subject)) {
    SCOPED_TRACE(entry.path().string());
    std::ifstream stream(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    read(text);
    // Cut anywhere, it is still only text.
    for (std::size_t n = 0; n < text.size(); n += 1 + text.size() / 64) read(text.substr(0, n));
    ++files;
  }
  return files;
}

TEST(Corpus, Urdf) { EXPECT_GE(readAll("urdf", fuzz::readUrdf), 8); }

TEST(Corpus, World) { EXPECT_GE(readAll("world", fuzz::readWorld), 6); }

TEST(Corpus, Mjcf) { EXPECT_GE(readAll("mjcf", fuzz::readMjcf), 4); }

TEST(Corpus, Sdf) { EXPECT_GE(readAll("sdf", fuzz::readSdf), 4); }

/// Meshes are short and binary, too: also with each byte changed.
TEST(Corpus, Mesh) {
  EXPECT_GE(readAll("mesh",
                    [](std::string_view bytes) {
                      fuzz::readMesh(bytes);
                      std::string changed(bytes);
                      for (char& c : changed) {
                        const char before = c;
                        for (const char other : {'\0', '\xff', '\x7f', '-', '9', '/'}) {
                          c = other;
                          fuzz::readMesh(changed);
                        }
                        c = before;
                      }
                    }),
            5);
}

TEST(Corpus, Template) { EXPECT_GE(readAll("template", fuzz::readTemplate), 3); }

}  // namespace
}  // namespace espalier
