// Meshes that make their reader crash or take all memory, and the child process it runs in.

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <thread>

#include "espalier/io/mesh/mesh_file.h"
#include "espalier/io/mesh/mesh_formats.h"
#include "espalier/io/text/child_process.h"
#include "espalier/io/urdf/urdf.h"
#include "folder.h"
#include "meshes.h"
#include "remarks.h"

namespace espalier::io {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool has_shadow_memory = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool has_shadow_memory = true;
#else
constexpr bool has_shadow_memory = false;
#endif
#else
constexpr bool has_shadow_memory = false;
#endif

ChildLimits fewSeconds() {
  ChildLimits limits;
  limits.seconds = 30;
  return limits;
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, text.npos) << what;
  return text.replace(at, what.size(), by);
}

TEST(MeshChild, GivesTheSameBitsAsInThisProcess) {
  const TestFolder folder;
  const std::string path = folder.write("t.dae", tetrahedronDae("0.0254", "Y_UP"));
  for (const Vec3d& scale : {Vec3d{1, 1, 1}, Vec3d{0.001, -3, 0.7}}) {
    const auto child = readMeshFile(path, scale), here = readByAssimpHere(path, scale);
    ASSERT_TRUE(child && here) << child.diagnostics().toString();
    ASSERT_EQ(child->vertices.size(), here->vertices.size());
    for (std::size_t i = 0; i < here->vertices.size(); ++i) {
      EXPECT_EQ(child->vertices[i].x, here->vertices[i].x);
      EXPECT_EQ(child->vertices[i].y, here->vertices[i].y);
      EXPECT_EQ(child->vertices[i].z, here->vertices[i].z);
    }
    EXPECT_EQ(child->triangles, here->triangles);
  }
}

TEST(MeshChild, SharedColladaMeshesAreTheSameBitsToo) {
  const auto shared = sharedFolder();
  if (shared.empty()) GTEST_SKIP() << "ESPALIER_SHARED is not there";
  int count = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(shared / "models")) {
    if (entry.path().extension() != ".dae") continue;
    const std::string path = entry.path().string();
    SCOPED_TRACE(path);
    const auto child = readByAssimp(path), here = readByAssimpHere(path);
    ASSERT_EQ(child.hasValue(), here.hasValue()) << child.diagnostics().toString();
    if (!child) continue;
    ++count;
    ASSERT_EQ(child->vertices.size(), here->vertices.size());
    for (std::size_t i = 0; i < here->vertices.size(); ++i) {
      ASSERT_EQ(norm(child->vertices[i] - here->vertices[i]), 0);
    }
    ASSERT_EQ(child->triangles, here->triangles);
  }
  EXPECT_GT(count, 0);
}

TEST(MeshChild, AReaderThatCrashesIsAnError) {
  const TestFolder folder;
  // assimp 5.2 follows a null pointer where the array has no count.
  const std::string path =
      folder.write("no_count.dae", replaced(tetrahedronDae("1", "Z_UP"), " count=\"12\"", ""));
  const auto mesh = readMeshFile(path);
  ASSERT_FALSE(mesh);
  expectRemark(mesh.diagnostics(), Severity::Error, 0, "the mesh", path);
  const auto robot = parseUrdf(
      "<robot name=\"r\"><link name=\"a\">\n<collision><geometry><mesh "
      "filename=\"" +
      path + "\"/></geometry></collision></link></robot>");
  ASSERT_FALSE(robot);
  expectRemark(robot.diagnostics(), Severity::Error, 2, "link 'a': the mesh");
}

TEST(MeshChild, AReaderThatTakesAllMemoryIsAnError) {
  if (has_shadow_memory) GTEST_SKIP() << "a sanitizer's shadow memory would count, too";
  const TestFolder folder;
  // A character that is no number in the indices: assimp 5.2 asks for ever more memory.
  const std::string path =
      folder.write("oom.dae", replaced(tetrahedronDae("1", "Z_UP"), "<p>0 2 1 0", "<p>0 2 1 0/ "));
  const auto mesh = readMeshFile(path);
  ASSERT_FALSE(mesh);
  expectRemark(mesh.diagnostics(), Severity::Error, 0, "1024 MiB of memory", path);
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  EXPECT_LT(used.ru_maxrss, 4L << 20) << "KiB of this process: what the child took is not ours";
}

TEST(MeshChild, SharedReproductionsAreErrors) {
  const auto shared = sharedFolder();
  if (shared.empty()) GTEST_SKIP() << "ESPALIER_SHARED is not there";
  if (has_shadow_memory) GTEST_SKIP() << "a sanitizer's shadow memory would count, too";
  for (const char* name : {"no_count.dae", "oom.dae"}) {
    const std::string path = (shared / "fixtures" / "reproductions" / name).string();
    const auto mesh = readMeshFile(path);
    ASSERT_FALSE(mesh) << name;
    expectRemark(mesh.diagnostics(), Severity::Error, 0, "the mesh", path);
  }
}

TEST(MeshChild, SeveralThreadsReadAtOnce) {
  const TestFolder folder;
  const std::string path = folder.write("t.dae", tetrahedronDae("1", "Z_UP"));
  std::atomic<int> good{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 5; ++k) {
        const auto mesh = readMeshFile(path);
        good += mesh && mesh->triangles.size() == 4;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, 20);
}

TEST(RunInChild, GivesTheChildsOutputAlone) {
  int here = 1;
  const ChildResult run = runInChild(
      [&](int fd) {
        here = 2;
        std::fputs("nobody sees this\n", stdout);
        std::fflush(stdout);
        writeAll(fd, "written", 7);
      },
      fewSeconds());
  EXPECT_TRUE(run.wasStarted);
  EXPECT_EQ(run.out, "written");
  EXPECT_EQ(run.exitCode, 0);
  EXPECT_EQ(here, 1) << "the child has its own memory";
}

TEST(RunInChild, ACrashIsASignalOrACodeOfTheChildAlone) {
  const ChildResult crash = runInChild([](int) { std::raise(SIGSEGV); }, fewSeconds());
  EXPECT_EQ(crash.signal, SIGSEGV);
  EXPECT_EQ(crash.exitCode, -1);
  const ChildResult thrown = runInChild([](int) { throw 1; }, fewSeconds());
  EXPECT_EQ(thrown.exitCode, child_threw);
  const ChildResult full = runInChild([](int) { throw std::bad_alloc(); }, fewSeconds());
  EXPECT_EQ(full.exitCode, child_out_of_memory);
}

TEST(RunInChild, LimitsOfMemoryTimeAndOutputHold) {
  ChildLimits brief = fewSeconds();
  brief.seconds = 0.05;
  EXPECT_TRUE(runInChild([](int) { ::pause(); }, brief).hasTimedOut);
  ChildLimits quiet = fewSeconds();
  quiet.output = 1000;
  const ChildResult loud = runInChild(
      [](int fd) {
        const std::string text(1000, 'x');
        while (writeAll(fd, text.data(), text.size())) {
        }
      },
      quiet);
  EXPECT_TRUE(loud.hasOverflown);
  if (has_shadow_memory) return;
  ChildLimits small = fewSeconds();
  small.memory = std::size_t{64} << 20;
  const ChildResult greedy = runInChild(
      [](int fd) {
        std::vector<std::unique_ptr<char[]>> all;
        while (true) {
          all.push_back(std::make_unique<char[]>(std::size_t{1} << 20));
          writeAll(fd, "x", 1);
        }
      },
      small);
  EXPECT_EQ(greedy.exitCode, child_out_of_memory);
  EXPECT_LT(greedy.out.size(), 2000u) << "MiB; what was free before may be used, too";
}

TEST(RunInChild, SignalsIgnoredByTheCallerLoseNothing) {
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  const ChildResult run = runInChild([](int fd) { writeAll(fd, "whole", 5); }, fewSeconds());
  std::signal(SIGCHLD, before);
  EXPECT_EQ(run.out, "whole");
  EXPECT_FALSE(run.hasTimedOut);
}

}  // namespace
}  // namespace espalier::io
