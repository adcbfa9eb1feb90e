// Hulls kept on disk are those computed, bit for bit; whatever is wrong with the folder or a file
// costs time, not the answer.

#include "espalier/geometry/hull_cache.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <thread>

namespace espalier {
namespace {

namespace fs = std::filesystem;

TriangleMesh cloud(int n, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> g;
  TriangleMesh mesh;
  for (int i = 0; i < n; ++i) mesh.vertices.push_back({g(random), g(random), g(random)});
  mesh.triangles.push_back({0, 1, 2});
  return mesh;
}

bool isSame(const Vec3d& a, const Vec3d& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

void expectSame(const Hull& a, const Hull& b) {
  ASSERT_EQ(a.vertices.size(), b.vertices.size());
  for (std::size_t i = 0; i < a.vertices.size(); ++i)
    EXPECT_TRUE(isSame(a.vertices[i], b.vertices[i]));
  ASSERT_EQ(a.faces.size(), b.faces.size());
  for (std::size_t i = 0; i < a.faces.size(); ++i) {
    EXPECT_TRUE(isSame(a.faces[i].normal, b.faces[i].normal));
    EXPECT_EQ(a.faces[i].offset, b.faces[i].offset);
    EXPECT_EQ(a.faces[i].begin, b.faces[i].begin);
    EXPECT_EQ(a.faces[i].end, b.faces[i].end);
  }
  EXPECT_EQ(a.corners, b.corners);
  EXPECT_TRUE(isSame(a.centre, b.centre));
  EXPECT_EQ(a.error, b.error);
  std::mt19937 random(7);
  std::normal_distribution<double> g;
  for (int i = 0; i < 200; ++i) {
    const Vec3d d{g(random), g(random), g(random)};
    EXPECT_EQ(a.vertexMap.farthest(d), b.vertexMap.farthest(d));
    EXPECT_EQ(a.normalMap.farthest(d), b.normalMap.farthest(d));
  }
}

class HullCache : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* before = std::getenv("ESPALIER_CACHE");
    before_ = before != nullptr ? before : "";
    folder_ =
        fs::path(::testing::TempDir()) /
        ("hulls_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(folder_);
    keepIn(folder_.string());
  }
  void TearDown() override {
    if (before_.empty())
      unsetenv("ESPALIER_CACHE");
    else
      keepIn(before_);
    fs::remove_all(folder_);
  }
  static void keepIn(const std::string& folder) { setenv("ESPALIER_CACHE", folder.c_str(), 1); }

  std::vector<fs::path> files() const {
    std::vector<fs::path> all;
    if (!fs::is_directory(folder_)) return all;
    for (const auto& entry : fs::recursive_directory_iterator(folder_))
      if (entry.is_regular_file()) all.push_back(entry.path());
    return all;
  }

  fs::path folder_;
  std::string before_;
};

TEST_F(HullCache, TheHullReadIsTheHullComputed) {
  for (const int most : {8, 64, 1 << 20}) {
    const TriangleMesh mesh = cloud(500, 1);
    const auto computed = convexHull(mesh, most);
    const auto first = cachedHull(mesh, most), again = cachedHull(mesh, most);
    ASSERT_TRUE(first && again);
    expectSame(*first, *computed);
    expectSame(*again, *computed);
  }
  EXPECT_EQ(files().size(), 3u);
}

TEST_F(HullCache, ReadsTheFile) {
  // The hull of one mesh under the name of another: only a file that is read shows it.
  const TriangleMesh mesh = cloud(500, 1);
  cachedHull(mesh, 64);
  ASSERT_EQ(files().size(), 1u);
  const auto written = fs::last_write_time(files()[0]);
  fs::last_write_time(files()[0], written - std::chrono::hours(1));
  cachedHull(mesh, 64);
  EXPECT_EQ(fs::last_write_time(files()[0]), written - std::chrono::hours(1));
}

TEST_F(HullCache, AnotherMeshOrLimitIsAnotherFile) {
  TriangleMesh mesh = cloud(500, 1);
  cachedHull(mesh, 64);
  mesh.vertices[13].x += 1e-15;
  cachedHull(mesh, 64);
  cachedHull(mesh, 63);
  EXPECT_EQ(files().size(), 3u);
  cachedHull(mesh, 500);
  cachedHull(mesh, 5000);  // neither limits 500 points
  EXPECT_EQ(files().size(), 4u);
}

TEST_F(HullCache, SmallMeshesAndFlatOnesAreNotKept) {
  EXPECT_TRUE(cachedHull(cloud(kLeastCachedVertices - 1, 1), 64));
  TriangleMesh flat = cloud(500, 1);
  for (Vec3d& v : flat.vertices) v.z = 0;
  EXPECT_FALSE(cachedHull(flat, 64));
  EXPECT_TRUE(files().empty());
}

TEST_F(HullCache, DamagedFilesAreComputedAnew) {
  const TriangleMesh mesh = cloud(300, 2);
  const auto computed = convexHull(mesh, 32);
  cachedHull(mesh, 32);
  ASSERT_EQ(files().size(), 1u);
  const fs::path path = files()[0];
  std::string bytes;
  {
    std::ifstream file(path, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
  }
  const auto write = [&](const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
  };
  for (std::size_t at = 0; at < bytes.size(); at += 97) {
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    write(damaged);
    expectSame(*cachedHull(mesh, 32), *computed);
    write(bytes.substr(0, at));
    expectSame(*cachedHull(mesh, 32), *computed);
  }
  write("");
  expectSame(*cachedHull(mesh, 32), *computed);
  EXPECT_EQ(fs::file_size(path), bytes.size());  // written again
}

TEST_F(HullCache, AFolderThatCannotBeIsNoFolder) {
  std::ofstream(folder_.string()) << "a file";  // in its place
  const TriangleMesh mesh = cloud(300, 3);
  expectSame(*cachedHull(mesh, 64), *convexHull(mesh, 64));
  keepIn("/proc/there/is/none");
  expectSame(*cachedHull(mesh, 64), *convexHull(mesh, 64));
}

TEST_F(HullCache, ManyAtOnce) {
  const TriangleMesh mesh = cloud(400, 4);
  const auto computed = convexHull(mesh, 64);
  std::vector<std::shared_ptr<const Hull>> found(8);
  std::vector<std::thread> threads;
  for (auto& hull : found) threads.emplace_back([&] { hull = cachedHull(mesh, 64); });
  for (std::thread& thread : threads) thread.join();
  for (const auto& hull : found) expectSame(*hull, *computed);
  EXPECT_EQ(files().size(), 1u);  // nothing is left beside it
}

TEST_F(HullCache, WhereItIs) {
  EXPECT_EQ(hullCacheFolder(), folder_.string());
  keepIn("off");
  EXPECT_EQ(hullCacheFolder(), "");
  unsetenv("ESPALIER_CACHE");
  setenv("XDG_CACHE_HOME", "/somewhere", 1);
  EXPECT_EQ(hullCacheFolder(), "/somewhere/espalier");
  setenv("XDG_CACHE_HOME", "relative", 1);  // the standard says to ignore it
  setenv("HOME", "/home/me", 1);
  EXPECT_EQ(hullCacheFolder(), "/home/me/.cache/espalier");
}

TEST(SupportMapParts, GiveTheMapAgainOrNone) {
  const std::vector<Vec3d> points = cloud(50, 5).vertices;
  const SupportMap map(points);
  const SupportMap::Parts parts = map.parts();
  const auto again = SupportMap::fromParts(parts, points);
  ASSERT_TRUE(again);
  std::mt19937 random(1);
  std::normal_distribution<double> g;
  for (int i = 0; i < 300; ++i) {
    const Vec3d d{g(random), g(random), g(random)};
    EXPECT_EQ(again->farthest(d), map.farthest(d));
  }
  using Edit = void (*)(SupportMap::Parts&);
  for (const Edit edit : {
           +[](SupportMap::Parts& p) { p.perEdge = 0; },
           +[](SupportMap::Parts& p) { p.perEdge = 9; },
           +[](SupportMap::Parts& p) { p.begin.pop_back(); },
           +[](SupportMap::Parts& p) { p.begin[1] = 0; },
           +[](SupportMap::Parts& p) { p.begin.back() += 1; },
           +[](SupportMap::Parts& p) { p.indices[3] = 50; },
           +[](SupportMap::Parts& p) { p.indices[3] = -1; },
       }) {
    SupportMap::Parts bad = parts;
    edit(bad);
    EXPECT_FALSE(SupportMap::fromParts(bad, points));
  }
}

}  // namespace
}  // namespace espalier
