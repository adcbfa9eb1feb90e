#include "espalier/io/urdf/xacro.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>

#include "espalier/io/text/child_process.h"
#include "espalier/io/urdf/urdf.h"
#include "folder.h"
#include "remarks.h"
#include "tests/support/source_folder.h"

namespace espalier::io {
namespace {

/// Sets a variable for as long as it lives.
class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    setenv(name, value.c_str(), 1);
  }
  ~Environment() {
    if (before_) {
      setenv(name_, before_->c_str(), 1);
    } else {
      unsetenv(name_);
    }
  }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

const std::string robot_tag = R"(<?xml version="1.0"?>
<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:arg name="size" default="1"/>
  <xacro:property name="half" value="${$(arg size) / 2}"/>
  <xacro:macro name="ball" params="name">
    <link name="${name}"><collision><geometry><sphere radius="${half}"/></geometry></collision></link>
  </xacro:macro>
  <xacro:ball name="base"/>
</robot>
)";

/// Whether this machine has xacro, where the library looks for it and in the project's own Python.
bool findXacro(std::optional<Environment>& python) {
  if (std::getenv("ESPALIER_PYTHON") == nullptr) {
    const std::string own = sourceFolder() + "/.venv/bin/python";
    if (std::filesystem::exists(own)) python.emplace("ESPALIER_PYTHON", own);
  }
  const TestFolder folder;
  ReadingBudget budget;
  return static_cast<bool>(
      expandXacro(folder.write("probe.xacro", "<robot name=\"p\"/>"), {}, {"", {}}, budget));
}

TEST(Xacro, RobotsAreExpanded) {
  std::optional<Environment> python;
  if (!findXacro(python)) GTEST_SKIP() << "xacro is not installed";
  const TestFolder folder;
  const std::string path = folder.write("r.urdf.xacro", robot_tag);
  UrdfOptions options;
  options.parameters = {{"size", "3"}};
  const auto spec = loadRobot(path, options);
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  EXPECT_EQ(spec->links.at(0).name, "base");
  EXPECT_EQ(std::get<SphereShape>(spec->links[0].collisions.at(0).shape).radius, 1.5);
  EXPECT_EQ(spec->file, path);
}

TEST(Xacro, PackagesAreFoundWithoutRos) {
  std::optional<Environment> python;
  if (!findXacro(python)) GTEST_SKIP() << "xacro is not installed";
  const TestFolder folder;
  for (const char* package : {"some_robot", "some_parts", "elsewhere/far_parts"})
    std::filesystem::create_directories(folder.path(package));
  const std::string link = "<robot xmlns:xacro=\"http://www.ros.org/wiki/xacro\"><link name=\"";
  folder.write("some_robot/own.xacro", link + "own\"/></robot>");
  folder.write("some_parts/near.xacro", link + "near\"/></robot>");
  folder.write("elsewhere/far_parts/far.xacro", link + "far\"/></robot>");
  std::string text = "<robot name=\"r\" xmlns:xacro=\"http://www.ros.org/wiki/xacro\">";
  for (const char* file : {"some_robot)/own", "some_parts)/near", "far_parts)/far"})
    text += std::string("<xacro:include filename=\"$(find ") + file + ".xacro\"/>";
  text +=
      "<joint name=\"a\" type=\"fixed\"><parent link=\"own\"/><child link=\"near\"/></joint>"
      "<joint name=\"b\" type=\"fixed\"><parent link=\"own\"/><child "
      "link=\"far\"/></joint></robot>";
  const std::string path = folder.write("some_robot/r.xacro", text);
  const auto without = loadRobot(path);
  ASSERT_FALSE(without);
  expectRemark(without.diagnostics(), Severity::Error, 0, "package 'far_parts' is in none of",
               path);
  EXPECT_NE(without.diagnostics().all()[0].remedy.find("--search"), std::string::npos);
  UrdfOptions options;
  options.searchPaths = {folder.path("elsewhere")};
  const auto spec = loadRobot(path, options);
  ASSERT_TRUE(spec) << spec.diagnostics().toString();
  EXPECT_EQ(spec->links.size(), 3u);
}

TEST(Xacro, UnexpandableFilesAreErrors) {
  std::optional<Environment> python;
  if (!findXacro(python)) GTEST_SKIP() << "xacro is not installed";
  const TestFolder folder;
  const std::string path = folder.write(
      "r.xacro", "<robot xmlns:xacro=\"http://www.ros.org/wiki/xacro\" name=\"${nothing}\"/>");
  const auto spec = loadRobot(path);
  ASSERT_FALSE(spec);
  expectRemark(spec.diagnostics(), Severity::Error, 0,
               "xacro cannot expand it: name 'nothing' is not defined", path);
  folder.write("r.xacro", "<robot xmlns:xacro=\"http://www.ros.org/wiki/xacro\">\n<link");
  expectRemark(loadRobot(path).diagnostics(), Severity::Error, 0,
               "XML parsing error: unclosed token: line 2, column 0", path);
}

TEST(Xacro, AbsentIsSaidWithARemedy) {
  const TestFolder folder;
  const Environment python("ESPALIER_PYTHON", folder.path("no_python"));
  const Environment path("PATH", folder.path());
  const std::string file = folder.write("r.xacro", robot_tag);
  const auto spec = loadRobot(file);
  ASSERT_FALSE(spec);
  expectRemark(spec.diagnostics(), Severity::Error, 0, "xacro is not installed", file);
  EXPECT_NE(spec.diagnostics().all()[0].remedy.find("pip install xacro"), std::string::npos);
}

TEST(Xacro, AMissingFileIsSaid) {
  const auto spec = loadRobot("no/such.xacro");
  ASSERT_FALSE(spec);
  expectRemark(spec.diagnostics(), Severity::Error, 0, "no such file", "no/such.xacro");
}

TEST(ChildProcess, GathersBothOutputsAndTheExitCode) {
  const ChildResult run = runChild({"sh", "-c", "echo out; echo err >&2; cat; exit 3"}, {60, 1000});
  EXPECT_TRUE(run.wasStarted);
  EXPECT_EQ(run.out, "out\n");
  EXPECT_EQ(run.err, "err\n");
  EXPECT_EQ(run.exitCode, 3);
}

TEST(ChildProcess, IsEndedWhenItTakesTooLongOrSaysTooMuch) {
  EXPECT_TRUE(runChild({"sleep", "1000"}, {0.05, 1000}).hasTimedOut);
  EXPECT_TRUE(runChild({"sh", "-c", "exec >&- 2>&-; sleep 1000"}, {0.05, 1000}).hasTimedOut);
  EXPECT_TRUE(runChild({"sh", "-c", "while :; do echo y; done"}, {60, 10000}).hasOverflown);
  EXPECT_FALSE(runChild({"/no/such/program"}, {60, 1000}).wasStarted);
  EXPECT_FALSE(runChild({}, {60, 1000}).wasStarted);
}

}  // namespace
}  // namespace espalier::io
