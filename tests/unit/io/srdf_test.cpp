// SRDF: pairs of links that never collide, and where the file is found.

#include "espalier/io/urdf/srdf.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "espalier/io/urdf/urdf.h"
#include "espalier/model/model.h"

namespace espalier::io {
namespace {

namespace fs = std::filesystem;

SystemSpec withLinks(const std::vector<std::string>& names) {
  SystemSpec spec;
  spec.name = "robot";
  for (const std::string& name : names) spec.links.emplace_back().name = name;
  return spec;
}

using Pair = std::pair<std::string, std::string>;

std::set<Pair> pairsOf(const SystemSpec& spec) {
  std::set<Pair> pairs;
  for (const IgnoredPair& p : spec.ignoredPairs) pairs.insert(std::minmax(p.first, p.second));
  return pairs;
}

Diagnostics apply(const std::string& body, SystemSpec& spec) {
  ReadingBudget budget;
  return applySrdf("<robot name=\"robot\">" + body + "</robot>", "r.srdf", spec, budget);
}

TEST(Srdf, PairsCarryTheirReason) {
  SystemSpec spec = withLinks({"a", "b", "c"});
  const Diagnostics said = apply(
      "<group name=\"arm\"><chain base_link=\"a\" tip_link=\"b\"/></group>"
      "<disable_collisions link1=\"b\" link2=\"a\" reason=\"Adjacent\"/>"
      "<disable_collisions link1=\"a\" link2=\"c\"/>",
      spec);
  EXPECT_FALSE(said.hasErrors());
  EXPECT_EQ(said.count(Severity::Note), 1);
  EXPECT_EQ(pairsOf(spec), (std::set<Pair>{{"a", "b"}, {"a", "c"}}));
  EXPECT_EQ(spec.ignoredPairs[0].reason, "SRDF: Adjacent");
  EXPECT_EQ(spec.ignoredPairs[1].reason, "SRDF");
}

TEST(Srdf, OneThatSaysNothingOfCollisionsIsSilent) {
  SystemSpec spec = withLinks({"a", "b"});
  EXPECT_TRUE(
      apply("<group_state name=\"rest\"/><!-- <disable_collisions/> -->", spec).all().empty());
  EXPECT_TRUE(spec.ignoredPairs.empty());
}

TEST(Srdf, DefaultsOfALinkAndPairsThatAreEnabledAgain) {
  SystemSpec spec = withLinks({"a", "b", "c", "d"});
  apply(
      "<enable_collisions link1=\"d\" link2=\"a\"/>"
      "<disable_default_collisions link=\"a\"/>",
      spec);
  EXPECT_EQ(pairsOf(spec), (std::set<Pair>{{"a", "b"}, {"a", "c"}}));
}

TEST(Srdf, LinksThatTheRobotDoesNotHaveAreCounted) {
  SystemSpec spec = withLinks({"a", "b"});
  const Diagnostics said = apply(
      "<disable_collisions link1=\"a\" link2=\"x\"/><disable_collisions link1=\"y\" link2=\"b\"/>",
      spec);
  EXPECT_FALSE(said.hasErrors());
  EXPECT_TRUE(spec.ignoredPairs.empty());
  EXPECT_NE(said.all()[0].what.find("2 links"), std::string::npos) << said.all()[0].what;
}

TEST(Srdf, FaultsAreErrorsWithLineAndRemedy) {
  SystemSpec spec = withLinks({"a", "b"});
  const Diagnostics said = apply("\n<disable_collisions link1=\"a\"/>", spec);
  ASSERT_TRUE(said.hasErrors());
  EXPECT_EQ(said.all()[0].line, 2);
  EXPECT_FALSE(said.all()[0].remedy.empty());
  ReadingBudget budget;
  EXPECT_TRUE(applySrdf("<robot", "r.srdf", spec, budget).hasErrors());
  EXPECT_TRUE(applySrdf("<sdf/>", "r.srdf", spec, budget).hasErrors());
  EXPECT_TRUE(applySrdfFile("/there/is/none.srdf", spec, budget).hasErrors());
  EXPECT_TRUE(spec.ignoredPairs.empty());
}

class SrdfFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        fs::path(::testing::TempDir()) /
        ("srdf_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "robots");
    fs::create_directories(folder_ / "srdf");
    write("robots/arm_v2.urdf", urdf);
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  std::string at(const std::string& name) const { return (folder_ / name).string(); }

  // Four links in a row, the third welded to the second.
  static constexpr const char* urdf = R"(<robot name="arm">
  <link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="c"/>
  <link name="d"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="ab" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint>
  <joint name="bc" type="fixed"><parent link="b"/><child link="c"/></joint>
  <joint name="cd" type="continuous"><parent link="c"/><child link="d"/><axis xyz="0 1 0"/></joint>
</robot>)";
  static constexpr const char* srdf =
      R"(<robot name="arm"><disable_collisions link1="a" link2="d" reason="Never"/></robot>)";
  fs::path folder_;
};

TEST_F(SrdfFolder, IsFoundByTheFilesNameOrTheRobots) {
  EXPECT_FALSE(findSrdf(at("robots/arm_v2.urdf"), "arm"));
  for (const char* name :
       {"srdf/arm.srdf", "robots/arm.srdf", "srdf/arm_v2.srdf", "robots/arm_v2.srdf"}) {
    write(name, srdf);
    const auto found = findSrdf(at("robots/arm_v2.urdf"), "arm");
    ASSERT_TRUE(found) << name;
    EXPECT_TRUE(fs::equivalent(*found, folder_ / name)) << *found;
  }
  EXPECT_FALSE(findSrdf(at("robots/other.urdf"), "../robots/arm"));
}

TEST_F(SrdfFolder, IsReadWithTheRobot) {
  EXPECT_TRUE(loadRobot(at("robots/arm_v2.urdf"))->ignoredPairs.empty());
  write("srdf/arm.srdf", srdf);
  const auto robot = loadRobot(at("robots/arm_v2.urdf"));
  ASSERT_TRUE(robot);
  EXPECT_EQ(pairsOf(*robot), (std::set<Pair>{{"a", "d"}}));
  const Model model = compile(*robot).value();
  // a and b, b (with c) and d are neighbours; a and d are the SRDF's.
  ASSERT_EQ(model.ignoredBodyPairs.size(), 3u);
  EXPECT_EQ(model.ignoredBodyPairs[0].reason, "neighbours in the tree");
  EXPECT_EQ(model.ignoredBodyPairs[1].reason, "neighbours in the tree");
  EXPECT_EQ(model.ignoredBodyPairs[2].reason, "SRDF: Never");

  write("other.srdf", R"(<robot name="arm"/>)");
  UrdfOptions options;
  options.srdf = at("other.srdf");
  EXPECT_TRUE(loadRobot(at("robots/arm_v2.urdf"), options)->ignoredPairs.empty());
  options.srdf = at("none.srdf");
  EXPECT_FALSE(loadRobot(at("robots/arm_v2.urdf"), options));
}

}  // namespace
}  // namespace espalier::io
