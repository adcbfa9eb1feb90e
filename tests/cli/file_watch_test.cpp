#include "apps/cli/file_watch.h"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <thread>

namespace espalier::cli {
namespace {

/// Whether a change is seen within two seconds.
bool sees(FileWatch& watch) {
  for (int i = 0; i < 100; ++i) {
    if (watch.hasChanged()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return false;
}

TEST(FileWatch, SeesFilesChangeComeAndGo) {
  const std::string path = ::testing::TempDir() + "/watched.txt",
                    missing = ::testing::TempDir() + "/appears.txt";
  std::filesystem::remove(missing);
  std::ofstream(path) << "one";
  FileWatch watch;
  watch.set({path, missing});
  EXPECT_FALSE(sees(watch));
  std::ofstream(path) << "three";
  EXPECT_TRUE(sees(watch));
  EXPECT_FALSE(sees(watch));
  std::ofstream(missing) << "here";
  EXPECT_TRUE(sees(watch));
  std::filesystem::remove(path);
  EXPECT_TRUE(sees(watch));
}

TEST(FileWatch, WaitsUntilTheWriterIsDone) {
  const std::string path = ::testing::TempDir() + "/growing.txt";
  std::ofstream out(path);
  out << "a" << std::flush;
  FileWatch watch;
  watch.set({path});
  const auto begin = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(800)) {
    out << "more" << std::flush;
    EXPECT_FALSE(watch.hasChanged());
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_TRUE(sees(watch));
}

}  // namespace
}  // namespace espalier::cli
